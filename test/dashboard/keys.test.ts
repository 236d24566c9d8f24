/** Keys on the page: shown once, refused after being revoked, and both valid during a replacement. */
import type { Locator } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { thoroughIt } from "../kit/thorough.ts";
import { call, openStage, type StoreFixture, signUp, type Visit, visit } from "./support/visit.ts";

const LOOKUP = "/v1/lookup/50000001";
let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStage();
});

/** Returns the key shown in the dialog, and closes it. */
async function takeShown({ page }: Visit): Promise<string> {
  const dialog = page.getByRole("dialog", { name: "Your new key" });
  const key = await dialog.locator("pre.code").first().innerText();
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "I’ve saved it" }).click();
  await dialog.waitFor({ state: "detached" });
  return key;
}

function rowsOf({ page }: Visit, name: string, state: string): Locator {
  return page.locator(`[data-testid="key-${name}"][data-state="${state}"]`);
}

describe("keys", () => {
  it("are created with a name and shown once, in a dialog that a stray key press does not close", async () => {
    const visitor = await visit(fixture);
    await signUp(visitor, "make@fabel.example");
    await visitor.go("keys");
    await visitor.page.getByRole("button", { name: "New key" }).click();
    await visitor.page.getByRole("button", { name: "Create key" }).click();
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

  it("are revoked after a confirmation, and refused at once", async () => {
    const visitor = await visit(fixture);
    const key = await signUp(visitor, "revoke@fabel.example");
    await visitor.go("keys");
    await visitor.page.getByRole("button", { name: "Revoke: first key" }).click();
    const dialog = visitor.page.getByRole("dialog", { name: "Revoke “first key”?" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await call(fixture, key, LOOKUP)).status).toBe(200);
    await visitor.page.getByRole("button", { name: "Revoke: first key" }).click();
    await dialog.getByRole("button", { name: "Revoke key" }).click();
    await rowsOf(visitor, "first key", "revoked").waitFor();
    expect((await call(fixture, key, LOOKUP)).status).toBe(401);
  });

  thoroughIt("are replaced with an overlap in which both work, or immediately", async () => {
    const visitor = await visit(fixture);
    const first = await signUp(visitor, "roll@fabel.example");
    await visitor.go("keys");
    const roll = async (overlap: string) => {
      await visitor.page.getByRole("button", { name: "Replace: first key" }).click();
      await visitor.page.getByRole("radio", { name: overlap }).check();
      await visitor.page.getByRole("button", { name: "Replace key", exact: true }).click();
      return takeShown(visitor);
    };
    const second = await roll("1 hour");
    expect([
      (await call(fixture, first, LOOKUP)).status,
      (await call(fixture, second, LOOKUP)).status,
    ]).toEqual([200, 200]);
    await rowsOf(visitor, "first key", "ending").waitFor();
    const third = await roll("Stops immediately");
    expect([
      (await call(fixture, second, LOOKUP)).status,
      (await call(fixture, third, LOOKUP)).status,
    ]).toEqual([401, 200]);
    expect((await call(fixture, first, LOOKUP)).status).toBe(200);
    await rowsOf(visitor, "first key", "revoked").waitFor();
  });

  thoroughIt(
    "can be renamed, expire and be bound to addresses, each with its own error message",
    async () => {
      const visitor = await visit(fixture);
      const key = await signUp(visitor, "bounds@fabel.example");
      const { page } = visitor;
      await visitor.go("keys");
      const edit = async (name: string) => {
        await page.getByRole("button", { name: `Edit: ${name}` }).click();
        return page.getByRole("dialog", { name: `Edit “${name}”` });
      };
      const dialog = await edit("first key");
      await dialog.getByLabel("Name").fill("");
      await dialog.getByLabel("Expires on").fill("2020-01-01");
      await dialog.getByLabel("Allowed IP addresses").fill("192.0.2.0/24\nthe office");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("Give the key a name").waitFor();
      await dialog.getByText("Choose a day from today on").waitFor();
      await dialog.getByText("“the office” isn’t an IP address or network.").waitFor();
      await dialog.getByLabel("Name").fill("nightly job");
      const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
      await dialog.getByLabel("Expires on").fill(day);
      await dialog.getByLabel("Allowed IP addresses").fill("192.0.2.0/24\n2001:db8::/32");
      await dialog.getByRole("button", { name: "Save" }).click();
      const row = rowsOf(visitor, "nightly job", "live");
      await row.getByText("Only from 192.0.2.0/24 and 1 more").waitFor();
      expect(await row.innerText()).toMatch(/Expires \d+ \w+ \d{4}/);
      expect((await call(fixture, key, LOOKUP)).status).toBe(403);
      const again = await edit("nightly job");
      expect(await again.getByLabel("Expires on").inputValue()).toBe(day);
      await again.getByLabel("Expires on").fill("");
      await again.getByLabel("Allowed IP addresses").fill("127.0.0.0/8");
      await page.keyboard.press("Tab");
      await again.getByRole("button", { name: "Save" }).click();
      await row.getByText("Only from 127.0.0.0/8").waitFor();
      expect(await row.innerText()).not.toContain("Expires");
      expect((await call(fixture, key, LOOKUP)).status).toBe(200);
      await page.reload();
      // Shown to the minute, so the text contains a time of day.
      expect(await row.innerText()).toMatch(/\d{1,2}:\d{2}/);
      expect(visitor.troubles).toEqual([]);
    },
  );

  it("for browsers are bound to their websites, and a live key used in a page shows a warning", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    const live = await signUp(visitor, "shop@fabel.example");
    await visitor.go("keys");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("radio", { name: "Browser: for a web page" }).click();
    // On a small phone the button is far below the invalid field.
    await page.setViewportSize({ width: 320, height: 568 });
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText("Add at least one web address").waitFor();
    const focused = `(({ top, bottom }) => [document.activeElement.labels[0].textContent, top >= 0 && bottom <= innerHeight])(
      document.activeElement.getBoundingClientRect())`;
    await expect.poll(() => page.evaluate(focused)).toEqual([expect.stringContaining("Name"), true]);
    await page.getByLabel("Name").fill("shop");
    await page.getByRole("button", { name: "Create key" }).click();
    await expect
      .poll(() => page.evaluate(focused))
      .toEqual([expect.stringContaining("Websites that may use the key"), true]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByLabel("Websites that may use the key").fill("shop.example/checkout");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText("“shop.example/checkout” can’t be used.").waitFor();
    await page.getByLabel("Websites that may use the key").fill("https://shop.example");
    await page.getByLabel("Maximum tokens per day").fill("40");
    await page.getByRole("button", { name: "Create key" }).click();
    const key = await takeShown(visitor);
    expect(key).toMatch(/^opz_pub_/);
    const row = rowsOf(visitor, "shop", "live");
    await row.getByText("On https://shop.example").waitFor();
    await row.getByText("At most 40 tokens per day").waitFor();
    const from = async (origin: string, of: string) =>
      (
        await fetch(`${fixture.address}/v1/autocomplete?q=fabel`, {
          headers: { authorization: `Bearer ${of}`, origin },
        })
      ).status;
    expect(await from("https://shop.example", key)).toBe(200);
    expect(await from("https://elsewhere.example", key)).toBe(403);

    expect(await from("https://shop.example", live)).toBe(200);
    await expect
      .poll(async () => {
        await page.reload();
        return rowsOf(visitor, "first key", "live").innerText();
      })
      .toContain("Used in a browser at https://shop.example");
    expect(visitor.troubles).toEqual([]);
  });
});
