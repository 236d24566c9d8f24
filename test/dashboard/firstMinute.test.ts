/** From signing up to the first call. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { CURLS } from "../kit/curls.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { call, openStage, PASSWORD, type StoreFixture, signIn, signUp, visit } from "./support/visit.ts";

const run = promisify(execFile);

let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStage();
});

describe("the first minute", () => {
  it("shows a new account a working key and working examples, and reports its first call", async () => {
    const visitor = await visit(fixture);
    const key = await signUp(visitor, "first@fabel.example");
    const { page } = visitor;
    await page.getByText("Waiting for your first call …").waitFor();
    const curls = CURLS.filter(({ need }) => need.isMet).map(
      ({ path }) => ["curl", ["sh", "-c"], path()] as const,
    );
    for (const [name, command, PATH] of [
      ...curls,
      ["JavaScript", [process.execPath, "--input-type=module", "-e"], ""],
    ] as const) {
      await page.getByRole("tab", { name }).click();
      const program = await page.getByRole("tabpanel").innerText();
      expect(program).toContain(key);
      const [interpreter, ...words] = command;
      const { stdout } = await run(interpreter, [...words, program], { env: { PATH } });
      expect(stdout).toContain("50000001");
    }
    await page.getByText("Your first call arrived.").waitFor();
    expect(visitor.troubles).toEqual([]);
  });

  it("makes the same call on a click, and shows its response, its cost and the remaining tokens", async () => {
    const visitor = await visit(fixture);
    await signUp(visitor, "click@fabel.example");
    await visitor.page.getByRole("button", { name: "Make the call" }).click();
    await visitor.page.getByText("This cost 1 token. 49 left this month.").waitFor();
    const answer = await visitor.page.getByRole("region", { name: "API response" }).innerText();
    expect(JSON.parse(answer)).toMatchObject({ results: [{ kvkNumber: "50000001" }, {}] });
    await expect.poll(() => visitor.page.getByTestId("remaining").innerText()).toBe("49");
    expect(visitor.troubles).toEqual([]);
  });

  thoroughIt("shows the key only once: it is gone after a reload or another sign-in", async () => {
    const visitor = await visit(fixture);
    const key = await signUp(visitor, "once@fabel.example");
    await visitor.page.reload();
    await visitor.page.getByRole("heading", { level: 1, name: "Start" }).waitFor();
    expect(await visitor.page.content()).not.toContain(key);
    expect(await visitor.page.getByRole("tabpanel").innerText()).toContain("$OPZOEK_KEY");
    await visitor.go("keys");
    await visitor.page.getByText(`opz_live_…${key.slice(-4)}`).waitFor();
    expect(await visitor.page.content()).not.toContain(key);
    const stored = await visitor.page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    );
    expect(stored).not.toContain("opz_");

    const other = await visit(fixture);
    await signIn(other, "once@fabel.example");
    await other.page.getByRole("heading", { level: 1, name: "Start" }).waitFor();
    expect(await other.page.content()).not.toContain(key);
    expect((await call(fixture, key, "/v1/usage")).status).toBe(200);
  });

  thoroughIt("reveals no more for a taken address than for a wrong password", async () => {
    const visitor = await visit(fixture);
    await signUp(visitor, "taken@fabel.example");
    const other = await visit(fixture);
    await other.page.goto("/#/sign-up");
    await other.page.locator("input[type=email]").fill("taken@fabel.example");
    await other.page.locator("input[autocomplete=new-password]").fill(`${PASSWORD} anders`);
    await other.page.locator("button[type=submit]").click();
    await other.page.getByRole("alert").getByText("We couldn’t sign you in with this password").waitFor();
  });
});
