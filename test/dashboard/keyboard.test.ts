/** Everything works with the keyboard alone, and the focus is always visible. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { thoroughDescribe } from "../kit/thorough.ts";
import { openStage, PASSWORD, type StoreFixture, signUp, visit } from "./support/visit.ts";

const MAX_STEPS = 60;
let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStage();
});

/** Returns the accessible name of the focused element, as far as the tests need it. */
const focusedName = (page: Page) =>
  page
    .locator(":focus")
    .first()
    .evaluate((element) => element.getAttribute("aria-label") ?? element.textContent ?? "", undefined, {
      timeout: 2_000,
    })
    .catch(() => "");

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const fits = (text: string) => (typeof name === "string" ? text.trim() === name : name.test(text.trim()));
  const seen: string[] = [];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    await page.keyboard.press("Tab");
    const text = await focusedName(page);
    if (fits(text)) return expectVisibleFocus(page, text);
    seen.push(text.slice(0, 30));
  }
  throw new Error(`Tab never reaches ${name}; it went to ${seen.join(" | ")}`);
}

async function expectVisibleFocus(page: Page, name: string): Promise<void> {
  const style = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
  expect(style, `${name} shows no focus`).toBe("solid");
}

/** Presses Tab until a field of this kind has the focus, and types into it. */
async function typeInto(page: Page, autocomplete: string, text: string): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    await page.keyboard.press("Tab");
    if ((await page.locator(`:focus[autocomplete=${autocomplete}]`).count()) === 1) {
      await page.keyboard.type(text);
      return;
    }
  }
  throw new Error(`Tab never reaches the field ${autocomplete}`);
}

/** Returns the part of the page that has the focus. */
const WHERE = `(() => {
  const focused = document.activeElement;
  if (focused.closest(".mantine-AppShell-navbar") !== null) return "menu";
  return focused.closest("header") !== null ? "header" : "elsewhere";
})()`;

thoroughDescribe("the keyboard alone", () => {
  it("is enough to sign up, make a call, create a key, request a plan, switch the language and sign out", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    await visitor.go("sign-in");
    await page.reload();
    await page.getByRole("heading", { name: "Welcome back" }).waitFor();
    await tabTo(page, "Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.locator("main:focus").count()).toBe(1);
    await tabTo(page, "Create account");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Create account" }).waitFor();
    await typeInto(page, "username", "keyboard@fabel.example");
    await typeInto(page, "new-password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Welcome to Opzoek" }).waitFor();

    await tabTo(page, "Make the call");
    await page.keyboard.press("Enter");
    await page.getByText("This cost 1 token.").waitFor();

    await tabTo(page, "Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.locator(":focus").getAttribute("id")).toBe("content");
    await page.keyboard.press("Shift+Tab");

    await page.reload();
    await page.getByRole("heading", { name: "Start", level: 1 }).waitFor();
    await tabTo(page, "Keys");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
    expect(await focusedName(page)).toBe("Keys");
    await tabTo(page, "New key");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").locator("input:focus").waitFor();
    await page.keyboard.type("by hand");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Your new key" }).waitFor();
    await tabTo(page, "I’ve saved it");
    await page.keyboard.press("Enter");
    await page.locator('[data-testid="key-by hand"]').waitFor();
    await expect.poll(() => focusedName(page)).toBe("New key");
    await tabTo(page, "Revoke: by hand");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focusedName(page)).toBe("Revoke: by hand");

    await visitor.go("try");
    await page.getByRole("heading", { name: "Try it", level: 1 }).waitFor();
    await tabTo(page, "Company");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name: "Search", selected: true }).waitFor();
    expect(page.url()).toMatch(/#\/try\/search$/);
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name: "List", selected: true }).waitFor();
    expect(page.url()).toMatch(/#\/try\/list$/);
    await page.goBack();
    await page.getByRole("tab", { name: "Search", selected: true }).waitFor();
    await page.goBack();
    await page.getByRole("tab", { name: "Company", selected: true }).waitFor();
    await visitor.go("try/vat");
    await page.getByRole("tab", { name: "VAT number", selected: true }).waitFor();

    await visitor.go("plan");
    await tabTo(page, "Request this plan: Pro");
    await page.keyboard.press("Enter");
    await page.getByText(/^You requested Pro on/).waitFor();

    await page.reload();
    await page.getByRole("heading", { name: "Plan", level: 1 }).waitFor();
    await tabTo(page, "Nederlands");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Abonnement", level: 1 }).waitFor();
    await tabTo(page, "Uitloggen");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Welkom terug" }).waitFor();
    expect(visitor.troubles).toEqual([]);
  });

  it("opens the menu of a phone, stays in it, and closes it by Escape or by going somewhere", async () => {
    const visitor = await visit(fixture, { width: 360 });
    const { page } = visitor;
    await page.goto("/#/sign-up");
    // Before that Tab finds nothing, however often it is pressed.
    await page.getByRole("heading", { name: "Create account" }).waitFor();
    await typeInto(page, "username", "phone@fabel.example");
    await typeInto(page, "new-password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Welcome to Opzoek" }).waitFor();
    await tabTo(page, "Menu");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Menu", expanded: true }).waitFor();
    const inMenu = new Set<string>();
    for (let step = 0; step < 30; step += 1) {
      await page.keyboard.press("Tab");
      inMenu.add(await page.evaluate<string>(WHERE));
    }
    expect([...inMenu].sort()).toEqual(["header", "menu"]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Menu", expanded: false }).waitFor();
    expect(await focusedName(page)).toBe("Menu");
    const elsewhere = new Set<string>();
    for (let step = 0; step < 6; step += 1) {
      await page.keyboard.press("Tab");
      elsewhere.add(await page.evaluate<string>(WHERE));
    }
    expect([...elsewhere]).not.toContain("menu");
    const motion = "getComputedStyle(document.querySelector('.mantine-AppShell-navbar')).transitionProperty";
    expect(await page.evaluate(motion)).toBe("none");
    await tabTo(page, "Menu");
    await page.keyboard.press("Enter");
    await tabTo(page, "Usage");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Menu", expanded: false }).waitFor();
  });
});

/** Selects everything that Tab should reach; in a group of radios or tabs, only the selected one. */
const USABLE =
  "a[href], button:not([disabled]):not([tabindex='-1']), input:not([disabled]):not([type=file]):not([type=radio]:not(:checked)), select, textarea, summary, [role=tab][tabindex='0']";

/** Marks elements that get the focus, to compare them with the expected ones. */
const WATCH = `addEventListener("focusin", (event) => event.target.setAttribute("data-reached", ""))`;

const MISSED = `[...document.querySelectorAll(${JSON.stringify(USABLE)})]
  .filter((element) => element.checkVisibility() && !element.hasAttribute("data-reached"))
  .map((element) => element.outerHTML.slice(0, 120))`;

describe("Tab", () => {
  it("reaches every control on every screen", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    await page.addInitScript(WATCH);
    await signUp(visitor, "everything@fabel.example");
    for (const screen of [
      "start",
      "try",
      "keys",
      "monitors",
      "monitors/events",
      "usage",
      "plan",
      "settings",
      "status",
    ]) {
      await page.goto(`/#/${screen}`);
      await page.locator(`nav a[href="#/${screen.split("/")[0]}"][aria-current=page]`).waitFor();
      await page.locator(".mantine-Skeleton-root").first().waitFor({ state: "detached" });
      for (let step = 0; step < MAX_STEPS; step += 1) await page.keyboard.press("Tab");
      expect(await page.evaluate(MISSED), screen).toEqual([]);
    }
  });
});
