/** Keys on the page: shown once, refused once revoked, and working side by side while one is replaced. */
import type { Locator } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { call, openStage, type StoreFixture, signUp, type Visit, visit } from "./support/visit.ts";

const LOOKUP = "/v1/lookup/50000001";
let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStage();
});

/** The key of the dialog that shows one; closes it. */
async function takeShown({ page }: Visit): Promise<string> {
  const dialog = page.getByRole("dialog", { name: "Your new key" });
  const key = await dialog.locator("pre.code").innerText();
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "I have kept it" }).click();
  await dialog.waitFor({ state: "detached" });
  return key;
}

function rowsOf({ page }: Visit, name: string, state: string): Locator {
  return page.locator(`[data-testid="key-${name}"][data-state="${state}"]`);
}

describe("keys", () => {
  it("are made with a name and shown once, in a dialog that a stray key does not close", async () => {
    const visitor = await visit(fixture);
    await signUp(visitor, "make@fabel.example");
    await visitor.go("keys");
    await visitor.page.getByRole("button", { name: "New key" }).click();
    await visitor.page.getByRole("button", { name: "Make the key" }).click();
    await visitor.page.getByText("Give the key a name").waitFor();
    await visitor.page.getByLabel("Name").fill("website");
    await visitor.page.keyboard.press("Enter");
    const key = await takeShown(visitor);
    await rowsOf(visitor, "website", "live").waitFor();
    expect(await visitor.page.content()).not.toContain(key);
    expect((await call(fixture, key, LOOKUP)).status).toBe(200);
    await visitor.page.reload();
    await rowsOf(visitor, "website", "live").waitFor();
    expect(await rowsOf(visitor, "website", "live").innerText()).toContain(key.slice(-4));
    expect(visitor.troubles).toEqual([]);
  });

  it("are refused as soon as they are revoked, and only after a question", async () => {
    const visitor = await visit(fixture);
    const key = await signUp(visitor, "revoke@fabel.example");
    await visitor.go("keys");
    await visitor.page.getByRole("button", { name: "Revoke: first key" }).click();
    const dialog = visitor.page.getByRole("dialog", { name: "Revoke “first key”?" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await call(fixture, key, LOOKUP)).status).toBe(200);
    await visitor.page.getByRole("button", { name: "Revoke: first key" }).click();
    await dialog.getByRole("button", { name: "Revoke the key" }).click();
    await rowsOf(visitor, "first key", "revoked").waitFor();
    expect((await call(fixture, key, LOOKUP)).status).toBe(401);
  });

  it("are replaced with an overlap in which both work, or without one", async () => {
    const visitor = await visit(fixture);
    const first = await signUp(visitor, "roll@fabel.example");
    await visitor.go("keys");
    const roll = async (overlap: string) => {
      await visitor.page.getByRole("button", { name: "Replace: first key" }).click();
      await visitor.page.getByRole("radio", { name: overlap }).check();
      await visitor.page.getByRole("button", { name: "Replace the key", exact: true }).click();
      return takeShown(visitor);
    };
    const second = await roll("1 hour");
    expect([
      (await call(fixture, first, LOOKUP)).status,
      (await call(fixture, second, LOOKUP)).status,
    ]).toEqual([200, 200]);
    await rowsOf(visitor, "first key", "ending").waitFor();
    const third = await roll("It stops now");
    expect([
      (await call(fixture, second, LOOKUP)).status,
      (await call(fixture, third, LOOKUP)).status,
    ]).toEqual([401, 200]);
    expect((await call(fixture, first, LOOKUP)).status).toBe(200);
    await rowsOf(visitor, "first key", "revoked").waitFor();
  });
});
