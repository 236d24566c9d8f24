/** OpenRefine with a service: in a browser, and over the rate limit. */
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { SourcedFacts } from "../../src/company/facts.ts";
import { launchChromium } from "../dashboard/support/chromium.ts";
import { afterFile } from "../kit/afterFile.ts";
import { kvkNumber } from "../kit/companies.ts";
import { describeWith } from "../kit/needs.ts";
import { serveHere } from "../kit/serveHere.ts";
import { makeWorld, PLENTY } from "../kit/world.ts";
import { chooseInMenu, INSTALLED, type OpenRefine, startOpenRefine } from "./openRefine.ts";

const ROWS = 500;
/** Rows that the page shows. */
const SHOWN = 10;
/** Rows with a name that two companies in the same city share. */
const AMBIGUOUS = [3, 7];
const SYLLABLES = ["ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu"];

/** A different name for each row. */
const nameOf = (row: number) =>
  `Fabel${[...String(row).padStart(3, "0")].map((digit) => SYLLABLES[Number(digit)] ?? "").join("")} Verzinsels`;
const numberOf = (row: number, twin: number) => kvkNumber(String(54_000_000 + row * 10 + twin));

const company = (row: number, twin: number): SourcedFacts => ({
  origin: "import:fabel",
  asOf: "2026-01-01T00:00:00.000Z",
  facts: {
    kvkNumber: numberOf(row, twin),
    name: `${nameOf(row)} B.V.`,
    isActive: true,
    legalForm: "BV",
    address: { kind: "visiting", street: "Fabellaan", houseNumber: String(row + 1), city: "Verzinstad" },
  },
});

const rows = Array.from({ length: ROWS }, (_, row) => row);
const companies = rows.flatMap((row) =>
  AMBIGUOUS.includes(row) ? [company(row, 0), company(row, 1)] : [company(row, 0)],
);
const CSV = ["naam,plaats", ...rows.map((row) => `${nameOf(row)},Verzinstad`)].join("\n");

describeWith(INSTALLED, "a project of 500 rows in OpenRefine", () => {
  let openRefine: OpenRefine;
  let serviceFor: (tier: string) => Promise<string>;
  beforeAll(async () => {
    const tiers = { pro: { ...PLENTY, ratePerMinute: 300 }, slow: { ...PLENTY, ratePerMinute: 30 } };
    const world = await makeWorld({ companies, tiers });
    const { address } = await serveHere(world);
    serviceFor = async (tier) => `${address}/v1/reconcile?apikey=${(await world.account(tier)).key}`;
    openRefine = await startOpenRefine();
  });

  it("is reconciled, judged by a person, extended and exported in a browser", async () => {
    const project = await openRefine.createProject(CSV);
    const browser = await launchChromium();
    afterFile(() => browser.close());
    const page = await browser.newPage();
    await page.goto(openRefine.pageOf(project));
    await addService(page, await serviceFor("pro"));
    await page.locator('input[name="type-choice"][value="company"]').check();
    await page.locator('input[name="include"][columnName="plaats"]').check();
    await page.locator('input[name="property"][columnName="plaats"]').fill("city");
    const during = (command: string, button: Locator) => work(page, project, command, button);
    await during("reconcile", page.getByRole("button", { name: "Start reconciling" }));
    const matched = page.getByText("Choose new match");
    await expect.poll(() => matched.count()).toBe(SHOWN - AMBIGUOUS.length);

    for (const left of [2, 1]) {
      await expect.poll(() => page.locator(".data-table-recon-candidates").count()).toBe(left);
      const candidates = page.locator(".data-table-recon-candidates").first();
      const topics = candidates.locator(".data-table-recon-topic");
      expect(await topics.count()).toBe(2);
      await page.locator(".column-header-name").first().hover();
      await topics.first().hover();
      const preview = page.frameLocator(".data-table-topic-popup iframe");
      expect(await preview.locator("body").textContent()).toContain("KVK 5400");
      await candidates.locator(".data-table-recon-match").first().click();
    }
    await expect.poll(() => matched.count()).toBe(SHOWN);

    await chooseInMenu(page, "naam", "Edit column", "Add columns from reconciled values");
    for (const name of ["House number", "Active", "Legal form"]) {
      await page.locator(".suggested-property a", { hasText: name }).first().click();
    }
    await expect
      .poll(() => page.locator(".preview-container").textContent())
      .toContain("besloten vennootschap");
    await during("extend-data", page.locator(".extend-data-preview-dialog button", { hasText: "OK" }));
    expect(await openRefine.exportedRows(project)).toEqual(
      rows.map((row) => `${nameOf(row)} B.V.,${row + 1},true,besloten vennootschap,Verzinstad`),
    );
  });

  it("is reconciled completely at 30 calls a minute: OpenRefine repeats requests after 429", async () => {
    const project = await openRefine.createProject(CSV);
    await openRefine.reconcile(project, "naam", await serviceFor("slow"));
    await openRefine.idle(project);
    expect(await openRefine.matchedCells(project)).toBe(ROWS - AMBIGUOUS.length);
  });

  /** Adds the service in the dialog of the column with names. */
  async function addService(page: Page, service: string): Promise<void> {
    await chooseInMenu(page, "naam", "Reconcile", "Start reconciling");
    await page.getByRole("button", { name: "Add standard service" }).click();
    await page.locator(".dialog-frame .input-container input").last().fill(service);
    await page.getByRole("button", { name: "Add service" }).click();
  }

  /** Clicks a button that starts background work, and waits for its end. */
  async function work(page: Page, project: string, command: string, button: Locator): Promise<void> {
    const started = page.waitForResponse((response) => response.url().includes(`/command/core/${command}`));
    await button.click();
    await started;
    await openRefine.idle(project);
  }
});
