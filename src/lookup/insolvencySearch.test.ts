import { describe, expect, it } from "vitest";
import {
  COURT_OBSERVED_AT,
  courtCase,
  courtCases,
  UNREADABLE_COURT,
  undated,
} from "../../test/kit/courtCases.ts";
import { companyFacts, type OpenSnapshot, snapshotForAll, sourcedFacts } from "../../test/kit/registry.ts";
import { LEGAL_FORM_CODES } from "../contract/legalForms.ts";
import { kvkNumberOf } from "../contract/numbers.ts";
import type { CourtCases } from "../insolvency/types.ts";
import type { FindingCriteria } from "../search/criteria.ts";
import type { FoundPage } from "../search/finder.ts";
import type { Answer } from "./answer.ts";
import { insolvencyRule } from "./companyInsolvency.ts";
import { CompanyFinder } from "./finding.ts";

const COMPANIES = 2_000;
/** Every legal form, a third in Zeist, some with trading names, some inactive; ten of each name. */
const companies = Array.from({ length: COMPANIES }, (_, number) =>
  companyFacts(number, {
    name: `Voorbeeld ${number % 200} B.V.`,
    isActive: number % 13 !== 0,
    address: { kind: "visiting", city: number % 3 === 0 ? "Zeist" : "Utrecht", country: "NL" },
    ...(number % 5 !== 0 ? { legalForm: "BV" } : legalFormOf(number / 5)),
    ...(number % 7 === 0 && { tradingNames: [`Voorbeeld winkel ${number}`] }),
  }),
);

function legalFormOf(nth: number) {
  const legalForm = LEGAL_FORM_CODES[nth % (LEGAL_FORM_CODES.length + 1)];
  return legalForm === undefined ? {} : { legalForm };
}

/** Of twelve companies: some have a case: open, ended, continued, hidden, or of a person. */
const own = companies.flatMap(({ kvkNumber }, number) => {
  const one = courtCase({ id: kvkNumber, caseNumber: kvkNumber, kvkNumbers: [kvkNumber] });
  const continued = { ...one, endedOn: "2026-11-03", isContinued: true } as const;
  return (
    {
      1: [continued],
      2: [continued, { ...one, endedOn: "2026-11-20" }],
      3: [one],
      4: [{ ...one, endedOn: "2026-11-20" }],
      5: [undated(one)],
      6: [{ ...one, isLegalPerson: false }],
    }[number % 12] ?? []
  );
});
const unplaced = [courtCase({ names: ["Voorbeeld 7 B.V."] }), courtCase({ names: ["Voorbeeld winkel 140"] })];
const court = courtCases([...own, ...unplaced]);

let snapshot: OpenSnapshot;
snapshotForAll(
  () => companies.map((facts) => ({ ...sourcedFacts(1), facts })),
  (opened) => {
    snapshot = opened;
  },
);

const finderWith = (cases: CourtCases | undefined) =>
  new CompanyFinder({ registry: { current: snapshot }, court: cases });

async function pageOf(finder: CompanyFinder, criteria: Partial<FindingCriteria>): Promise<FoundPage> {
  const answer = (await finder.search({ page: 1, pageSize: 100, ...criteria })) as Answer<FoundPage>;
  if (answer.kind !== "found") throw new Error(`the search has no answer: ${JSON.stringify(answer)}`);
  return answer.found;
}

/** The numbers that lookups answer with a type. */
function expected(type: "bankruptcy" | "none", filter: (number: number) => boolean): readonly string[] {
  const rule = insolvencyRule({ cases: court, registry: { current: snapshot } });
  const PERSONS = ["EMZ", "VOF", "CV", "MTS", "REDE", "FGR", "BUI", undefined];
  return companies
    .filter((facts, number) => filter(number) && !PERSONS.includes(facts.legalForm))
    .filter((facts) => rule.of(facts, undefined)?.type === type)
    .map(({ kvkNumber }) => kvkNumber);
}

describe("a search by insolvency", () => {
  it.each<[name: string, criteria: Partial<FindingCriteria>, filter: (number: number) => boolean]>([
    ["all", {}, () => true],
    ["a city", { city: "Zeist" }, (number) => number % 3 === 0],
    ["active companies", { isActive: true }, (number) => number % 13 !== 0],
    ["a legal form", { legalForm: "BV" }, (number) => companies[number]?.legalForm === "BV"],
    ["a name", { q: "voorbeeld" }, () => true],
    ["a trading name", { q: "winkel" }, (number) => number % 7 === 0],
    ["a name and a city", { q: "voorbeeld", city: "Zeist" }, (number) => number % 3 === 0],
    ["the start of a number", { q: "500010" }, (number) => number >= 1_000 && number < 1_100],
    ["a misspelled name", { q: "winkell" }, (number) => number % 7 === 0],
  ])(
    "finds the companies that lookups answer so, on stable pages with right totals: %s",
    async (_name, criteria, filter) => {
      const finder = finderWith(court);
      for (const [insolvent, type] of [
        [true, "bankruptcy"],
        [false, "none"],
      ] as const) {
        const numbers: string[] = [];
        const totals = new Set<number>();
        for (let page = 1; page <= 20; page++) {
          const found = await pageOf(finder, { ...criteria, insolvent, page });
          numbers.push(...found.results.map(({ kvkNumber }) => kvkNumber));
          totals.add(found.total);
        }
        const answers = expected(type, filter);
        expect(answers.length).toBeGreaterThan(0);
        expect(numbers.toSorted()).toEqual(answers);
        expect([...totals]).toEqual([answers.length]);
      }
    },
  );

  it("finds a company by its EUID only if it matches", async () => {
    const finder = finderWith(court);
    const [insolvent = ""] = expected("bankruptcy", () => true);
    const euid = `NLNHR.${insolvent}`;
    expect((await pageOf(finder, { euid, insolvent: true })).results).toMatchObject([
      { kvkNumber: insolvent },
    ]);
    expect((await pageOf(finder, { euid, insolvent: false })).results).toEqual([]);
  });

  it("leaves suppressed companies out", async () => {
    const [hidden = ""] = expected("bankruptcy", () => true);
    const suppressed = { size: 1, has: (kvkNumber: string) => kvkNumber === hidden };
    const finder = new CompanyFinder({ registry: { current: snapshot }, court, suppressed });
    const { results, total } = await pageOf(finder, { q: hidden, insolvent: true });
    expect([results, total]).toEqual([[], 0]);
  });

  it("follows new cases", async () => {
    let cases = courtCases([]);
    const finder = finderWith({
      get currency() {
        return cases.currency;
      },
      casesOf: (kvkNumber) => cases.casesOf(kvkNumber),
      get unplaced() {
        return cases.unplaced;
      },
      get insolvent() {
        return cases.insolvent;
      },
      get uncertain() {
        return cases.uncertain;
      },
    });
    const q = "50000001";
    const totals = async () => {
      const pages = [true, false].map((insolvent) => pageOf(finder, { q, insolvent }));
      return (await Promise.all(pages)).map(({ total }) => total);
    };
    expect(await totals()).toEqual([0, 1]);
    const one = courtCase({ kvkNumbers: [kvkNumberOf(50_000_001)] });
    cases = courtCases([one]);
    expect(await totals()).toEqual([1, 0]);
    cases = courtCases([undated(one)]);
    expect(await totals()).toEqual([0, 0]);
    cases = courtCases([courtCase({ names: ["Voorbeeld 1"] })]);
    expect(await totals()).toEqual([0, 0]);
  });

  it.each<[name: string, cases: CourtCases | undefined, problem: string]>([
    ["is not set up", undefined, "not-set-up"],
    ["is not loaded", UNREADABLE_COURT, "not-loaded"],
    [
      "is old",
      courtCases(own, { currency: { isCurrent: false, observedAtMs: Date.parse(COURT_OBSERVED_AT) } }),
      "old",
    ],
  ])("has no answer while the court's register %s, never an empty page", async (_name, cases, problem) => {
    for (const insolvent of [true, false]) {
      const criteria = { q: "voorbeeld", insolvent, page: 1, pageSize: 10 };
      expect(await finderWith(cases).search(criteria)).toEqual({ kind: "no-court", problem });
    }
  });
});
