/** Lists of names in a real browser: from the file, through the choices of a person, to the file with columns added. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { demoCompanies } from "../../src/demo/registry/generateCompanies.ts";
import { companyFacts } from "../kit/registry.ts";
import { thoroughDescribe } from "../kit/thorough.ts";
import { describeViolations, violationsOn } from "./support/axe.ts";
import { downloaded, enterLists, startKeyOf, usedBy } from "./support/lists.ts";
import {
  accountIdOf,
  openStage,
  type StoreFixture,
  signIn,
  signUp,
  type Visitor,
  visit,
} from "./support/visit.ts";

const visiting = (city: string, street = "Lijstweg") => ({
  ...{ kind: "visiting" as const, street, houseNumber: "1", postalCode: "1234 AB" },
  ...{ city, country: "NL" },
});
/** Pairs of companies of one name, in addition to the companies of the demo. */
const TWINS = [
  companyFacts(9_000_002, { name: "Veerdienst Hollandsdiep B.V.", address: visiting("Rijdam", "Veerkade") }),
  companyFacts(9_000_003, { name: "Veerdienst Hollandsdiep B.V.", address: visiting("Zwolle", "Kaai") }),
  companyFacts(9_000_004, { name: "Postduif Logistiek B.V.", address: visiting("Utrecht", "Duivenplein") }),
  companyFacts(9_000_005, { name: "Postduif Logistiek B.V.", address: visiting("Breda", "Tilplein") }),
];
/** Of those of the demo. */
const COMPANIES = 2_000;
const FILE = [
  "Klantnr;Bedrijfsnaam;Woonplaats;Omzet",
  "K1;Bakkerij de Goude Korenaar;Amsterdam;10",
  "K2;Veerdienst Hollandsdiep;;20",
  "K3;Onvindbaar Sterrenstof Observatorium;Leiden;30",
  "K4;Postduif Logistiek;;=1+1",
  "K5;;;50",
  "K6;Veerdienst Hollandsdiep BV;;60",
].join("\r\n");

let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStage({
    companies: [
      ...demoCompanies().take(COMPANIES),
      ...TWINS.map((facts) => ({ origin: "demo", asOf: "2026-01-01T00:00:00.000Z", facts })),
    ],
    tiers: { free: { monthlyTokens: 1_000, ratePerMinute: 10_000 } },
    environment: { PAGE_CALLS_PER_MINUTE: "10000" },
  });
});

const enter = (email: string, visitor?: Visitor) => enterLists(fixture, email, visitor);

const choose = (page: Page, text: string, name = "klanten.csv") =>
  page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
const field = (page: Page, label: string) => page.getByTestId("plan").getByLabel(label, { exact: true });
const column = (page: Page, label: string) => field(page, label).locator("option:checked").innerText();
const left = (page: Page, text: string) =>
  page.getByTestId("left").getByText(text, { exact: true }).waitFor();

describe("a list of names", () => {
  it("is previewed, matched, settled by keyboard, kept over a reload and returned with columns added", async () => {
    const seen = await enter("names@fabel.example", { locale: "en-GB" });
    const { page } = seen;
    await choose(page, FILE);
    expect(await column(page, "Company name")).toBe("Bedrijfsnaam");
    expect(await column(page, "City")).toBe("Woonplaats");
    expect(await column(page, "Postal code")).toBe("No column");
    await page.getByText("Uses 5 of the 1,000 tokens you have left this month.").waitFor();
    await page.getByText("Rows without a name").waitFor();

    await page.getByRole("button", { name: "Preview 5 rows (5 tokens)" }).click();
    const preview = page.getByTestId("preview-row");
    await preview.first().waitFor();
    expect(await preview.evaluateAll((rows) => rows.map((row) => row.getAttribute("data-state")))).toEqual([
      "matched",
      "ambiguous",
      "none",
      "ambiguous",
      "ambiguous",
    ]);
    expect(await usedBy(page)).toBe(5);
    await page.getByText("Uses 0 of the 995 tokens you have left this month.").waitFor();

    await page.getByRole("button", { name: "Complete list" }).click();
    await page.getByText("The list is done. Choose the right company for 3 rows.").waitFor();
    // Every row is in the preview, and is not charged again.
    expect(await usedBy(page)).toBe(5);
    await page.getByRole("button", { name: "Check 3 rows" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: /^Row 2: Veerdienst/ }).waitFor();
    expect(describeViolations(await violationsOn(page))).toEqual([]);
    await left(page, "3 rows left to check");
    // The focus is on the first candidate; the arrow leads to the second.
    await page.keyboard.press("ArrowRight");
    const second = await page.locator(":focus").innerText();
    expect(second).toContain("Veerdienst Hollandsdiep B.V.");
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: /^Row 4: Postduif/ }).waitFor();
    await page.keyboard.press("n");
    await page.getByRole("group", { name: /^Row 6: Veerdienst/ }).waitFor();
    await page.keyboard.press("u");
    await page.getByRole("group", { name: /^Row 4: Postduif/ }).waitFor();
    await left(page, "2 rows left to check");
    await page.keyboard.press("j");
    await page.getByRole("group", { name: /^Row 6: Veerdienst/ }).waitFor();
    await page.keyboard.press("k");
    await page.getByRole("group", { name: /^Row 4: Postduif/ }).waitFor();
    await page.keyboard.press("0");
    await page.getByRole("group", { name: /^Row 6: Veerdienst/ }).waitFor();
    await page.keyboard.press("1");
    await page.getByText("You have checked every row.").waitFor();
    await page.locator(":focus", { hasText: "Choose the right company" }).waitFor();
    await page.getByRole("button", { name: "Back to the list" }).click();
    await page.getByText("The list is done.", { exact: true }).waitFor();

    await page.reload();
    await page.getByText("The list is done.", { exact: true }).waitFor();
    await page.getByLabel("Show").selectOption("chosen");
    await expect.poll(() => page.getByTestId("row").count()).toBe(3);
    const { name, content } = await downloaded(page, "Download as CSV");
    expect(name).toBe("klanten-opzoek.csv");
    const lines = content.toString("utf8").split("\r\n");
    const chosenNumber = /KVK (\d{8})/.exec(second)?.[1] ?? "";
    expect(lines[0]).toBe(
      "\uFEFFKlantnr,Bedrijfsnaam,Woonplaats,Omzet,Match,KVK number,Name,City,Score,Chosen by a person,Explanation",
    );
    expect(lines[1]).toMatch(
      /^K1,Bakkerij de Goude Korenaar,Amsterdam,10,Matched,51234567,Bakkerij De Gouden Korenaar B\.V\.,Amsterdam,\d+(\.\d)?,,$/,
    );
    expect(lines[2]).toMatch(
      new RegExp(`^K2,[^,]+,,20,Matched,${chosenNumber},Veerdienst Hollandsdiep B\\.V\\.,\\w+,[\\d.]+,yes,$`),
    );
    expect(lines[3]).toMatch(/^K3,[^,]+,Leiden,30,No match,,,,,,The company is probably not/);
    expect(lines[4]).toBe("K4,Postduif Logistiek,,'=1+1,No match,,,,,yes,");
    expect(lines[5]).toMatch(/^K5,,,50,Skipped,,,,,,"This row needs a name/);
    expect(lines[6]).toMatch(/^K6,[^,]+,,60,Matched,5900000\d,.*,yes,$/);
    expect(await usedBy(page)).toBe(5);
    expect(seen.troubles).toEqual([]);
  });

  it("can be read in another way: other columns, and no header row", async () => {
    const seen = await enter("columns@fabel.example", { locale: "nl-NL", width: 360 });
    const { page } = seen;
    await choose(page, "wie;waar;nr\nVeerdienst Hollandsdiep;Rijdam;1\nPostduif Logistiek;Breda;2\n");
    expect(await column(page, "Bedrijfsnaam")).toBe("A");
    await page.getByText("Gebruikt 3 van").waitFor();
    await page.getByLabel("De lijst heeft kolomtitels").check();
    await page.getByText("Gebruikt 2 van").waitFor();
    await field(page, "Bedrijfsnaam").selectOption("Geen kolom");
    await page.getByText("We hebben in deze lijst geen KVK\u2011nummers en geen namen gevonden.").waitFor();
    await field(page, "Bedrijfsnaam").selectOption("wie");
    await field(page, "Plaats").selectOption("waar");
    await field(page, "KVK\u2011nummer").selectOption("nr");
    await page.getByText("In 2 rijen staat iets anders dan een KVK\u2011nummer").waitFor();
    await page.getByRole("button", { name: "Lijst aanvullen" }).click();
    await page.getByText("De lijst is klaar").waitFor();
    expect(seen.troubles).toEqual([]);
  });
});

thoroughDescribe("a running list of names", () => {
  it("is matched and charged once, though the page is closed before the service responds, and paused", async () => {
    const { page } = await enter("lost@fabel.example");
    const { promise: isStarted, resolve: started } = Promise.withResolvers<void>();
    const keys: string[] = [];
    await page.route("**/account/try/list?**", async (route) => {
      keys.push(startKeyOf(route) ?? "");
      if (keys.length > 1) return route.continue();
      // The service accepts the list, but its response never arrives.
      await route.fetch();
      started();
    });
    await choose(
      page,
      ["Naam", ...Array.from({ length: 500 }, (_, index) => `Veerdienst ${index}`)].join("\n"),
    );
    await page.getByRole("button", { name: "Complete list" }).click();
    await isStarted;
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await page.reload();
    await page.getByText("500 of 500 processed").waitFor();
    expect(new Set(keys).size).toBe(1);
    expect(keys.length).toBeGreaterThan(1);
    expect(await usedBy(page)).toBe(500);
    await page.getByRole("button", { name: "Sign out" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign out and delete your list?" });
    await dialog.getByRole("button", { name: "Sign out and delete" }).click();
    await expect.poll(() => page.evaluate("indexedDB.databases().then((all) => all.length)")).toBe(0);
  });

  it("waits for tokens when the allowance is used up, and shows the results so far", async () => {
    const { page } = await enter("spent@fabel.example");
    await choose(
      page,
      ["Naam", ...Array.from({ length: 1_200 }, (_, index) => `Veerdienst ${index}`)].join("\n"),
    );
    await page.getByText("That is not enough for the whole list").waitFor();
    await page.getByRole("button", { name: "Complete list" }).click();
    await page.getByText("Your tokens have run out.").waitFor();
    await page.getByText("1,000 of 1,200 processed").waitFor();
    await page.context().clearCookies();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Welcome back" }).waitFor();
    await signIn({ page, troubles: [], go: async () => {} }, "spent@fabel.example");
    await page.goto("/#/try/list");
    await page.getByText("1,000 of 1,200 processed").waitFor();
  });
});

describe("a list that an earlier version of the page stored", () => {
  it("is still shown with its results", async () => {
    const seen = await visit(fixture);
    const { page } = seen;
    await signUp(seen, "earlier@fabel.example");
    await page.evaluate(storeVersion2(await accountIdOf(seen)));
    await page.goto("/#/try/list");
    await page.getByText("The list is done.").waitFor();
    await page.getByRole("cell", { name: "Veer B.V." }).waitFor();
    expect((await downloaded(page, "Download as CSV")).content.toString("utf8")).toContain(
      "50000001,50000001,Veer B.V.,,Rijdam,yes,Found,",
    );
    expect(seen.troubles).toEqual([]);
  });
});

/** Stores a finished list of one number as version 2 of the database did. */
const storeVersion2 = (accountId: string) => `new Promise((done, failed) => {
  const opening = indexedDB.open("opzoek-lists", 2);
  opening.onupgradeneeded = () =>
    opening.result.createObjectStore("lists", { keyPath: "accountId" }).createIndex("expiresAtMs", "expiresAtMs");
  opening.onerror = () => failed(opening.error);
  opening.onsuccess = () => {
    const database = opening.result;
    const transaction = database.transaction("lists", "readwrite");
    const address = { city: "Rijdam" };
    transaction.objectStore("lists").put({
      accountId: "${accountId}", name: "oud.csv", bytes: new TextEncoder().encode("kvk\\n50000001\\n"),
      sheet: 0, column: 0, headRow: 0, completes: true, isEverything: false, spent: 1,
      answers: [{ number: "50000001", result: { kvkNumber: "50000001", name: "Veer B.V.", isActive: true, address } }],
      expiresAtMs: Date.now() + 86400000,
    });
    transaction.oncomplete = () => { database.close(); done(); };
  };
})`;
