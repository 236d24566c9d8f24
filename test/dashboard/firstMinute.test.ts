/** From nothing to a first call. */
import { beforeAll, describe, expect, it } from "vitest";
import { call, openStage, PASSWORD, type StoreFixture, signIn, signUp, visit } from "./support/visit.ts";

let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStage();
});

describe("the first minute", () => {
  it("shows who signed up a key that works, in a line for the terminal that works", async () => {
    const visitor = await visit(fixture);
    const key = await signUp(visitor, "first@fabel.example");
    const line = await visitor.page.locator("pre.code").nth(1).innerText();
    const [, sent, address] = /^curl -H "Authorization: Bearer (\S+)" "(\S+)"$/.exec(line) ?? [];
    expect(sent).toBe(key);
    const answer = await fetch(address ?? "", { headers: { authorization: `Bearer ${sent}` } });
    expect(answer.status).toBe(200);
    expect(visitor.troubles).toEqual([]);
  });

  it("makes the same call by a click, and tells its answer, its cost and what is left", async () => {
    const visitor = await visit(fixture);
    await signUp(visitor, "click@fabel.example");
    await visitor.page.getByRole("button", { name: "Make the call" }).click();
    await visitor.page.getByText("This cost 1 token. 49 left this month.").waitFor();
    const answer = await visitor.page.getByRole("region", { name: "Answer of the API" }).innerText();
    expect(JSON.parse(answer)).toMatchObject({ results: [{ kvkNumber: "50000001" }, {}] });
    await expect.poll(() => visitor.page.getByTestId("remaining").innerText()).toBe("49");
    expect(visitor.troubles).toEqual([]);
  });

  it("shows the key this once: it is gone with the page, and after another sign-in", async () => {
    const visitor = await visit(fixture);
    const key = await signUp(visitor, "once@fabel.example");
    await visitor.page.reload();
    await visitor.page.getByRole("heading", { level: 1, name: "Start" }).waitFor();
    expect(await visitor.page.content()).not.toContain(key);
    expect(await visitor.page.locator("pre.code").innerText()).toContain("YOUR_KEY");
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

  it("tells a taken address no more than a wrong password does", async () => {
    const visitor = await visit(fixture);
    await signUp(visitor, "taken@fabel.example");
    const other = await visit(fixture);
    await other.page.goto("/#/sign-up");
    await other.page.locator("input[type=email]").fill("taken@fabel.example");
    await other.page.locator("input[autocomplete=new-password]").fill(`${PASSWORD} anders`);
    await other.page.locator("button[type=submit]").click();
    await other.page.getByRole("alert").getByText("We could not sign you in with this password").waitFor();
  });
});
