/** No table that the service or its page writes has a cell that a spreadsheet would run. */
import { expect, it } from "vitest";
import { cell } from "../../dashboard/src/pages/try/list/job/writeCsv.ts";
import { spreadsheetRow } from "../../src/lib/spreadsheet.ts";

const SIGNS = [..."=+-@＝＋－＠﹦﹢﹣﹫−⁺₌"];
const BEFORE = ["", " ", "\t", "\u00a0", "\u3000", "\u200b", "\ufeff"];

it("the page guards the same cells as the service, whatever the sign's width and what stands before it", () => {
  for (const before of BEFORE) {
    for (const sign of SIGNS) {
      const text = `${before}${sign}cmd|' /C calc'!A0`;
      expect(cell(text), JSON.stringify(text)).toMatch(/^"?'/);
      expect(spreadsheetRow([text]), JSON.stringify(text)).toMatch(/^"?'/);
    }
  }
  for (const plain of ["Bakkerij De Halm", "a=b", "café - bar", "12345678", ""]) {
    expect([cell(plain), spreadsheetRow([plain])]).toEqual([plain, `${plain}\r\n`]);
  }
});
