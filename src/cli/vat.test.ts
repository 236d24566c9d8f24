import { describe, expect, it } from "vitest";
import { terminal } from "../../test/kit/terminal.ts";

/** No service is named. */
const run = (...words: string[]) => terminal().run("vat", ...words);

describe("opzoek vat", () => {
  it("shows a number that holds in its one form, however it was typed", async () => {
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

  it("marks the place where a rule fails, names the rule, and fails", async () => {
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
      ["opzoek: The number is malformed: no such VAT number is issued. Ask for the right one."],
    ]);
  });

  it("marks nothing when the length is wrong", async () => {
    const { out } = await run("HU1289231");
    expect(out.filter((line) => line.includes("^"))).toEqual([]);
    expect(out).toContain("rule           length");
  });

  it("says that a wrong checksum refuses a Dutch number and no other", async () => {
    const dutch = await run("NL123456789B01");
    expect(dutch.out[1]).toBe(`${" ".repeat("vatNumber      NL12345678".length)}^`);
    expect(dutch.err.join()).toMatch(/malformed/);
    expect((await run("DE136695978")).err.join()).toMatch(/only VIES can say/);
  });

  it("prints one JSON document when asked to, also for a number that fails", async () => {
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

  it("takes what is no VAT number for wrong use, and repeats none of it", async () => {
    for (const text of ["123456782B90", "GB980780684", "NLNL12345678"]) {
      const { code, out, err } = await run(text);
      expect([code, out]).toEqual([2, []]);
      expect(err.join()).not.toMatch(/[0-9]{5}/);
    }
  });
});
