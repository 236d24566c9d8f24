import { expect, it } from "vitest";
import { type KvkNumber, parseKvkNumber } from "../contract/numbers.ts";
import type { MatchDecision, RankedCandidate, Ranking } from "./types.ts";
import { withoutCandidates } from "./withoutCandidates.ts";

function numberOf(digits: string): KvkNumber {
  const kvkNumber = parseKvkNumber(digits);
  if (kvkNumber === undefined) throw new Error(`${digits} is not a KVK number`);
  return kvkNumber;
}

const [FIRST, SECOND] = [numberOf("50000001"), numberOf("50000002")];

function candidate(kvkNumber: KvkNumber, score: number): RankedCandidate {
  return { kvkNumber, name: "Veer", isActive: true, score, match: score >= 90, features: {} };
}

const result = (decision: MatchDecision, ...candidates: RankedCandidate[]): Ranking => ({
  decision,
  candidates,
});
const without = (removed: KvkNumber, from: Ranking) => withoutCandidates(from, (one) => one === removed);

it("returns the same result when no candidate is removed", () => {
  const before = result("matched", candidate(FIRST, 99));
  expect(without(SECOND, before)).toBe(before);
});

it("decides again as if the company were not in the registry", () => {
  expect(without(FIRST, result("matched", candidate(FIRST, 100)))).toEqual(result("none"));
  const of = (decision: MatchDecision, score: number) => result(decision, candidate(SECOND, score));
  expect(without(FIRST, result("ambiguous", candidate(FIRST, 50), candidate(SECOND, 20)))).toEqual(
    of("none", 40),
  );
  expect(without(FIRST, result("matched", candidate(SECOND, 95), candidate(FIRST, 3)))).toEqual(
    of("matched", 95),
  );
});

it("never makes another company a match, because the scores were rounded", () => {
  const { decision, candidates } = without(
    FIRST,
    result("matched", candidate(FIRST, 99), candidate(SECOND, 1)),
  );
  expect(decision).toBe("ambiguous");
  expect(candidates).toMatchObject([{ score: 89.9, match: false }]);
});
