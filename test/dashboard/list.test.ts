/** Lists in a real browser: a workbook of ten thousand rows, pauses, and reloads. */
import { readXlsx, writeXlsx } from "hucre/xlsx";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { companyFacts } from "../kit/registry.ts";
import { thoroughDescribe } from "../kit/thorough.ts";
import { downloaded, drop, enterLists, startKeyOf, usedBy } from "./support/lists.ts";
import { openStage, type StoreFixture, signUp, type Visitor, visit } from "./support/visit.ts";

const ROWS = 10_000;
/** Half as many numbers: each is in the list twice and is looked up once. */
const NUMBERS = 5_000;
const KNOWN = 4_500;
/** Enough numbers that the list is still running when a pause arrives. */
const MANY = 20_000;
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const CALLS = "**/account/try**";

let fixture: StoreFixture;
beforeAll(async () => {
  const companies = Array.from({ length: KNOWN }, (_, index) => ({
    origin: "demo",
    asOf: "2026-01-01T00:00:00.000Z",
    facts: companyFacts(index + 1, {
      address: {
        kind: "visiting",
        street: "Lijstweg",
        houseNumber: String(index + 1),
        postalCode: "1234 AB",
        city: "Rijdam",
        country: "NL",
      },
    }),
  }));
  fixture = await openStage({
    companies,
    tiers: { free: { monthlyTokens: 20_000, ratePerMinute: 100_000 } },
    environment: { PAGE_CALLS_PER_MINUTE: "100000" },
  });
});

const enter = (email: string, visitor?: Visitor) => enterLists(fixture, email, visitor);

const numberAt = (index: number) => 50_000_001 + (index % NUMBERS);
const chooseFile = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.locator("input[type=file]").setInputFiles({ name, mimeType, buffer });
const csvOf = (count: number) =>
  Buffer.from(`KvK\r\n${Array.from({ length: count }, (_, index) => 50_000_001 + index).join("\r\n")}\r\n`);
const phase = (page: Page, name: string) => page.locator(`[data-testid=run][data-phase=${name}]`).waitFor();

describe("a list of ten thousand rows", () => {
  it("is returned as the customer's own workbook with added columns, and only a page of rows is rendered", async () => {
    const seen = await enter("workbook@fabel.example", { locale: "nl-NL" });
    const { page } = seen;
    const rows = Array.from({ length: ROWS }, (_, index) => [`Klant ${index}`, numberAt(index), index / 4]);
    const book = await writeXlsx({
      sheets: [
        { name: "Klanten", rows: [["Klantenlijst 2026"], [], ["Klant", "KvK nr.", "Omzet"], ...rows] },
        { name: "Elders", rows: [["blijft"]] },
      ],
    });
    await chooseFile(page, "klanten.xlsx", XLSX, Buffer.from(book));
    await page.getByText("Gebruikt maximaal 5.000 van de 20.000 tokens die u deze maand nog hebt.").waitFor();
    await page.getByTestId("plan").getByLabel("Bedrijfsnaam", { exact: true }).selectOption("Geen kolom");
    expect(
      await page
        .getByTestId("plan")
        .getByLabel("KVK\u2011nummer", { exact: true })
        .locator("option:checked")
        .innerText(),
    ).toBe("KvK nr.");
    await page.getByRole("button", { name: "Lijst aanvullen" }).click();
    await page.getByText("De lijst is klaar.").waitFor();
    const list = page.getByRole("region", { name: "De lijst, rij voor rij" });
    await list.getByRole("button", { name: "400", exact: true }).click();
    await list.getByRole("row", { name: /10\.000 .*Niet in het register/ }).waitFor();
    expect(await list.getByRole("row").count()).toBeLessThan(60);
    const { name, content } = await downloaded(page, "Downloaden als Excel");
    expect(name).toBe("klanten-opzoek.xlsx");
    const { sheets } = await readXlsx(content);
    expect(sheets.map((sheet) => sheet.name)).toEqual(["Klanten", "Elders"]);
    const result = sheets[0]?.rows ?? [];
    expect(result).toHaveLength(ROWS + 3);
    expect(result[0]?.[0]).toBe("Klantenlijst 2026");
    expect(result[2]).toEqual([
      "Klant",
      "KvK nr.",
      "Omzet",
      "KVK-nummer",
      "Naam",
      "Postcode",
      "Plaats",
      "Actief",
      "Resultaat",
      "Toelichting",
    ]);
    expect(result[4]).toEqual([
      "Klant 1",
      numberAt(1),
      0.25,
      "50000002",
      "Voorbeeld 2 B.V.",
      "1234 AB",
      "Rijdam",
      "ja",
      "Gevonden",
      null,
    ]);
    expect(result.filter((row) => row[8] === "Gevonden")).toHaveLength(2 * KNOWN);
    expect(result.at(-1)?.slice(3)).toEqual([
      "50005000",
      null,
      null,
      null,
      null,
      "Niet in het register",
      expect.stringContaining("niets in rekening"),
    ]);
    const csv = (await downloaded(page, "Downloaden als CSV")).content.toString("utf8");
    expect(csv).toContain(
      '\r\nKlant 1;50000002;"0,25";50000002;Voorbeeld 2 B.V.;1234 AB;Rijdam;ja;Gevonden;\r\n',
    );
    expect(await page.getByTestId("spent").last().innerText()).toContain("4.500 tokens");
    await page.getByRole("button", { name: "Ander blad kiezen" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Ander blad kiezen" }).click();
    await page.getByLabel("Blad", { exact: true }).selectOption("Elders");
    await page.getByLabel("Bedrijfsnaam", { exact: true }).waitFor();
    await page.getByLabel("Bedrijfsnaam", { exact: true }).selectOption("Geen kolom");
    await page.getByLabel("KVK\u2011nummer", { exact: true }).selectOption({ index: 1 });
    await page.getByText("Kies andere kolommen of een ander blad.").waitFor();
    expect(seen.troubles).toEqual([]);
  });
});

thoroughDescribe("a running list", () => {
  it("continues after a pause and a reload, while another tab waits, charged once", async () => {
    const seen = await enter("reload@fabel.example");
    const { page } = seen;
    const keys: string[] = [];
    const { promise: isPaused, resolve: goOn } = Promise.withResolvers<void>();
    await page.route(CALLS, async (route) => {
      const key = startKeyOf(route);
      if (key !== undefined) {
        keys.push(key);
        await isPaused;
      }
      await route.continue();
    });
    await chooseFile(page, "lijst.csv", "text/csv", csvOf(MANY));
    await page.getByRole("button", { name: "Complete list" }).click();
    await phase(page, "running");
    const other = await page.context().newPage();
    await other.goto("/#/try/list");
    // Paused before the service has the list, so that numbers are left.
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await phase(page, "stopping");
    goOn();
    await phase(page, "stopped");
    await page.getByText("Paused. The results so far are below.").waitFor();
    await other.getByText("Your lists are open in another tab or window.").waitFor();
    await page.reload();
    // The tab that waited now follows the list.
    await other.getByText("Paused. The results so far are below.").waitFor();
    await page.getByText("Your lists are open in another tab or window.").waitFor();
    await other.close();
    await page.getByText("Paused. The results so far are below.").waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("The list is done.").waitFor();
    await page.getByText("20,000 of 20,000 processed").waitFor();
    expect(keys).toHaveLength(1);
    expect(await usedBy(page)).toBe(KNOWN);
    await page.reload();
    await page.getByText("The list is done.").waitFor();
    await page.getByRole("cell", { name: "Voorbeeld 1 B.V." }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign out and delete your list?" });
    await dialog.getByRole("button", { name: "Stay signed in" }).click();
    expect(await page.evaluate("indexedDB.databases().then((all) => all.length)")).toBe(1);
    await page.getByRole("button", { name: "Sign out" }).click();
    await dialog.getByRole("button", { name: "Sign out and delete" }).click();
    await page.getByRole("heading", { level: 1 }).getByText("Welcome back").waitFor();
    await expect.poll(() => page.evaluate("indexedDB.databases().then((all) => all.length)")).toBe(0);
    expect(seen.troubles).toEqual([]);
  });

  it("is started once even if the page is closed before the service responds", async () => {
    const seen = await enter("lost@fabel.example");
    const { page } = seen;
    const { promise: isStarted, resolve: started } = Promise.withResolvers<void>();
    const keys: string[] = [];
    await page.route(CALLS, async (route) => {
      const key = startKeyOf(route);
      if (key !== undefined) keys.push(key);
      if (key === undefined || keys.length > 1) return route.continue();
      // The service accepts the list, but its response never arrives.
      await route.fetch();
      started();
    });
    await chooseFile(page, "lijst.csv", "text/csv", csvOf(300));
    await page.getByRole("button", { name: "Complete list" }).click();
    await page.locator(":focus", { hasText: "lijst.csv" }).waitFor();
    await isStarted;
    await page.reload();
    await page.getByText("The list is done.").waitFor();
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
    expect(await usedBy(page)).toBe(300);
  });

  it("survives an outage and the rate limit, and reports the outage", async () => {
    const seen = await enter("limits@fabel.example");
    const { page } = seen;
    const refusals = ["rate"];
    await page.route(CALLS, async (route) => {
      if (refusals.shift() === undefined) return route.continue();
      const error = { code: "RATE_LIMIT_EXCEEDED", message: "too many requests in this session; wait 1 s" };
      await route.fulfill({ status: 429, headers: { "retry-after": "1" }, json: { error } });
    });
    await chooseFile(page, "lijst.csv", "text/csv", csvOf(3));
    const start = page.getByRole("button", { name: "Complete list" });
    await start.waitFor();
    await page.context().setOffline(true);
    await start.click();
    await page.getByText("The service can’t be reached right now").waitFor();
    await page.context().setOffline(false);
    await page.getByText("The list is done.").waitFor();
    expect(refusals).toEqual([]);
    expect(await usedBy(page)).toBe(3);
  });
});

describe("a dropped file", () => {
  it("is read and its column found; lost zeros, invalid and unknown numbers and outages are each explained", async () => {
    const seen = await enter("drop@fabel.example", { width: 360 });
    const { page } = seen;
    const text = `naam;telefoon;dossier\r\n"Korst; de";0612345678;50000001\r\n=1+1;0201234567;1234567\r\nVeer;;0612345678\r\nBrug;;50000002\r\n`;
    await page.route(CALLS, async (route) => {
      const response = await route.fetch();
      // The results are a string within the response, so quotes are escaped.
      const body = (await response.text()).replaceAll("NOT_FOUND", "UPSTREAM_ERROR");
      await route.fulfill({ response, body });
    });
    await drop(page, text);
    const column = page.getByTestId("plan").getByLabel("KVK number", { exact: true });
    await page.getByTestId("plan").getByLabel("Company name", { exact: true }).selectOption("No column");
    expect(await column.locator("option:checked").innerText()).toBe("dossier");
    await page.getByText("In 1 row the number has 7 digits").waitFor();
    await page.getByText("In 1 row there is something other").waitFor();
    await column.selectOption("telefoon");
    await page.getByText("No row has a name, a number").waitFor();
    await column.selectOption("dossier");
    await page.getByText("Uses up to 3 of").waitFor();
    await page.getByRole("button", { name: "Complete list" }).click();
    await page.getByText("some rows got no answer").waitFor();
    await page.getByRole("button", { name: "Retry 1 row without an answer" }).waitFor();
    const { content } = await downloaded(page, "Download as CSV");
    const lines = content.toString("utf8").split("\r\n");
    expect(lines[0]).toBe(
      "\uFEFFnaam,telefoon,dossier,KVK number,Name,Postal code,City,Active,Result,Explanation",
    );
    expect(lines[1]).toBe(
      '"Korst; de",0612345678,50000001,50000001,Voorbeeld 1 B.V.,1234 AB,Rijdam,yes,Found,',
    );
    expect(lines[2]).toMatch(/^'=1\+1,0201234567,1234567,01234567,,,,,No answer,"?The service or its source/);
    expect(lines[3]).toMatch(/^Veer,,0612345678,,,,,,Skipped,This is a phone number\./);
    await page.unroute(CALLS);
    await page.getByRole("button", { name: "Retry 1 row without an answer" }).click();
    await page.getByText("The list is done.", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Remove list" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await drop(page, "\u0089PNG\u0000\u0001");
    await page.getByRole("alert").getByText("This isn't a CSV or Excel file.").waitFor();
    expect(seen.troubles).toEqual([]);
  });
});

thoroughDescribe("a list on an outdated page or during an outage", () => {
  it("reports that code cannot be loaded instead of blaming the file, and reads a paste afterwards", async () => {
    const seen = await visit(fixture);
    const { page } = seen;
    await signUp(seen, "away@fabel.example");
    const book = await writeXlsx({ sheets: [{ name: "A", rows: [["kvk"], ["50000001"]] }] });
    await page.goto("/#/try/list");
    await page.locator("input[type=file]").waitFor({ state: "attached" });
    for (const part of [/assets\/fileWorker-.*\.js/, /assets\/xlsx-.*\.js/]) {
      await page.route(part, (route) => route.abort());
      await chooseFile(page, `${part}.xlsx`, XLSX, Buffer.from(book));
      const alert = page.getByRole("alert").filter({ hasText: `${part}` });
      await alert.getByText("Nothing is wrong with your file.").waitFor();
      await page.unroute(part);
    }
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "naam;kvk\\nVeer;50000001");
      const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.querySelector("textarea").dispatchEvent(paste);
    })()`);
    await page.getByText("Uses up to 1 of").waitFor();
  });
});
