/** A debtor list as bookkeeping programs export it, and how its cells are written. */
import { openXlsx } from "hucre/xlsx";
import { describe, expect, it } from "vitest";
import { findIn } from "../../dashboard/src/pages/try/list/job/kinds.ts";
import { readTable } from "../../dashboard/src/pages/try/list/job/readTable.ts";
import { localText } from "../../dashboard/src/pages/try/list/job/table.ts";
import { ADDED, completed } from "./support/completed.ts";
import { DEBTOR_HEAD_ROW, debtorList, debtors } from "./support/debtorList.ts";

describe("a text of a cell", () => {
  it.each([
    [4747.77, "4747,77", "4747.77"],
    [0.1 + 0.2, "0,3", "0.3"],
    [-3.5, "-3,5", "-3.5"],
    [99.7, "99,7", "99.7"],
    [100, "100", "100"],
    [new Date("2026-02-05"), "05-02-2026", "2026-02-05"],
    [new Date("2026-02-05T13:30:00Z"), "05-02-2026 13:30:00", "2026-02-05 13:30:00"],
    ["4747.77", "4747.77", "4747.77"],
    ["2026-02-05", "2026-02-05", "2026-02-05"],
    ["00040", "00040", "00040"],
    [null, "", ""],
  ])("is Dutch or neutral: %s", (cell, dutch, neutral) => {
    expect([localText(cell, true), localText(cell, false)]).toEqual([dutch, neutral]);
  });
});

describe("a debtor list", () => {
  it("is read below its title: the visible sheet, its columns and its numbers", async () => {
    const { sheets, sheet, rows } = await readTable(await debtorList());
    expect(sheets).toEqual(["Toelichting", "Debiteuren", "Keuzelijst"]);
    expect(sheet).toBe(1);
    expect(findIn(rows)).toMatchObject({ columns: { kvkNumber: 2 }, headRow: DEBTOR_HEAD_ROW });
    const body = rows.slice(DEBTOR_HEAD_ROW + 1, DEBTOR_HEAD_ROW + 111);
    expect(body.map(([number, name]) => [number, name])).toEqual(
      debtors().map(({ written }, index) => [String(index + 40).padStart(5, "0"), written]),
    );
    expect(body.filter((cells) => cells[2] !== null)).toHaveLength(45);
    expect(rows.at(-1)?.[0]).toBe("Totaal");
  });

  it("is given back with its formulas, filter and formats, and as Dutch CSV", async () => {
    const bytes = await debtorList();
    const list = {
      headRow: DEBTOR_HEAD_ROW,
      added: new Map(debtors().map((_, index) => [DEBTOR_HEAD_ROW + 1 + index, ADDED] as const)),
    };
    const [cover, sheet, hidden] = (await openXlsx(await completed(bytes, list), { readStyles: true }))
      .sheets;
    expect(cover?.rows).toHaveLength(1);
    expect(hidden?.hidden).toBe(true);
    expect(sheet?.autoFilter?.range).toBe("A3:K113");
    expect(sheet?.merges).toHaveLength(1);
    expect(sheet?.rows[3]?.slice(4)).toEqual([
      ...[new Date("2026-01-01"), new Date("2026-01-31"), 100, "nee"],
      ...ADDED,
    ]);
    expect(sheet?.cells?.get("3,5")).toMatchObject({ formula: "E4+30", style: { numFmt: "dd-mm-yyyy" } });
    const csv = new TextDecoder().decode(await completed(bytes, { ...list, format: "csv" })).split("\r\n");
    const [debtor] = debtors();
    expect(csv[4]).toBe(
      `00041;${debtors()[1]?.written};;${debtors()[1]?.city};02-01-2026;01-02-2026;"112,5";nee;01234567;"99,7";25-07-2023`,
    );
    expect(csv[3]).toContain(`00040;${debtor?.written};`);
  });
});
