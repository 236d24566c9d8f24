/** Two-factor sign-in on the page: a QR code, app codes, recovery codes, and the operator's reset. */
import decodeQR from "qr/decode.js";
import { beforeAll, describe, expect, it } from "vitest";
import { Device } from "../kit/device.ts";
import { opzoek } from "../kit/opzoek.ts";
import { thoroughIt } from "../kit/thorough.ts";
import {
  accountIdOf,
  openStage,
  PASSWORD,
  type StoreFixture,
  signIn,
  signUp,
  type Visit,
  visit,
} from "./support/visit.ts";

const PIXELS = 4;
let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStage();
});

/** Returns the content of the QR code on the page, as a phone reads it. */
async function scanned({ page }: Visit): Promise<string> {
  const picture = page.getByRole("img", { name: /QR/ });
  await picture.waitFor();
  const size = Number((await picture.getAttribute("viewBox"))?.split(" ")[2]) * PIXELS;
  const data = new Uint8Array(size * size * 4).fill(255);
  const path = (await picture.locator("path").getAttribute("d")) ?? "";
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)/g)) {
    for (let down = 0; down < PIXELS; down++) {
      const start = ((Number(y) * PIXELS + down) * size + Number(x) * PIXELS) * 4;
      for (let right = 0; right < PIXELS; right++) data.fill(0, start + right * 4, start + right * 4 + 3);
    }
  }
  return decodeQR({ width: size, height: size, data });
}

async function signOut({ page }: Visit): Promise<void> {
  await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
}

describe("two-factor sign-in", () => {
  it("is turned on with a QR code, required at sign-in, and turned off, with clear error messages", async () => {
    const email = "two-factor@fabel.example";
    const visitor = await visit(fixture);
    const { page } = visitor;
    await signUp(visitor, email);
    await visitor.go("settings");
    const part = page.getByRole("region", { name: "Two-factor sign-in" });
    await part.getByRole("button", { name: "Turn on" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("input").fill("een fout woord");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByRole("alert").getByText("This is not your password").waitFor();
    await dialog.locator("input").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Continue" }).click();
    const uri = new URL(await scanned(visitor));
    const secret = uri.searchParams.get("secret") ?? "";
    expect(decodeURIComponent(uri.pathname)).toBe(`/Opzoek:${email}`);
    expect((await dialog.locator("pre.code").innerText()).replaceAll(" ", "")).toBe(secret);
    const device = new Device(secret);
    await dialog.getByLabel("Six-digit code").fill(device.wrong(Date.now()));
    await dialog.getByRole("button", { name: "Turn on" }).click();
    await dialog.getByRole("alert").getByText("This code is wrong").waitFor();
    await dialog.getByLabel("Six-digit code").fill(device.code(Date.now()));
    await dialog.getByRole("button", { name: "Turn on" }).click();
    await dialog.getByRole("heading", { name: "Save your recovery codes" }).waitFor();
    const codes = (await dialog.locator("pre.code").innerText()).trim().split("\n");
    expect(codes).toHaveLength(10);
    const downloading = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Download" }).click();
    expect((await downloading).suggestedFilename()).toBe("opzoek-recovery-codes.txt");
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "I’ve saved them" }).click();
    await part.getByText("10 recovery codes left.").waitFor();

    await signOut(visitor);
    await signIn(visitor, email);
    await page.getByRole("heading", { name: "One more step" }).waitFor();
    await expect.poll(() => page.locator(":focus").getAttribute("autocomplete")).toBe("one-time-code");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("Enter the code.").waitFor();
    await page.getByLabel("Six-digit code").fill(device.wrong(Date.now()));
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("alert").getByText("This code is wrong").waitFor();
    await page.getByLabel("Six-digit code").fill(device.code(Date.now(), 1));
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Start" }).waitFor();

    await signOut(visitor);
    await signIn(visitor, email);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(codes[0] ?? "");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Start" }).waitFor();
    await visitor.go("settings");
    await part.getByText("9 recovery codes left.").waitFor();
    await part.getByRole("button", { name: "Turn off" }).click();
    await dialog.locator("input[autocomplete=current-password]").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Use a recovery code" }).click();
    await dialog.getByLabel("Recovery code").fill(codes[0] ?? "");
    await dialog.getByRole("button", { name: "Turn off" }).click();
    await dialog.getByRole("alert").getByText("This code is wrong or has already been used").waitFor();
    await dialog.getByLabel("Recovery code").fill(codes[1] ?? "");
    await dialog.getByRole("button", { name: "Turn off" }).click();
    await part.getByText("Off", { exact: true }).waitFor();
    expect(visitor.troubles).toEqual([]);
  });

  thoroughIt("is reset by the operator's command after losing phone and codes", async () => {
    const email = "lost-both@fabel.example";
    const visitor = await visit(fixture, { locale: "nl-NL", width: 360 });
    const { page } = visitor;
    await signUp(visitor, email);
    await visitor.go("settings");
    await page.getByRole("button", { name: "Aanzetten" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("input").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Doorgaan" }).click();
    const device = new Device(new URL(await scanned(visitor)).searchParams.get("secret") ?? "");
    await dialog.getByLabel("Code van zes cijfers").fill(device.code(Date.now()));
    await dialog.getByRole("button", { name: "Aanzetten" }).click();
    await dialog.getByRole("button", { name: "Ik heb ze bewaard" }).click();
    const id = await accountIdOf(visitor);
    const { code, err } = await opzoek(["account", "reset-two-factor", id], fixture.world.environment);
    expect(code, err).toBe(0);
    expect(err).toContain("with its password only");
    const other = await visit(fixture, { locale: "nl-NL" });
    await signIn(other, email);
    await other.page.getByRole("heading", { level: 1, name: "Start" }).waitFor();
    const again = await opzoek(["account", "reset-two-factor", id], fixture.world.environment);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining("already off") });
    expect(visitor.troubles).toEqual([]);
  });
});
