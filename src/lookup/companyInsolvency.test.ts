import { describe, expect, it } from "vitest";
import {
  COURT_OBSERVED_AT,
  courtCase,
  courtCases,
  UNREADABLE_COURT,
  undated,
} from "../../test/kit/courtCases.ts";
import { companyFacts, snapshotOf, sourcedFacts } from "../../test/kit/registry.ts";
import type { CompanyFacts } from "../company/facts.ts";
import type { Insolvency } from "../contract/insolvency.ts";
import { LEGAL_FORM_CODES, type LegalForm } from "../contract/legalForms.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { CourtCase, CourtCases } from "../insolvency/types.ts";
import { insolvencyRule } from "./companyInsolvency.ts";

const KVK = "50000001" as KvkNumber;
const NAME = "Bakkerij De Gouden Korenaar B.V.";
const HOME = { street: "Kade", houseNumber: "12A", postalCode: "1234 AB", city: "Rommeldam", country: "NL" };
const AT_HOME = { addresses: [{ postalCode: "1234AB", houseNumber: "12A" }] };
const OWN = { kvkNumbers: [KVK] };
const CURATORS = [{ name: "mr. A. Fabel", city: "Rommeldam", phone: "010-0000000" }];
const STALE = { isCurrent: false, observedAtMs: Date.parse(COURT_OBSERVED_AT) };

const open = courtCase({ ...OWN, curators: CURATORS });
const personal: CourtCase = { ...open, isLegalPerson: false };
const OF_UNKNOWN_FORM = { company: { legalForm: undefined } as never }; // Unknown, which the type does not say.
const older = courtCase({
  ...OWN,
  caseNumber: "S.16/26/7",
  type: "suspension_of_payments",
  since: "2026-09-01",
});
const ended = courtCase({ ...OWN, endedOn: "2026-11-20", curators: CURATORS });
const unplaced = courtCase({ names: [NAME], ...AT_HOME, curators: CURATORS });
const converted: CourtCase = { ...older, endedOn: "2026-11-03", isContinued: true };
const BY_COURT = { observedAt: COURT_OBSERVED_AT, source: "court-register" };
const DETAILS = { court: "Rechtbank Midden-Nederland", caseNumber: "F.16/26/100", since: "2026-11-03" };
const BANKRUPT = { type: "bankruptcy", ...BY_COURT, ...DETAILS, curators: CURATORS };
const NONE = { type: "none", ...BY_COURT };
const KVK_NONE: Insolvency = {
  type: "none",
  observedAt: "2026-11-20T12:00:00.000Z",
  source: "kvk-open-data",
};
const KVK_BANKRUPT: Insolvency = { ...KVK_NONE, type: "bankruptcy" };

const BASE: Partial<CompanyFacts> = { name: NAME, legalForm: "BV", address: { ...HOME, kind: "visiting" } };

interface Situation {
  readonly company?: Partial<CompanyFacts>;
  /** Further companies of the registry. */
  readonly others?: readonly Partial<CompanyFacts>[];
  readonly cases?: CourtCases;
  readonly openData?: Insolvency;
}

async function answerTo({ company = {}, others = [], cases = courtCases([]), openData }: Situation) {
  const facts = companyFacts(1, { ...BASE, ...company });
  const rows = [facts, ...others.map((other, nth) => companyFacts(nth + 2, { ...BASE, ...other }))];
  const current = await snapshotOf(rows.map((row, nth) => sourcedFacts(nth + 1, row)));
  let differences = 0;
  const onDifference = () => {
    differences++;
  };
  const insolvency = insolvencyRule({ cases, registry: { current }, onDifference }).of(facts, openData);
  return { insolvency, differences };
}

const onlyNow = (...cases: CourtCase[]) => courtCases(cases);
const whenStale = (...cases: CourtCase[]) => courtCases(cases, { currency: STALE });
const hiding = (hidden: CourtCase) => courtCases([undated(hidden)]);

describe("the insolvency of a company", () => {
  it.each<[name: string, situation: Situation, insolvency: object | undefined]>([
    ["is none for a legal person without a case", {}, NONE],
    ["is unknown for an unknown legal form", OF_UNKNOWN_FORM, undefined],
    ["is that of an open case", { cases: onlyNow(open) }, BANKRUPT],
    [
      "is that of an open case of a sole trader",
      { cases: onlyNow(personal), company: { legalForm: "EMZ" } },
      BANKRUPT,
    ],
    [
      "is that of a person's case if the legal form is unknown",
      { cases: onlyNow(personal), ...OF_UNKNOWN_FORM },
      BANKRUPT,
    ],
    ["is unknown with the case of a person who names the number", { cases: onlyNow(personal) }, undefined],
    [
      "is not none by KVK with the case of a person who names the number",
      { cases: onlyNow(personal), openData: KVK_NONE },
      undefined,
    ],
    [
      "is that of its own case next to a newer one of a person who names the number",
      { cases: onlyNow({ ...personal, since: "2026-11-19" }, open) },
      BANKRUPT,
    ],
    [
      "is unknown for a partnership with the case of a partner",
      { cases: onlyNow(personal), company: { legalForm: "VOF" } },
      undefined,
    ],
    [
      "is that of the case of a partnership",
      { cases: onlyNow(open), company: { legalForm: "VOF" } },
      BANKRUPT,
    ],
    [
      "is unknown for a sole trader with the case of a legal person",
      { cases: onlyNow(open), company: { legalForm: "EMZ" } },
      undefined,
    ],
    [
      "is none without the ended case of a person who names the number",
      { cases: onlyNow({ ...personal, endedOn: "2026-11-20" }) },
      NONE,
    ],
    ["is that of the newest of several open cases", { cases: onlyNow(older, open) }, BANKRUPT],
    [
      "is that of an open case next to an ended one",
      { cases: onlyNow({ ...older, endedOn: "2026-11-03" }, open) },
      BANKRUPT,
    ],
    [
      "is none with an ended case, without curators",
      { cases: onlyNow(ended) },
      { ...NONE, ...DETAILS, endedOn: "2026-11-20" },
    ],
    [
      "is none with the case that ended last",
      { cases: onlyNow({ ...older, endedOn: "2026-11-03" }, ended) },
      { ...NONE, ...DETAILS, endedOn: "2026-11-20" },
    ],
    [
      "is unknown for a sole trader whose case has ended",
      { cases: onlyNow(ended), company: { legalForm: "EMZ" } },
      undefined,
    ],
    ["is unknown with a case without a date", { cases: onlyNow(undated(open)) }, undefined],
    [
      "is that of a dated case next to one without a date",
      { cases: onlyNow(undated(older), open) },
      BANKRUPT,
    ],
    [
      "is unknown with an ended case and one without a date",
      { cases: onlyNow(ended, undated(older)) },
      undefined,
    ],
    [
      "is unknown if the last case goes on in one that is not known",
      { cases: onlyNow(converted) },
      undefined,
    ],
    [
      "is none if the case that it went on in has ended",
      { cases: onlyNow(converted, ended) },
      { ...NONE, ...DETAILS, endedOn: "2026-11-20" },
    ],
    ["is unknown with a hidden case", { cases: hiding(open) }, undefined],
    ["is not none by KVK while a case is hidden", { cases: hiding(open), openData: KVK_NONE }, undefined],
    ["is that of an old open case", { cases: whenStale(open) }, BANKRUPT],
    ["is never none by old data", { cases: whenStale() }, undefined],
    ["is never none by old data with an ended case", { cases: whenStale(ended) }, undefined],
    [
      "is unknown while the register cannot be read",
      { cases: { ...onlyNow(open), currency: undefined } },
      undefined,
    ],
    [
      "is KVK's while the register cannot be read",
      { cases: UNREADABLE_COURT, openData: KVK_BANKRUPT },
      KVK_BANKRUPT,
    ],
    ["is KVK's while the register is old", { cases: whenStale(), openData: KVK_NONE }, KVK_NONE],
    ["is the court's while old and KVK has none", { cases: whenStale(open), openData: KVK_NONE }, BANKRUPT],
    [
      "is KVK's with a case without a date",
      { cases: onlyNow(undated(open)), openData: KVK_BANKRUPT },
      KVK_BANKRUPT,
    ],
  ])("%s", async (_name, situation, insolvency) => {
    expect((await answerTo(situation)).insolvency).toEqual(insolvency);
  });

  const LEGAL_PERSONS: readonly LegalForm[] = [
    ...(["BV", "NV", "STI", "VER", "VVE", "COOP", "OWM", "KG", "PPR", "OPR", "SE", "SCE", "EESV"] as const),
  ];
  it.each(LEGAL_FORM_CODES)("is none only for legal persons: %s", async (legalForm) => {
    const isLegalPerson = LEGAL_PERSONS.includes(legalForm);
    for (const cases of [onlyNow(), onlyNow(ended)]) {
      const { insolvency } = await answerTo({ cases, company: { legalForm } });
      expect(insolvency?.type).toBe(isLegalPerson ? "none" : undefined);
    }
  });

  it.each<[name: string, situation: Situation, isMatched: boolean]>([
    ["name, postal code and house number", {}, true],
    [
      "the statutory name",
      { company: { name: "Korenaar", statutoryName: "BAKKERIJ de gouden korenaar BV" } },
      true,
    ],
    [
      "a house number written otherwise",
      { company: { address: { ...HOME, houseNumber: "12 a", kind: "visiting" } } },
      true,
    ],
    ["no trading name", { company: { name: "Korenaar Holding B.V.", tradingNames: [NAME] } }, false],
    ["not without the legal form", { company: { name: "Bakkerij De Gouden Korenaar" } }, false],
    [
      "not with another house number",
      { company: { address: { ...HOME, houseNumber: "12", kind: "visiting" } } },
      false,
    ],
    [
      "not with another postal code",
      { company: { address: { ...HOME, postalCode: "1234 AC", kind: "visiting" } } },
      false,
    ],
    ["not without an address", { company: { address: undefined } as never }, false], // Unknown, as above.
    [
      "not by a shielded address",
      { company: { address: { ...HOME, isShielded: true, kind: "visiting" } } },
      false,
    ],
    ["not if another company has both", { others: [{}] }, false],
    [
      "not if another company trades under the name there",
      { others: [{ name: "Molen", tradingNames: [NAME] }] },
      false,
    ],
    [
      "a namesake elsewhere",
      { others: [{ address: { ...HOME, houseNumber: "14", kind: "visiting" } }] },
      true,
    ],
    ["a neighbour", { others: [{ name: "Molen B.V." }] }, true],
    ["not a sole trader, if the court names a legal person", { company: { legalForm: "EMZ" } }, false],
    [
      "not a legal person, if the court names a person",
      { cases: onlyNow({ ...unplaced, isLegalPerson: false }) },
      false,
    ],
    [
      "a sole trader, if the court names a person",
      { cases: onlyNow({ ...unplaced, isLegalPerson: false }), company: { legalForm: "EMZ" } },
      true,
    ],
    ["not a case without a date", { cases: onlyNow(undated(unplaced)) }, false],
  ])("is that of a case without a number by %s", async (_name, situation, isMatched) => {
    const { insolvency } = await answerTo({ cases: onlyNow(unplaced), ...situation });
    expect(insolvency).toEqual(isMatched ? { ...BANKRUPT, matchedBy: "name" } : undefined);
  });

  it.each<[name: string, company: Partial<CompanyFacts>]>([
    ["name without its legal form", { name: "Bakkerij De Gouden Korenaar" }],
    ["name", { address: { ...HOME, houseNumber: "99", kind: "visiting" } }],
    [
      "statutory name",
      { name: "Korenaar", statutoryName: NAME, address: { ...HOME, houseNumber: "99", kind: "visiting" } },
    ],
    ["trading name", { name: "Korenaar", tradingNames: ["Broodje", NAME] }],
  ])("is never none if a case without a number has its %s", async (_name, company) => {
    for (const cases of [onlyNow(unplaced), onlyNow(unplaced, ended), hiding(unplaced)]) {
      expect((await answerTo({ company, cases })).insolvency).toBeUndefined();
      expect((await answerTo({ company, cases, openData: KVK_NONE })).insolvency).toBeUndefined();
    }
  });

  it("is by number if a case names it, and by name only without one", async () => {
    const { insolvency } = await answerTo({ cases: onlyNow({ ...unplaced, caseNumber: "F.16/26/9" }, open) });
    expect(insolvency).toEqual(BANKRUPT);
  });

  it("is not found by name without a registry", () => {
    const facts = companyFacts(1, BASE);
    const rule = insolvencyRule({ cases: onlyNow(unplaced), registry: { current: undefined } });
    expect(rule.of(facts, undefined)).toBeUndefined();
  });

  it.each<
    [name: string, cases: CourtCases, openData: Insolvency | undefined, type: string, differences: number]
  >([
    ["open, KVK has none", onlyNow(open), KVK_NONE, "bankruptcy", 1],
    ["none, KVK has one", onlyNow(), KVK_BANKRUPT, "none", 1],
    ["ended, KVK has one", onlyNow(ended), KVK_BANKRUPT, "none", 1],
    ["the same", onlyNow(open), KVK_BANKRUPT, "bankruptcy", 0],
    ["the court alone", onlyNow(open), undefined, "bankruptcy", 0],
    ["KVK alone", whenStale(), KVK_BANKRUPT, "bankruptcy", 0],
  ])(
    "is the court's when both differ, which is counted: %s",
    async (_name, cases, openData, type, differences) => {
      const answer = await answerTo({ cases, ...(openData && { openData }) });
      expect([answer.insolvency?.type, answer.differences]).toEqual([type, differences]);
    },
  );
});
