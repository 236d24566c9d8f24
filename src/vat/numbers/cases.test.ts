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

/** What each word of the case file may be with us. A wrong part counts with the form or with the checksum. */
const AGREES: Readonly<Record<Case["expected"], readonly Verdict[]>> = {
  valid: ["valid"],
  invalid_checksum: ["checksum"],
  invalid_format: ["refused", "malformed"],
  invalid_length: ["refused", "malformed"],
  invalid_component: ["malformed", "checksum"],
};

/** Forms of the Commission's table that the file calls wrong because the state has not issued them: VIES is asked. */
const NOT_ISSUED = /^(BE[2-9]|(DE|DK|MT|PT|RO|SI)0|SK|SE\d{10}(?!01)|IE\d{7}[A-Z]?[X-Z]$)/;

const COMMA = "a comma is a separator like any other: it is no part of any number";
const ITALIAN_PART =
  "eleven digits are the form; taxpayer and tax office are parts that are handed out (offices 888 and 999 came later), " +
  "so they count with the checksum, and VIES is asked: a refusal of ours could be a false one";

/** Cases that we see differently, with what we say and why that is right. */
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

  it("get the verdict that the case file gives, or ours is listed with its reason", () => {
    const differing = cases
      .filter(({ number }) => !Object.hasOwn(OURS, number))
      .filter((one) => !agrees(one))
      .map(({ number, expected }) => `${number}: ${expected}, ours ${verdict(number)}`);
    expect(differing).toEqual([]);
    expect(cases.length).toBeGreaterThan(1_400);
  });

  it("that are listed are in the file, differ, and get what the list says", () => {
    for (const [number, [ours]] of Object.entries(OURS)) {
      const found = cases.find((one) => one.number === number);
      expect(found, number).toBeDefined();
      expect(verdict(number), number).toBe(ours);
      expect(found === undefined || AGREES[found.expected].includes(ours), number).toBe(false);
    }
  });
});
