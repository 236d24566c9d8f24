import { describe, expect, it } from "vitest";
import { terminal } from "../../test/kit/terminal.ts";

/** No service is configured. */
const run = (...words: string[]) => terminal().run("vat", ...words);

describe("opzoek vat", () => {
  it("shows a valid number in its normal form, however it was typed", async () => {
    for (const words of [
      ["nl", "1234.56.782-b", "90"],
      ["NL+123456782+B90"],
      ["NL:\u00ad123456782\u200bB90"],
    ]) {
      expect(await run(...words)).toEqual({
        code: 0,
        err: [],
        out: ["vatNumber      NL123456782B90", "wellFormed     yes", "checksumValid  yes"],
      });
    }
  });

  it("marks the position where a rule fails, names the rule, and fails", async () => {
    const { code, out, err } = await run("AT X13585627");
    expect(out).toEqual([
      "vatNumber      ATX13585627",
      "                 ^",
      "wellFormed     no",
      "checksumValid  no",
      "rule           format",
      "problem        Position 1 must be U. An Austrian number is U and 8 digits.",
    ]);
    expect([code, err]).toEqual([
      1,
      ["opzoek: The number is malformed and cannot be a VAT number. Ask for the right one."],
    ]);
  });

  it("marks no position if the length is wrong", async () => {
    const { out } = await run("HU1289231");
    expect(out.filter((line) => line.includes("^"))).toEqual([]);
    expect(out).toContain("rule           length");
  });

  it("rejects only Dutch numbers for a wrong checksum", async () => {
    const dutch = await run("NL123456789B01");
    expect(dutch.out[1]).toBe(`${" ".repeat("vatNumber      NL12345678".length)}^`);
    expect(dutch.err.join()).toMatch(/malformed/);
    expect((await run("DE136695978")).err.join()).toMatch(/only VIES can confirm it/);
  });

  it("prints one JSON document with --json, also for an invalid number", async () => {
    expect((await run("NL123456782B90", "--json")).out.map((line) => JSON.parse(line))).toEqual([
      {
        countryCode: "NL",
        national: "123456782B90",
        vatNumber: "NL123456782B90",
        wellFormed: true,
        checksumValid: true,
        isMalformed: false,
      },
    ]);
    const { code, out } = await run("--json", "FI20774741");
    expect(JSON.parse(out.join(""))).toMatchObject({
      checksumValid: false,
      isMalformed: false,
      problem: { position: 8 },
    });
    expect(code).toBe(1);
  });

  it("reports text that is not a VAT number as wrong usage, without repeating it", async () => {
    for (const text of ["123456782B90", "GB980780684", "NLNL12345678"]) {
      const { code, out, err } = await run(text);
      expect([code, out]).toEqual([2, []]);
      expect(err.join()).not.toMatch(/[0-9]{5}/);
    }
  });
});
