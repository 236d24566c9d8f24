import { describe, expect, it } from "vitest";
import { DAY, kept, LIFETIMES, NOW_MS, SECOND, stage } from "../../../test/kit/verdicts.ts";
import { answered, FAULTS } from "../../../test/kit/viesResults.ts";
import { checkVatNumber } from "../numbers/check.ts";
import type { CheckedVatNumber } from "../numbers/parse.ts";
import type { StateCode } from "../numbers/states.ts";
import type { CachedAnswer } from "../stored.ts";
import type { ViesResult } from "../vies/results.ts";
import { type Verdict, verdict, verdictAtOnce } from "./verdict.ts";

// All combinations of VIES result, stored verdict and number. Expectations follow the wording of the contract.

interface Sample {
  readonly number: CheckedVatNumber;
  readonly isRefusedByRules: boolean;
  readonly checksumValid: boolean;
}

function row(state: StateCode, national: string, checksumValid: boolean, isRefusedByRules: boolean): Sample {
  const number = { countryCode: state, national, vatNumber: state + national };
  return {
    number: { ...number, check: checkVatNumber(number) },
    isRefusedByRules,
    checksumValid,
  };
}

const NUMBERS: Readonly<Record<string, Sample>> = {
  "a Dutch number that passes the elfproef": row("NL", "123456782B90", true, false),
  "a Dutch number that passes mod 97": row("NL", "123456789B13", true, false),
  "a Dutch number that passes neither": row("NL", "123456789B01", false, true),
  "a number of another state with a good checksum": row("DE", "136695976", true, false),
  "a number of another state with a bad checksum": row("DE", "136695978", false, false),
  "a number of no national format": row("DE", "13669597X", false, true),
};

/** Stored verdicts and their permitted use. An invalid verdict is fresh for a shorter time. */
const AGES: Readonly<Record<string, { ageMs: number; valid: boolean; isFresh: boolean; isUsable: boolean }>> =
  {
    "a fresh yes": { ageMs: 3_600 * SECOND, valid: true, isFresh: true, isUsable: true },
    "a fresh no": { ageMs: 300 * SECOND, valid: false, isFresh: true, isUsable: true },
    "an earlier yes": { ageMs: 3_600 * SECOND + 1, valid: true, isFresh: false, isUsable: true },
    "an earlier no": { ageMs: 300 * SECOND + 1, valid: false, isFresh: false, isUsable: true },
    "a yes of 30 days": { ageMs: 30 * DAY, valid: true, isFresh: false, isUsable: true },
    "a no of 30 days": { ageMs: 30 * DAY, valid: false, isFresh: false, isUsable: true },
    "a yes that is too old": { ageMs: 30 * DAY + 1, valid: true, isFresh: false, isUsable: false },
    "a no that is too old": { ageMs: 30 * DAY + 1, valid: false, isFresh: false, isUsable: false },
  };

interface Row {
  readonly name: string;
  readonly stored?: CachedAnswer;
  readonly isFresh: boolean;
  readonly isUsable: boolean;
}

const HELD: readonly Row[] = [
  { name: "nothing", isFresh: false, isUsable: false },
  ...Object.entries(AGES).map(([name, { ageMs, valid, isFresh, isUsable }]) => {
    const shown = valid ? { name: "Made up B.V.", address: "Laan 1, 1234XX Dorp" } : {};
    return { name, stored: kept(valid, ageMs, shown), isFresh, isUsable };
  }),
];

const VIES_RESULTS: readonly (readonly [name: string, viesResult: ViesResult])[] = [
  ["yes", answered(true, { name: "Now B.V.", address: "Laan 2" })],
  ["yes, and withholds the name", answered(true)],
  ["no", answered(false)],
  ...FAULTS,
];

const MALFORMED = { status: "malformed", valid: false, checksumValid: false };

/** The table of the contract, §3, for a request that reached VIES. */
function expected(
  { isRefusedByRules, checksumValid }: Sample,
  { stored, isUsable }: Row,
  viesResult: ViesResult,
): object {
  if (isRefusedByRules) return MALFORMED;
  if (viesResult.kind === "answer") {
    const { kind: _, ...fields } = viesResult;
    return { status: "validated", checksumValid, ...fields };
  }
  if (stored === undefined || !isUsable) return { status: "unvalidated", checksumValid };
  const { receivedAtMs, ...fields } = stored;
  // VIES's clock was ten seconds behind.
  const ageSeconds = Math.floor((NOW_MS - receivedAtMs) / SECOND) + 10;
  return { status: "stale", checksumValid, ...fields, ageSeconds };
}

/** Whether the number may be invalid: by its rules, by VIES now, or by a usable stored verdict. */
function mayBeInvalid(
  { isRefusedByRules }: Sample,
  { stored, isUsable }: Row,
  viesResult: ViesResult,
): boolean {
  if (isRefusedByRules) return true;
  if (viesResult.kind === "answer") return !viesResult.valid;
  return isUsable && stored?.valid === false;
}

function expectCell(verdict: Verdict | undefined, number: Sample, row: Row, viesResult: ViesResult): void {
  expect(verdict, row.name).toEqual(expected(number, row, viesResult));
  if (verdict !== undefined && "valid" in verdict && !verdict.valid)
    expect(mayBeInvalid(number, row, viesResult)).toBe(true);
  if (verdict?.status === "unvalidated") expect(verdict).not.toHaveProperty("valid");
}

describe.each(VIES_RESULTS)("with the VIES result %s", (_, viesResult) => {
  it.each(Object.entries(NUMBERS))("of %s", async (_name, number) => {
    for (const row of HELD) {
      const stored = row.stored && { last: row.stored };
      if (viesResult.kind !== "requester-refused") {
        expectCell(verdict(number.number, viesResult, stored, NOW_MS, LIFETIMES), number, row, viesResult);
      }
      const { verdicts, store, asked } = stage({ words: [viesResult] });
      if (row.stored) store.put(number.number.vatNumber, row.stored);
      const before = new Map(store.held);
      expectCell(await verdicts.fromVies(number.number), number, row, viesResult);
      const [ofBatch] = await verdicts.ofBatchFromVies([number.number]);
      expectCell(ofBatch, number, row, viesResult);
      if (number.isRefusedByRules) expect(asked).toEqual([]);
      // Responses are stored, errors are not.
      const isAnswer = viesResult.kind === "answer" && !number.isRefusedByRules;
      if (isAnswer) expect(store.held.get(number.number.vatNumber)?.last.receivedAtMs).toBe(NOW_MS);
      else expect(store.held).toEqual(before);
    }
  });

  it.each(Object.entries(NUMBERS))("%s, with a requester", async (_name, number) => {
    for (const row of HELD) {
      const { verdicts, store } = stage({ words: [viesResult] });
      if (row.stored) store.put(number.number.vatNumber, row.stored);
      const requester = { countryCode: "EU", national: "123456789" };
      const consulted = await verdicts.consult(number.number, requester, "acc");
      if (viesResult.kind === "requester-refused" && !number.isRefusedByRules) {
        expect(consulted).toEqual({ requesterRefused: viesResult.reason });
      } else {
        expectCell("verdict" in consulted ? consulted.verdict : undefined, number, row, viesResult);
      }
    }
  });
});

describe("VIES is not asked", () => {
  it.each(Object.entries(NUMBERS))(
    "with a fresh stored response or a malformed number, for %s",
    async (_, number) => {
      for (const row of HELD) {
        const { verdicts, store, asked } = stage();
        if (row.stored) store.put(number.number.vatNumber, row.stored);
        const { receivedAtMs: _at, ...fresh } = row.stored ?? { receivedAtMs: 0 };
        const now = number.isRefusedByRules
          ? MALFORMED
          : row.isFresh
            ? { status: "validated", checksumValid: number.checksumValid, ...fresh }
            : undefined;
        const held = row.stored && { last: row.stored };
        expect(verdictAtOnce(number.number, held, NOW_MS, LIFETIMES), row.name).toEqual(now);
        expect(await verdicts.fromStore([number.number]), row.name).toEqual([now]);
        expect(verdicts.fromMemory(number.number), row.name).toEqual(now);
        expect(asked).toEqual([]);
      }
    },
  );
});
