import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeWith, shared, sharedPath } from "../../../test/kit/needs.ts";
import { checkVatNumber } from "./check.ts";
import { isVatNumber, parseVatNumber } from "./parse.ts";

const CASES = sharedPath("data/vat/cases.json");

interface Case {
  readonly number: string;
  readonly expected: "valid" | "invalid_checksum" | "invalid_format" | "invalid_length" | "invalid_component";
}

type Verdict = "refused" | "malformed" | "checksum" | "valid";

/** Our verdicts that match each verdict of the case file. A wrong part may count as wrong form or wrong checksum. */
const AGREES: Readonly<Record<Case["expected"], readonly Verdict[]>> = {
  valid: ["valid"],
  invalid_checksum: ["checksum"],
  invalid_format: ["refused", "malformed"],
  invalid_length: ["refused", "malformed"],
  invalid_component: ["malformed", "checksum"],
};

/** Forms of the Commission's table that the file rejects because the state has not issued them. We ask VIES. */
const NOT_ISSUED = /^(BE[2-9]|(DE|DK|MT|PT|RO|SI)0|SK|SE\d{10}(?!01)|IE\d{7}[A-Z]?[X-Z]$)/;

const COMMA = "a comma is a separator like any other: it is no part of any number";
const ITALIAN_PART =
  "eleven digits are the form; taxpayer and tax office are parts that are handed out (offices 888 and 999 came later), " +
  "so they count with the checksum, and VIES is asked: a refusal of ours could be a false one";

/** Cases with another verdict, and the reason. */
const OURS: Readonly<Record<string, readonly [verdict: Verdict, reason: string]>> = {
  "BE 0220,764.971": ["valid", COMMA],
  IT00000000000: ["checksum", ITALIAN_PART],
  IT00000000002: ["checksum", ITALIAN_PART],
  IT00000000003: ["checksum", ITALIAN_PART],
  "IT12.449.965-439": ["checksum", ITALIAN_PART],
};

function agrees({ number, expected }: Case): boolean {
  const ours = verdict(number);
  const isNotIssued = ours === "checksum" && NOT_ISSUED.test(number.replace(/[ .]/g, ""));
  return AGREES[expected].includes(ours) || (expected === "invalid_format" && isNotIssued);
}

function verdict(text: string): Verdict {
  const parsed = parseVatNumber(text);
  if (!isVatNumber(parsed)) return "refused";
  const { wellFormed, checksumValid } = checkVatNumber(parsed);
  if (!wellFormed) return "malformed";
  return checksumValid ? "valid" : "checksum";
}

describeWith(shared(CASES), "the collected numbers", () => {
  const cases = JSON.parse(readFileSync(CASES, "utf8")) as readonly Case[];

  it("get the verdict of the case file, or a listed exception", () => {
    const differing = cases
      .filter(({ number }) => !Object.hasOwn(OURS, number))
      .filter((one) => !agrees(one))
      .map(({ number, expected }) => `${number}: ${expected}, ours ${verdict(number)}`);
    expect(differing).toEqual([]);
    expect(cases.length).toBeGreaterThan(1_400);
  });

  it("that are exceptions exist in the file, differ, and get the listed verdict", () => {
    for (const [number, [ours]] of Object.entries(OURS)) {
      const found = cases.find((one) => one.number === number);
      expect(found, number).toBeDefined();
      expect(verdict(number), number).toBe(ours);
      expect(found === undefined || AGREES[found.expected].includes(ours), number).toBe(false);
    }
  });
});
