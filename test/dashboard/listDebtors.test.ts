/** A list of debtors, with numbers in some rows and names in the others, in a real browser: from upload to download. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { demoCompanies } from "../../src/demo/registry/generateCompanies.ts";
import { companyFacts } from "../kit/registry.ts";
import { describeViolations, violationsOn } from "./support/axe.ts";
import { type Debtor, debtorList, debtors } from "./support/debtorList.ts";
import { downloaded, enterLists, usedBy } from "./support/lists.ts";
import { accountIdOf, openStage, type StoreFixture, signUp, visit } from "./support/visit.ts";

/** Of those of the demo. */
const COMPANIES = 2_000;
const TOKENS = 1_000;
const UNKNOWN = 2;
const NUMBERS = 45 + UNKNOWN;
const NAMES = 65 + 3;
const LINES = 3 + NUMBERS + NAMES + 2;

/** Rows that need a person: without a match, ambiguous, and with a number that the registry lacks. */
const OTHERS: readonly Debtor[] = [
  { written: "Onvindbaar Sterrenstof Observatorium", city: "Leiden", kvkNumber: "", hasNumber: false },
  { written: "Onvindbaar Nachtlicht (10432)", kvkNumber: "", hasNumber: false },
  { written: "Veerdienst Hollandsdiep", kvkNumber: "n.v.t.", hasNumber: true },
  { written: "Onbekend Een", kvkNumber: "59999991", hasNumber: true },
  { written: "Onbekend Twee", kvkNumber: "59999992", hasNumber: true },
];

let fixture: StoreFixture;
beforeAll(async () => {
  const twins = [1, 2, 3, 4, 5].map((number) => ({
    origin: "demo",
    asOf: "2026-01-01T00:00:00.000Z",
    facts: companyFacts(9_900_000 + number, {
      name: "Veerdienst Hollandsdiep B.V.",
      address: { kind: "visiting", city: `Veerdam ${number}`, country: "NL" },
    }),
  }));
  fixture = await openStage({
    companies: [...demoCompanies().take(COMPANIES), ...twins],
    tiers: { free: { monthlyTokens: TOKENS, ratePerMinute: 10_000 } },
    environment: { PAGE_CALLS_PER_MINUTE: "10000" },
  });
});

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const choose = async (page: Page) => {
  const buffer = Buffer.from(await debtorList(OTHERS));
  await page.locator("input[type=file]").setInputFiles({ name: "debiteuren.xlsx", mimeType: XLSX, buffer });
};
const fact = (page: Page, name: string) => page.locator("dl.facts > div", { hasText: name }).locator("dd");
const box = (page: Page) => page.getByRole("combobox", { name: "Name or KVK number" });

describe("a list of debtors with numbers and names", () => {
  it("is looked up and matched, settled by search and by number, monitored and returned", async () => {
    const seen = await enterLists(fixture, "debtors@fabel.example", { locale: "en-GB" });
    const { page } = seen;
    await choose(page);
    await page.getByText(`Uses up to ${NUMBERS + NAMES} of`).waitFor();
    expect(await fact(page, "KVK numbers to look up").innerText()).toBe(String(NUMBERS));
    expect(await fact(page, "Rows without a KVK number").innerText()).toBe(String(NAMES));
    expect(await fact(page, "Rows to skip").innerText()).toBe("1");

    await page.getByRole("button", { name: "Preview 10 rows (10 tokens)" }).click();
    await page.getByTestId("preview-row").first().waitFor();
    const previewed = await page.getByTestId("preview-row").locator("td:first-child").allInnerTexts();
    expect(previewed).toHaveLength(10);
    expect(previewed.some((text) => text.includes("Onvindbaar"))).toBe(true);
    expect(await usedBy(page)).toBe(10);
    await page
      .getByText(`Uses up to ${NUMBERS + NAMES - 10} of the 990 tokens you have left this month.`)
      .waitFor();
    expect(describeViolations(await violationsOn(page))).toEqual([]);

    // The results are still there after a visit to another screen, and are not charged again.
    await seen.go("keys");
    await page.goBack();
    await page.getByTestId("preview-row").first().waitFor();
    await page.getByTestId("start").click();
    await page.locator("[data-testid=run][data-phase=done]").waitFor();
    const charged = NUMBERS - UNKNOWN + NAMES;
    expect(await usedBy(page)).toBe(charged);
    expect(await fact(page, "Tokens spent").first().innerText()).toBe(String(charged));
    expect(await fact(page, "Found").first().innerText()).toBe(String(NUMBERS - UNKNOWN));
    expect(await fact(page, "Rows to skip").innerText()).toBe("1");
    const show = page.getByLabel("Show");
    await show.selectOption({ label: "Skipped (1)" });
    await page.getByText("This row adds up amounts; it isn't a company.").waitFor();
    await show.selectOption("found");
    // The own name stands next to the registry's.
    const first = debtors().find(({ hasNumber }) => hasNumber);
    await page.getByRole("row", { name: new RegExp(`${first?.written}.*${first?.kvkNumber}`) }).waitFor();

    // Not found: searched for, and back by the browser's own button.
    await show.selectOption("none");
    await page
      .getByText(/Searched: [\d,]+ companies \(Demo \(fictional companies\)\)\./)
      .first()
      .waitFor();
    const none = await page.getByTestId("row").count();
    await page
      .getByRole("button", { name: /^Find row/ })
      .first()
      .click();
    await box(page).waitFor();
    expect(page.url()).toMatch(/#\/try\/list\/\d+$/);
    await page.goBack();
    await page.locator("[data-testid=run]").waitFor();
    await page.goForward();
    await page.getByText(`${none} rows left to check`).waitFor();
    expect(describeViolations(await violationsOn(page))).toEqual([]);
    const before = await usedBy(page);
    await box(page).fill("goude korenaar");
    await page.getByRole("option", { name: /Gouden Korenaar/ }).click();
    await page.getByRole("button", { name: /^Choose this company: Bakkerij De Gouden Korenaar/ }).click();
    await page.getByText(`${none - 1} row`).waitFor();
    await box(page).fill("5990 0001");
    await page.getByRole("button", { name: "Look up and choose (1 token)" }).click();
    await page
      .getByText(/0 rows left|You have checked every row|rows? left/)
      .first()
      .waitFor();
    expect((await usedBy(page)) - before).toBe(2);
    await page.getByRole("button", { name: "Back to the list" }).click();

    // Ambiguous: more candidates than a list returns.
    await page.getByLabel("Show").selectOption("ambiguous");
    const twin = page.getByRole("row", { name: /Veerdienst Hollandsdiep/ }).first();
    await twin.getByRole("button", { name: /^Check/ }).click();
    await expect.poll(() => page.locator("[data-option]").count()).toBe(4);
    await page.getByRole("button", { name: "Show more candidates (1 token)" }).click();
    await expect.poll(() => page.locator("[data-option]").count()).toBe(6);
    await page.getByRole("button", { name: /Veerdam 5/ }).click();
    await page.getByRole("button", { name: "Back to the list" }).click();

    await page.reload();
    await page.getByLabel("Show").selectOption("chosen");
    await expect.poll(() => page.getByTestId("row").count()).toBe(3);
    const { content } = await downloaded(page, "Download as CSV");
    const lines = content.toString("utf8").split("\r\n");
    expect(lines).toHaveLength(LINES + 1);
    expect(lines[3]).toMatch(
      /^00040,Houtzagerij De Oude Wind,,Zaandam,.*,09876543,Houtzagerij De Oude Wind,/,
    );
    const chosen = lines.filter((line) => /,yes(?:,[^,]*)?$/.test(line));
    expect(chosen.map((line) => /,([0-9]{8}),/.exec(line.slice(line.indexOf(",", 20)))?.[1]).sort()).toEqual(
      ["51234567", "59900001", "59900005"].sort(),
    );

    const monitor = page.getByRole("button", { name: /^Monitor \d+ companies$/ });
    const count = Number(/\d+/.exec(await monitor.innerText())?.[0]);
    await monitor.click();
    await page
      .getByRole("dialog", { name: `Monitor ${count} companies?` })
      .getByRole("button", { name: "Monitor companies" })
      .click();
    await page.getByText(`Companies that are monitored: ${count}.`).waitFor();
    expect(seen.troubles).toEqual([]);
  });

  it("leaves tokens for keys, until the person lets it use them", async () => {
    const { page } = await enterLists(fixture, "leave@fabel.example");
    await choose(page);
    await page.getByText(`Uses up to ${NUMBERS + NAMES} of`).waitFor();
    const kept = page.getByLabel("Tokens to keep for other use");
    await kept.fill("");
    await kept.pressSequentially("-940");
    await page.getByText("Uses up to 60 of the 1,000 tokens you have left this month.").waitFor();
    await page.getByText("That is not enough for the whole list").waitFor();
    await page.getByTestId("start").click();
    await page.getByText("Paused: the list has used all tokens except those you keep.").waitFor();
    expect(await usedBy(page)).toBe(60);
    await page.reload();
    await page.getByText("Paused: the list has used all tokens except those you keep.").waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.locator("[data-testid=run][data-phase=done]").waitFor();
    expect(await usedBy(page)).toBe(NUMBERS - UNKNOWN + NAMES);
  });

  it("that was pasted is still there when another list is chosen", async () => {
    const { page } = await enterLists(fixture, "paste@fabel.example");
    const text = "Veerdienst Hollandsdiep\n51234567\nOnvindbaar";
    await page.locator("textarea").fill(text);
    await page.getByRole("button", { name: "Read list" }).click();
    await page.getByText("Uses up to 3 of").waitFor();
    await page.getByRole("button", { name: "Choose another list" }).click();
    expect(await page.locator("textarea").inputValue()).toBe(text);
  });
});

describe("a list that a previous version of the page stored", () => {
  it.each([
    [
      "of numbers",
      { kind: "lookup", column: 0, headRow: 0, by: "name", completes: true },
      ["basic", "50000001", { kvkNumber: "50000001", name: "Veer B.V.", isActive: true, address: {} }],
    ],
    [
      "of names, with a number",
      { kind: "match", columns: { kvkNumber: 0, name: 1 }, headRow: 0 },
      [
        "match",
        "1",
        {
          decision: "matched",
          candidates: [{ kvkNumber: "50000001", name: "Veer B.V.", match: true, score: 99.7 }],
        },
      ],
    ],
  ] as const)("is shown with its results: %s", async (what, reading, [adds, key, result]) => {
    const seen = await visit(fixture);
    const { page } = seen;
    await signUp(seen, `${what.length}@fabel.example`);
    const list = { name: "oud.csv", sheet: 0, reading, adds, spent: 1, answered: 1 };
    await page.evaluate(storeVersion3(await accountIdOf(seen), list, [{ key, result }]));
    await page.goto("/#/try/list");
    await page.getByText("The list is done.").waitFor();
    await page.getByRole("cell", { name: "Veer B.V.", exact: true }).waitFor();
    if (adds === "match") await page.getByText("Score 99%").waitFor();
    expect(seen.troubles).toEqual([]);
  });
});

/** Stores a finished list as version 3 of the database did. */
const storeVersion3 = (
  accountId: string,
  list: object,
  answers: readonly object[],
) => `new Promise((done, failed) => {
  const opening = indexedDB.open("opzoek-lists", 3);
  opening.onupgradeneeded = () => {
    const { result } = opening;
    result.createObjectStore("lists", { keyPath: "accountId" }).createIndex("expiresAtMs", "expiresAtMs");
    for (const name of ["answers", "choices"]) result.createObjectStore(name);
  };
  opening.onerror = () => failed(opening.error);
  opening.onsuccess = () => {
    const database = opening.result;
    const transaction = database.transaction(["lists", "answers"], "readwrite");
    const bytes = new TextEncoder().encode("kvk;naam\\n50000001;Veer\\n");
    const expiresAtMs = Date.now() + 86400000;
    transaction.objectStore("lists").put({ ...${JSON.stringify(list)}, accountId: "${accountId}", bytes, expiresAtMs });
    transaction.objectStore("answers").put(${JSON.stringify(answers)}, ["${accountId}", 0]);
    transaction.oncomplete = () => { database.close(); done(); };
  };
})`;
