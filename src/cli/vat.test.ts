import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { settingsOf } from "../../test/kit/terminal.ts";
import { CommandFailure, WrongUse } from "./command.ts";
import { addVatCommand } from "./vat.ts";

/** What the command said on stdout, and the error that it ended with; no service is named. */
async function run(...words: string[]): Promise<{ out: string[]; error?: unknown }> {
  const out: string[] = [];
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  addVatCommand(program, {
    settings: () => settingsOf({}),
    out: (line) => void out.push(line),
    err: () => {
      throw new Error("everything that is said here is a result");
    },
    stderrIsTerminal: false,
    screen: { columns: undefined, hasColours: false },
    input: { isTerminal: true, async *lines() {} },
    keepTemporaryFiles() {},
    suppressed: async () => new Set<string>(),
  });
  try {
    await program.parseAsync(["vat", ...words], { from: "user" });
    return { out };
  } catch (error) {
    return { out, error };
  }
}

describe("opzoek vat", () => {
  it("shows a number that holds in its one form, however it was typed", async () => {
    for (const words of [
      ["nl", "1234.56.782-b", "90"],
      ["NL+123456782+B90"],
      ["NL:\u00ad123456782\u200bB90"],
    ]) {
      expect(await run(...words)).toEqual({
        out: ["vatNumber      NL123456782B90", "wellFormed     yes", "checksumValid  yes"],
      });
    }
  });

  it("marks the place where a rule fails, names the rule, and fails", async () => {
    const { out, error } = await run("AT X13585627");
    expect(out).toEqual([
      "vatNumber      ATX13585627",
      "                 ^",
      "wellFormed     no",
      "checksumValid  no",
      "rule           format",
      "problem        Position 1 must be U. An Austrian number is U and 8 digits.",
    ]);
    expect(error).toEqual(
      new CommandFailure("The number is malformed: no such VAT number is issued. Ask for the right one."),
    );
  });

  it("marks nothing when the length is wrong", async () => {
    const { out } = await run("HU1289231");
    expect(out.filter((line) => line.includes("^"))).toEqual([]);
    expect(out).toContain("rule           length");
  });

  it("says that a wrong checksum refuses a Dutch number and no other", async () => {
    const dutch = await run("NL123456789B01");
    expect(dutch.out[1]).toBe(`${" ".repeat("vatNumber      NL12345678".length)}^`);
    expect(String(dutch.error)).toMatch(/malformed/);
    expect(String((await run("DE136695978")).error)).toMatch(/only VIES can say/);
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
    const { out, error } = await run("--json", "FI20774741");
    expect(JSON.parse(out.join(""))).toMatchObject({
      checksumValid: false,
      isMalformed: false,
      problem: { position: 8 },
    });
    expect(error).toBeInstanceOf(CommandFailure);
  });

  it("takes what is no VAT number for wrong use, and repeats none of it", async () => {
    for (const text of ["123456782B90", "GB980780684", "NLNL12345678"]) {
      const { out, error } = await run(text);
      expect(out).toEqual([]);
      expect(error).toBeInstanceOf(WrongUse);
      expect(String(error)).not.toMatch(/[0-9]{5}/);
    }
  });
});
