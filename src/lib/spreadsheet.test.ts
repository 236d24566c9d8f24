import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { spreadsheetRow } from "./spreadsheet.ts";

describe("a row for a spreadsheet", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+31", "'+31"],
    ["-x", "'-x"],
    ["@Fentures B.V.", "'@Fentures B.V."],
    ["\tx", '"\'\tx"'],
    ["\rx", '"\'\rx"'],
    ["\nx", '"\'\nx"'],
    ["＝1+1", "'＝1+1"],
    ["＋31", "'＋31"],
    ["－x", "'－x"],
    ["＠SUM(A1)", "'＠SUM(A1)"],
    ["﹦1", "'﹦1"],
    ["﹢1", "'﹢1"],
    ["﹣1", "'﹣1"],
    ["﹫x", "'﹫x"],
    ["−1", "'−1"],
    [" =1", "' =1"],
    ["\u3000＝1", "'\u3000＝1"],
    ["\u200b=1", "'\u200b=1"],
    ["\ufeff@x", "'\ufeff@x"],
    ["'t Hoekje", "'t Hoekje"],
    ["a=b", "a=b"],
    ['"De Hoek", café', '"""De Hoek"", café"'],
    ["01234567", "01234567"],
  ])("writes %j as %j", (text, cell) => {
    expect(spreadsheetRow([text])).toBe(`${cell}\r\n`);
  });

  it("never begins a cell with what a spreadsheet runs", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."=+-@\t\r'\",; a") }), (text) => {
        expect(spreadsheetRow([text])).not.toMatch(/^"?(?:[\t\r]|\s*[=+\-@＝＋－＠﹦])./);
      }),
    );
  });
});
