import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { workedMs } from "../../test/kit/worked.ts";
import { listCell, spreadsheetCell, spreadsheetRow, withoutGuards } from "./spreadsheet.ts";

const SIGNS = [..."=+-@＝＋－＠﹦﹢﹣﹫−⁺₌"];

describe("a row for a spreadsheet", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["-x", "'-x"],
    ["@Fentures B.V.", "'@Fentures B.V."],
    ["\tx", '"\'\tx"'],
    ["\rx", '"\'\rx"'],
    ["\nx", '"\'\nx"'],
    ["＝1+1", "'＝1+1"],
    ["＋a", "'＋a"],
    ["－x", "'－x"],
    ["＠SUM(A1)", "'＠SUM(A1)"],
    ["﹦1", "'﹦1"],
    ["−1", "'−1"],
    [" =1", "' =1"],
    ["\u3000＝1", "'\u3000＝1"],
    ["\u200b=1", "'\u200b=1"],
    ["\ufeff@x", "'\ufeff@x"],
    ['"=1', `"'""=1"`],
    ["Bakker;=cmd|' /C calc'!A0", `"Bakker;'=cmd|' /C calc'!A0"`],
    ["Bakker, @SUM(A1)", `"Bakker,' @SUM(A1)"`],
    ["Bakker\t-1-x", `"Bakker\t'-1-x"`],
    ["Bakker\r\n+x", `"Bakker\r\n'+x"`],
    ['Bakker;"=x', `"Bakker;'""=x"`],
    ["a;\tb", `"a;'\tb"`],
    ["a;=1;=2", `"a;'=1;'=2"`],
    ["'=1", "'=1"],
    ["a;'=1", `"a;'=1"`],
    ["'t Hoekje", "'t Hoekje"],
    ["a=b", "a=b"],
    ["Bakker | =x", "Bakker | =x"],
    ["café - bar; 's-Gravenhage", '"café - bar; \'s-Gravenhage"'],
    ["twee\r\n\r\nregels", '"twee\r\n\r\nregels"'],
    ['"De Hoek", café', '"""De Hoek"", café"'],
    ["01234567", "01234567"],
    ["-12", "-12"],
    ["-1.234,50", '"-1.234,50"'],
    ["-3 %", "-3 %"],
    ["-3%", "-3%"],
    ["10; -5", '"10; -5"'],
    ["+31612345678", "+31612345678"],
    ["+31 20 123 45 67", "+31 20 123 45 67"],
    ["+31-20-1234567", "'+31-20-1234567"],
  ])("writes %j as %j", (text, cell) => {
    expect(spreadsheetRow([text])).toBe(`${cell}\r\n`);
  });

  it("guards every character that a spreadsheet may treat as the start of a formula", () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const text = String.fromCodePoint(code);
      if (/^[\s\p{Cf}]*[=+\-@\u2212]/u.test(text.normalize("NFKC"))) {
        expect(spreadsheetCell(`${text}x`), code.toString(16)).toMatch(/^'/);
      }
    }
  });

  it("has no executable part, wherever a spreadsheet splits it", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."=+-@＝\t\r\n'\",; a1") }), (text) => {
        for (const part of spreadsheetRow([text])
          .trimEnd()
          .split(/[;,\t\r\n]/)) {
          const run = /^["\s\p{Cf}]*[=+\-@＝]/u.test(part) && !/^["\s]*[+-]\d[\d. ]*%?["\s]*$/.test(part);
          expect(run, part).toBe(false);
        }
      }),
    );
  });

  it("is unchanged when written again, and equals the original without guards", () => {
    const text = fc.string({ unit: fc.constantFrom(...SIGNS, ...'\t\r\n",; a1') });
    fc.assert(
      fc.property(text, (cell) => {
        const written = unquoted(spreadsheetCell(cell));
        expect(unquoted(spreadsheetCell(written))).toBe(written);
        expect(withoutGuards(written)).toBe(cell);
      }),
    );
  });

  it("is written in linear time", () => {
    const startedMs = workedMs();
    for (const part of [" ", '"', ",", ", ", "=", ";=", "-1 ", "\t", "'"]) {
      withoutGuards(spreadsheetCell(part.repeat(100_000)));
    }
    expect(workedMs() - startedMs).toBeLessThan(5_000);
  });

  it("joins a list without a column separator", () => {
    expect(listCell(["Veer", "=cmd"])).toBe("Veer | =cmd");
  });
});

function unquoted(cell: string): string {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}
