import { expect, it } from "vitest";
import { COURT_OBSERVED_AT, courtCase, courtCases } from "../../test/kit/courtCases.ts";
import { snapshotOf, sourcedFacts } from "../../test/kit/registry.ts";
import { stage } from "../../test/kit/verdicts.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { Companies } from "./companies.ts";
import { insolvencyRule } from "./companyInsolvency.ts";
import { Lookup } from "./lookup.ts";

const [KVK, OTHER] = ["50000001", "50000002"] as [KvkNumber, KvkNumber];
const NAME = "Bakkerij De Gouden Korenaar B.V.";
const CURATORS = [{ name: "mr. A. Fabel", city: "Rommeldam" }];
const SEEN = { observedAt: COURT_OBSERVED_AT, source: "court-register" };
const NONE = { type: "none", ...SEEN };
const CASE = { court: "Rechtbank Midden-Nederland", caseNumber: "F.16/26/100", since: "2026-11-03" };
const WITHOUT_CURATORS = { type: "bankruptcy", ...SEEN, ...CASE };
const BANKRUPT = { ...WITHOUT_CURATORS, curators: CURATORS };

it("the court's register answers one company and a batch alike, next to KVK's open data, and lists without curators", async () => {
  const rows = [
    sourcedFacts(1, { name: NAME, legalForm: "BV", activities: [] }),
    sourcedFacts(2, { name: "Molen B.V.", legalForm: "BV" }),
  ];
  const registry = { current: await snapshotOf(rows) };
  const cases = courtCases([courtCase({ kvkNumbers: [KVK], curators: CURATORS })]);
  const differing: string[] = [];
  const onDifference = () => differing.push("once");
  const startDate = "2010-12-31";
  const openData = {
    insolvency: "none",
    observedAtMs: 0,
    startDate,
  } as const;
  const lookup = new Lookup({
    companies: new Companies({ registry, freshForMs: Number.POSITIVE_INFINITY }),
    verdicts: stage({}).verdicts,
    openData: { of: () => new Map([[KVK, openData]]) },
    insolvency: insolvencyRule({ cases, registry, onDifference }),
    liveWaits: { oneMs: 0, batchMs: 0 },
  });
  const ages = { maxAgeMs: undefined, vatMaxAgeMs: undefined };
  const added = { source: { openData: { fields: ["startDate"] } }, startDate, insolvency: BANKRUPT };
  expect(lookup.enriched(KVK, ages)).toMatchObject({ found: added });
  expect(lookup.enriched(OTHER, ages)).toMatchObject({ found: { insolvency: NONE } });
  expect(lookup.basic(KVK, undefined)).not.toHaveProperty("found.insolvency");
  expect(await lookup.enrichedBatch([KVK, OTHER])).toMatchObject({
    found: [{ answer: { found: added } }, { answer: { found: { insolvency: NONE } } }],
  });
  expect(await lookup.insolvencies([KVK, OTHER, "59999999", "x"])).toEqual({
    kind: "found",
    found: [
      {
        sent: KVK,
        answer: { kind: "found", found: { kvkNumber: KVK, name: NAME, insolvency: WITHOUT_CURATORS } },
      },
      {
        sent: OTHER,
        answer: { kind: "found", found: { kvkNumber: OTHER, name: "Molen B.V.", insolvency: NONE } },
      },
      { sent: "59999999", answer: { kind: "absent", kvkNumber: "59999999" } },
      { sent: "x", answer: { kind: "invalid" } },
    ],
  });
  expect(differing).toHaveLength(3);
});
