/** The docs page in a browser: accessible in both languages and colour schemes, with a search and live calls. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { GUIDE_NAMES } from "../../build/guides.ts";
import { textOf } from "../architecture/repository.ts";
import { BAKERY } from "../kit/companies.ts";
import { IS_THOROUGH } from "../kit/isThorough.ts";
import { thoroughIt, variants } from "../kit/thorough.ts";
import { describeViolations, violationsOn } from "./support/axe.ts";
import {
  call,
  openStage,
  type StoreFixture,
  signUp,
  type Visit,
  type Visitor,
  visit,
} from "./support/visit.ts";

/** The visitors, and whether axe checks their views: that is slow, so each colour scheme and width is checked once. */
const VISITORS: readonly (readonly [string, Visitor, boolean])[] = [
  ["English, light, on a desk", { locale: "en-GB", colorScheme: "light", width: 1440 }, IS_THOROUGH],
  ["Dutch, dark, on a phone", { locale: "nl-NL", colorScheme: "dark", width: 360 }, true],
  ["Dutch, light, on a tablet", { locale: "nl-NL", colorScheme: "light", width: 768 }, false],
  ["English, dark, on a small phone", { locale: "en-GB", colorScheme: "dark", width: 320 }, false],
];

const { paths } = JSON.parse(textOf("openapi.json")) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
const CALLS = Object.values(paths).flatMap((methods) =>
  Object.values(methods).map(({ operationId }) => `calls/${operationId}`),
);
const VIEWS = [
  "overview",
  ...GUIDE_NAMES.map((name) => `guides/${name}`),
  ...CALLS,
  "objects/Company",
  "objects/constructor",
];

/** Views that together contain every component of the page: axe takes a second for each. */
const OF_EACH_KIND = new Set([
  "overview",
  // Each guide is a document of its own, with any kind of table.
  ...GUIDE_NAMES.map((name) => `guides/${name}`),
  "calls/get-v1-lookup-kvkNumber",
  "calls/post-v1-lookup-batch",
  "calls/get-v1-search",
  "calls/get-v1-health",
  "calls/post-v1-jobs",
  "objects/Company",
  "objects/constructor",
]);

let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStage();
});

async function open({ page }: Visit, view: string): Promise<void> {
  await page.goto(`/docs/#/${view}`);
  await page.locator("h1").waitFor();
}

async function findings(page: Page): Promise<string[]> {
  return describeViolations(await violationsOn(page));
}

const overflowOf = (page: Page) =>
  page.locator("html").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);

/** Returns texts in the header that wrap although there is room for one line. */
const BROKEN_WORDS = `[...document.querySelectorAll("header span")].filter((element) => {
  const words = document.createRange();
  words.selectNodeContents(element);
  return element.childElementCount === 0 && words.getClientRects().length > 1;
}).map((element) => element.textContent)`;

/** Opens all collapsed parts, which must be accessible too. */
const UNFOLD = 'for (const fold of document.querySelectorAll("main details")) fold.open = true';

describe.each(variants(VISITORS, { ordinary: 2 }))("%s", (_name, visitor, isLookedThrough) => {
  it("shows every view accessibly and within the content security policy", async () => {
    const seen = await visit(fixture, visitor);
    const { page } = seen;
    await open(seen, "overview");
    expect(await page.locator("html").getAttribute("lang")).toBe(visitor.locale?.slice(0, 2));
    expect([...OF_EACH_KIND].filter((view) => !VIEWS.includes(view))).toEqual([]);
    for (const view of VIEWS) {
      await page.evaluate(`location.hash = "#/${view}"`);
      await page.locator("main h1:focus").waitFor({ timeout: 10_000 });
      await page.evaluate(UNFOLD);
      if (isLookedThrough && OF_EACH_KIND.has(view)) expect(await findings(page), view).toEqual([]);
      expect(await overflowOf(page), `${view} is wider than the screen`).toBeLessThanOrEqual(0);
    }
    expect(await page.evaluate(BROKEN_WORDS)).toEqual([]);
    expect(seen.troubles).toEqual([]);
  });
});

describe("the docs page", () => {
  it("makes a call with the reader's own key and shows its cost", async () => {
    const seen = await visit(fixture, { width: 360 });
    const { page } = seen;
    const key = await signUp(seen, "reader@fabel.example");
    await open(seen, "calls/get-v1-lookup-kvkNumber");
    const send = page.getByRole("button", { name: "Send" });
    await send.click();
    await page.getByTestId("outcome").getByText("UNAUTHORIZED").waitFor();
    await page.getByLabel("Your API key").fill(key);
    await page.getByLabel("kvkNumber (required)").fill(BAKERY);
    await page.getByLabel("enrich", { exact: true }).selectOption("true");
    await send.click();
    const outcome = page.getByTestId("outcome");
    await outcome.getByText(`"kvkNumber": "${BAKERY}"`).waitFor();
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await outcome.innerText()).toMatch(/Status 200 in [0-9,]+ ms · 5 tokens · 45 left this month/);
    // The example code contains the typed values, except the key.
    const program = page.getByRole("tabpanel");
    await page.getByRole("tab", { name: "Python" }).click();
    expect(await program.innerText()).toContain(`${fixture.address}/v1/lookup/${BAKERY}?enrich=true`);
    expect(await page.locator("body").innerText()).not.toContain(key);
    // The next call uses the same key; the next visit remembers the language but not the key.
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Look up many companies at once" }).click();
    await page.getByRole("heading", { level: 1, name: "Look up many companies at once" }).waitFor();
    await page.getByRole("button", { name: "Send" }).click();
    await outcome.getByText("tokensUsed").waitFor();
    await page.reload();
    await page.locator("h1").waitFor();
    expect(await page.getByLabel("Your API key").inputValue()).toBe("");
    expect(await page.getByRole("tab", { name: "Python" }).getAttribute("aria-selected")).toBe("true");
    await page.getByLabel("Body (JSON)").fill("{");
    await page.getByRole("button", { name: "Send" }).click();
    await outcome.getByText("UNAUTHORIZED").waitFor();
    expect(seen.troubles).toEqual([]);
  });

  thoroughIt("shows the autocomplete element in a working form in the reader's language", async () => {
    const seen = await visit(fixture, { width: 320, locale: "nl-NL", colorScheme: "dark" });
    const { page } = seen;
    const key = await signUp(seen, "typist@fabel.example");
    await open(seen, "guides/autocomplete");
    const company = page.getByRole("combobox", { name: "Bedrijf" });
    expect(await company.isDisabled()).toBe(true);
    await page.getByLabel("Uw API\u2011sleutel").fill(key);
    await company.pressSequentially("fabelkorst");
    await page.getByRole("option", { name: BAKERY }).waitFor();
    await page.keyboard.press("ArrowDown");
    expect(await findings(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByLabel("Straat").inputValue()).not.toBe("");
    await page.getByRole("button", { name: "Tonen wat het formulier verstuurt" }).click();
    const sent = await page.getByTestId("sent").innerText();
    expect(sent).toContain(`kvkNumber: ${BAKERY}\ncompany: Bakkerij De Fabelkorst B.V.`);
    expect(sent).toMatch(/^postalCode: [0-9]{4} [A-Z]{2}$/m);
    // One token for the typing session, one for the lookup.
    expect((await call(fixture, key, "/v1/usage")).body).toMatchObject({ tokens: { used: 2 } });
    expect(seen.troubles).toEqual([expect.stringContaining("has a live key")]);
  });

  it("finds words, parameters, fields and error codes with the keyboard alone", async () => {
    const seen = await visit(fixture);
    const { page } = seen;
    await open(seen, "overview");
    const search = page.getByRole("searchbox");
    const found = page.getByTestId("found");
    await search.fill("sbicode");
    await found.getByRole("link", { name: /sbiCode.*GET \/v1\/search/s }).waitFor();
    await search.fill("QUOTA_EXC");
    expect(await found.getByRole("link").first().innerText()).toContain("QUOTA_EXCEEDED");
    await found.getByRole("link").first().click();
    const errors = page.locator("h3#quota_exceeded");
    await expect.poll(async () => (await errors.boundingBox())?.y).toBeLessThan(300);
    await search.fill("maxAge");
    await found.getByRole("link", { name: /maxAge.*branches/s }).click();
    await expect
      .poll(async () => (await page.locator("#parameter-maxAge").boundingBox())?.y)
      .toBeLessThan(850);
    await search.fill("zzzz");
    await found.getByText("Nothing found").waitFor();
    await search.fill("consultation");
    await found.getByRole("link").first().waitFor();
    await search.press("Escape");
    expect(await search.inputValue()).toBe("");
    await search.fill("retries");
    await search.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Errors and retries" }).waitFor();
    expect(new URL(page.url()).hash).toBe("#/guides/errors");
    expect(await page.getByRole("navigation").locator("[aria-current=page]").innerText()).toBe(
      "Errors and retries",
    );
  });

  thoroughIt("describes the accepted formats of a list and its asynchronous response", async () => {
    const seen = await visit(fixture, { locale: "nl-NL" });
    await open(seen, "calls/post-v1-jobs");
    const { page } = seen;
    await page.getByText("Verstuurd als application/x-ndjson of text/csv").waitFor();
    await page.getByText("Status 200 of 202, JSON.").waitFor();
    await page.getByRole("navigation").getByText("Lijsten", { exact: true }).waitFor();
    await open(seen, "calls/get-v1-jobs-jobId-results");
    await page.getByText("Status 200 of 206, application/x-ndjson of text/csv.").waitFor();
  });

  thoroughIt("keeps the language and colours of the account page and links back to it", async () => {
    const seen = await visit(fixture, { locale: "en-GB" });
    const { page } = seen;
    await seen.go("sign-in");
    await page.getByRole("button", { name: "Nederlands" }).click();
    await page.getByRole("button", { name: "Donkere kleuren gebruiken" }).click();
    await page.goto("/docs");
    await page.getByRole("heading", { level: 1, name: "API\u2011documentatie" }).waitFor();
    const html = page.locator("html");
    expect(await html.getAttribute("data-mantine-color-scheme")).toBe("dark");
    expect(await page.title()).toBe("API\u2011documentatie · Opzoek");
    await page.getByRole("link", { name: "Terug naar Opzoek" }).first().click();
    await page.waitForURL(`${fixture.address}/`);
    await page.locator("h1").waitFor();
    expect(await html.getAttribute("lang")).toBe("nl");
  });

  thoroughIt("opens its contents on a phone and closes them with Escape or a choice", async () => {
    const seen = await visit(fixture, { width: 360 });
    const { page } = seen;
    await open(seen, "overview");
    const contents = page.getByRole("navigation", { name: "Contents" });
    const menu = page.getByRole("button", { name: "Menu" });
    expect(await contents.isVisible()).toBe(false);
    await menu.click();
    await contents.waitFor();
    await page.keyboard.press("Escape");
    await contents.waitFor({ state: "hidden" });
    await menu.click();
    await contents.getByRole("link", { name: "Limits" }).click();
    await page.getByRole("heading", { level: 1, name: "Limits" }).waitFor();
    expect(await contents.isVisible()).toBe(false);
  });
});
