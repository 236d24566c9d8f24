/**
 * Every screen in both languages and colour schemes, on a phone and a desktop: accessible, and never wider than the
 * screen.
 */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { ViesSimulator } from "../../src/demo/vies/server.ts";
import { BAKERY } from "../kit/companies.ts";
import { opzoek } from "../kit/opzoek.ts";
import { variants } from "../kit/thorough.ts";
import { REGISTERED, startVies } from "../kit/vies.ts";
import { describeViolations, violationsOn } from "./support/axe.ts";
import {
  accountIdOf,
  call,
  openStage,
  type StoreFixture,
  signIn,
  signUp,
  type Visit,
  type Visitor,
  visit,
} from "./support/visit.ts";

const EMAIL = "everything@fabel.example";
const NAMES = "Naam;Plaats\nDubbelbron;\nZuurdesemhuis;\nVeer;Rijdam\n;\n";
const MEMBER_SCREENS = [
  "start",
  "try",
  "keys",
  "monitors",
  "calls",
  "usage",
  "plan",
  "settings",
  "status",
  "operator",
];
const VISITOR_SCREENS = ["", "status", "sign-in", "sign-up", "forgot"];
/**
 * Two visitors cover all four: contrast depends on the colours, and `overflow.thorough.test.ts` checks the widths in
 * both languages.
 */
const VISITORS: readonly (readonly [string, Visitor])[] = [
  ["in English, light, on a desktop", { locale: "en-US", colorScheme: "light", width: 1440 }],
  ["in Dutch, dark, on a phone", { locale: "nl-BE", colorScheme: "dark", width: 360 }],
];

let fixture: StoreFixture;
let vies: ViesSimulator;
/** The operator's page of the account. */
let account = "";
beforeAll(async () => {
  vies = await startVies({ companyOf: () => REGISTERED });
  fixture = await openStage({
    tiers: { free: { monthlyTokens: 60, ratePerMinute: 1_000 } },
    environment: { VIES_URL: vies.url, PUBLIC_SEARCH: "on" },
  });
  const visitor = await visit(fixture);
  const key = await signUp(visitor, EMAIL);
  for (const path of ["/v1/lookup/50000001?enrich=true", "/v1/search?q=fabel", "/v1/lookup/59999999"]) {
    await call(fixture, key, path);
  }
  const id = await accountIdOf(visitor);
  account = `operator/account/${id}`;
  await opzoek(["account", "admin", id], fixture.world.environment);
});

/** Returns by how many pixels the document is wider than the screen. */
const overflowOf = (page: Page) =>
  page.locator("html").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);

/** Adds up the unexpected layout shifts measured by the browser. */
const WATCH_SHIFTS = `globalThis.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifted += entry.value;
  }).observe({ type: "layout-shift", buffered: true });`;

/** The empty space of a badge. */
const EMPTY_SIDE = ".mantine-Tabs-tabSection:empty, .mantine-NavLink-section:empty";

/** A larger shift is noticeable (web.dev/cls). */
const MAX_SHIFT = 0.1;

async function expectGood({ page, troubles }: Visit, where: string): Promise<void> {
  await page.locator(".mantine-Skeleton-root").first().waitFor({ state: "detached" });
  expect(describeViolations(await violationsOn(page)), where).toEqual([]);
  expect(await page.locator(EMPTY_SIDE).count(), `${where} reserves space for a missing badge`).toBe(0);
  expect(await overflowOf(page), `${where} is wider than the screen`).toBeLessThanOrEqual(0);
  expect(troubles, where).toEqual([]);
}

describe.each(VISITORS)("%s", (_name, visitor) => {
  it("shows a visitor's screens accessibly and within the width", async () => {
    const seen = await visit(fixture, visitor);
    for (const screen of VISITOR_SCREENS) {
      await seen.go(screen);
      await expectGood(seen, screen);
    }
    expect(await seen.page.locator("html").getAttribute("lang")).toBe(visitor.locale?.slice(0, 2));
  });

  it("shows a member's and an operator's screens accessibly and within the width", async () => {
    const seen = await visit(fixture, visitor);
    const { page } = seen;
    await page.addInitScript(WATCH_SHIFTS);
    await signIn(seen, EMAIL);
    await page.getByTestId("remaining").waitFor();
    for (const screen of [...MEMBER_SCREENS, account]) {
      await page.evaluate("globalThis.shifted = 0");
      await page.goto(`/#/${screen}`);
      const [name] = screen.split("/");
      await page.locator(`nav a[href="#/${name}"][aria-current=page]`).waitFor({ state: "attached" });
      await expectGood(seen, screen);
      expect(await page.evaluate("globalThis.shifted"), `${screen} jumps`).toBeLessThanOrEqual(MAX_SHIFT);
      const tabs = page.getByRole("tab");
      for (let index = 1; index < (await tabs.count()); index += 1) {
        await tabs.nth(index).click();
        await expectGood(seen, `${screen}, tab ${index}`);
      }
    }
  });
});

/** One language shows whether the parts are good; the other one is tried in a thorough run. */
describe.each(variants(VISITORS, { ordinary: 1 }))("%s", (_name, visitor) => {
  it("shows results and dialogs accessibly and within the width", async () => {
    const seen = await visit(fixture, visitor);
    const { page } = seen;
    await signIn(seen, EMAIL);
    await page.getByTestId("remaining").waitFor();
    await page.goto("/#/try");
    await page.getByRole("combobox").fill("fabelkorst");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await expectGood(seen, "suggestions");
    await page.getByRole("combobox").fill(BAKERY);
    await page.getByRole("tabpanel").getByRole("button").nth(1).click();
    await page.getByTestId("company").waitFor();
    await page.locator("summary").first().click();
    await expectGood(seen, "a company");
    await page.goto("/#/try/search");
    await page.locator("input[maxlength='700']:not([role])").fill("proefbedrijf");
    await page.keyboard.press("Enter");
    await page.getByTestId("hit").first().waitFor();
    await expectGood(seen, "what a search found");
    await page.goto("/#/try/list");
    await page.reload();
    await page.locator("textarea").fill(`${BAKERY} 59999998\n06 12345678\n1234567`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByTestId("price").waitFor();
    await expectGood(seen, "a list before it starts");
    await page.getByTestId("plan").getByRole("button").first().click();
    await page.locator("[data-testid=run][data-phase=done]").waitFor();
    await expectGood(seen, "a list that is done");
    await page
      .getByTestId("run")
      .getByRole("button", { name: /^(Remove|Lijst)/ })
      .click();
    await page.getByRole("dialog").getByRole("button").last().click();
    await page.locator("textarea").fill(NAMES);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByTestId("plan").locator("summary").click();
    await page.getByTestId("price").waitFor();
    await expectGood(seen, "a list of names before it starts");
    await page.getByTestId("start").click();
    await page.locator("[data-testid=run][data-phase=done]").waitFor();
    await expectGood(seen, "a list of names that is done");
    await page.locator("[data-testid=row] button").first().click();
    await page.getByTestId("settle").waitFor();
    await expectGood(seen, "choosing the company of a row");
    await page.goto("/#/keys");
    await page.locator("[data-state=live] button").first().click();
    await page.locator("input[type=date]").waitFor();
    await expectGood(seen, "editing a key");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator("[data-state=live] button").nth(1).click();
    await page.getByRole("radio").first().waitFor();
    await expectGood(seen, "replacing a key");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator("[data-state=live] button").nth(2).click();
    await page.getByRole("dialog").waitFor();
    await expectGood(seen, "revoking a key");
    await page.goto("/#/operator");
    await page.getByRole("tabpanel").getByRole("button").first().click();
    await page.getByRole("dialog").locator("input[type=email]").waitFor();
    await expectGood(seen, "inviting someone");
    await page.getByRole("dialog").locator("button[type=submit]").click();
    await page.locator("pre.code", { hasText: "#invite=" }).waitFor();
    await expectGood(seen, "an invite");
  });
});

describe("the choice", () => {
  it("of language and colours is remembered, and both are offered in either language", async () => {
    const seen = await visit(fixture, { locale: "en-GB" });
    const { page } = seen;
    await seen.go("sign-in");
    await page.getByRole("button", { name: "Nederlands" }).click();
    await page.getByRole("heading", { name: "Welkom terug" }).waitFor();
    await page.getByRole("button", { name: "Donkere kleuren gebruiken" }).click();
    await page.reload();
    await page.getByRole("heading", { name: "Welkom terug" }).waitFor();
    const html = page.locator("html");
    expect(await html.getAttribute("lang")).toBe("nl");
    expect(await html.getAttribute("data-mantine-color-scheme")).toBe("dark");
    expect(await page.title()).toBe("Welkom terug · Opzoek");
    expect(seen.troubles).toEqual([]);
  });

  it("of a browser with neither language is English", async () => {
    const seen = await visit(fixture, { locale: "fi-FI" });
    await seen.go("sign-in");
    await seen.page.getByRole("heading", { name: "Welcome back" }).waitFor();
  });
});
