/** No table written by the service or the page has a cell that a spreadsheet would execute, with any separator. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { csvText } from "../../dashboard/src/language/csv.ts";
import { rowsOfEvents, rowsOfMonitors } from "../../dashboard/src/pages/monitors/tables.ts";
import { addedColumns } from "../../dashboard/src/pages/try/list/job/addedColumns.ts";
import { writeCsv } from "../../dashboard/src/pages/try/list/job/completedFile.ts";
import type { Company } from "../../src/contract/resources.ts";
import { companyLines } from "../../src/import/export/exportLines.ts";
import { Rejects } from "../../src/import/rejects.ts";
import { resultCsvRows } from "../../src/jobs/results.ts";
import { spreadsheetRow } from "../../src/lib/spreadsheet.ts";
import { BAKERY } from "../kit/companies.ts";
import { temporaryFolder } from "../kit/registry.ts";

const SIGNS = [..."=+-@＝＋－＠﹦﹢﹣﹫−⁺₌"];
const BEFORE = ["", " ", "\u00a0", "\u3000", "\u200b", "\ufeff", "\t"];
const HOSTILE = SIGNS.flatMap((sign) => BEFORE.map((before) => `${before}${sign}cmd|' /C calc'!A0`));
const RUNS = /^[\s\p{Cf}]*[=+\-@\u2212]/u;

const companyOf = (text: string): Company => ({
  kvkNumber: BAKERY,
  name: text,
  tradingNames: ["Bakker", text],
  statutoryName: text,
  address: { street: text, city: text },
  isActive: true,
  websites: [text, text],
  activities: [{ sbiCode: "10711", description: text, isMain: true }],
  vat: { number: text, status: "unvalidated", checksumValid: false, origin: "registry" },
  source: { kvk: text, cachedAt: "2026-01-01T00:00:00.000Z", vies: "unvalidated" },
});

/** Every writer of a table, with a text in each place that others control. */
const WRITERS: Readonly<Record<string, (text: string) => string | Promise<string>>> = {
  "an export": (text) => {
    const record = { company: companyOf(text), vatNumber: text };
    return [...companyLines({ all: () => [record] }, "csv")].join("");
  },
  "a file of rejects": async (text) => {
    const path = join(temporaryFolder(), "rejects.csv");
    const rejects = new Rejects(path);
    await rejects.open([]);
    await rejects.add("a.csv", 2, { reason: "a reason", detail: text }, `1;${text};ja`);
    await rejects.close();
    return readFileSync(path, "utf8");
  },
  "the results of a list": (text) =>
    resultCsvRows("lookup.enriched", [
      { number: text, result: companyOf(text) },
      { number: text, error: { code: "INVALID_KVK_NUMBER", message: text } },
    ]),
  "a row of usage": (text) => spreadsheetRow(["2026-01-01", "id", text, "lookup", "1"]),
  "the events of monitors": (text) => {
    const changes = { name: { previous: text, current: text }, tradingNames: { current: [text, text] } };
    const [cachedAt, observedAt] = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"];
    const event = { id: "evt_1", type: "company.renamed", kvkNumber: BAKERY, observedAt, changes } as const;
    const events = [{ ...event, source: { kvk: `import:${text}`, cachedAt } }];
    return csvText(rowsOfEvents({ events, names: { [BAKERY]: text } }, "nl"), ";");
  },
  "the monitored companies": (text) => {
    const company = { name: text, city: text, isActive: true };
    const metadata = { debtor: text, [text]: "1" };
    const [id, createdAt, status] = ["mon_1", "2026-01-02T00:00:00.000Z", "active"] as const;
    const monitor = { id, kvkNumber: BAKERY, createdAt, status, company, metadata, watchedBy: [text] };
    return csvText(rowsOfMonitors([{ ...monitor, webhook: { url: text } }], "nl"), ";");
  },
  "a list of the page": (text) => {
    const added = addedColumns("everything", "nl", [], false);
    const row = { at: 1, text, key: BAKERY, why: undefined };
    return writeCsv(
      {
        rows: [[text], [text]],
        headRow: 0,
        titles: added.titles,
        added: new Map([[1, added.cells(row, { key: BAKERY, result: companyOf(text) })]]),
      },
      ";",
    );
  },
};

describe.each(Object.entries(WRITERS))("%s", (_name, write) => {
  it.each([
    ["at the start", ""],
    ["behind a semicolon", "Bakker;"],
    ["behind a comma", "Bakker,"],
    ["behind a tab", "Bakker\t"],
    ["behind a line break", "Bakker\r\n"],
    ["behind a semicolon and a quote", 'Bakker;"'],
  ])("neutralises a formula %s of a text", async (_where, before) => {
    for (const hostile of HOSTILE) {
      const table = await write(`${before}${hostile}`);
      expect(table).toContain("calc");
      for (const delimiter of [",", ";", "\t"]) {
        const rows = parse(table, { delimiter, bom: true, relax_quotes: true, relax_column_count: true });
        const run = rows.flat().filter((cell) => RUNS.test(cell.normalize("NFKC")));
        expect(run, `${JSON.stringify(hostile)} separated by ${delimiter}`).toEqual([]);
      }
    }
  });
});
