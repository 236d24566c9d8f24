import { describe, expect, it } from "vitest";
import { snapshotOf, sourcedFacts } from "../../test/kit/registry.ts";
import { stage } from "../../test/kit/verdicts.ts";
import type { CompanyFacts } from "../company/facts.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { StoredOpenData } from "../kvk/openData/queries.ts";
import { Companies } from "./companies.ts";
import type { OpenDataSource } from "./companyOpenData.ts";
import { Lookup } from "./lookup.ts";

const KVK = "50000001" as KvkNumber;
const UNKNOWN = "59999999" as KvkNumber;
const ANY = { maxAgeMs: undefined, vatMaxAgeMs: undefined };
const OBSERVED_AT = "2026-10-03T21:02:05.698Z";
const OPEN_DATA: StoredOpenData = { insolvency: "none", observedAtMs: Date.parse(OBSERVED_AT) };

async function lookupWith(of: OpenDataSource["of"], ...companies: readonly Partial<CompanyFacts>[]) {
  const registry = {
    current: await snapshotOf(companies.map((facts, index) => sourcedFacts(index + 1, facts))),
  };
  return new Lookup({
    companies: new Companies({ registry, freshForMs: Number.POSITIVE_INFINITY }),
    verdicts: stage({}).verdicts,
    openData: { of },
    liveWaits: { oneMs: 1_000, batchMs: 1_000 },
  });
}

describe("KVK's open data", () => {
  const insolvency = { type: "none", observedAt: OBSERVED_AT, source: "kvk-open-data" } as const;

  it("is added to enriched companies only, without a promise if it is in memory", async () => {
    const requested: (readonly string[])[] = [];
    const known = (numbers: readonly string[]) => {
      requested.push(numbers);
      return new Map([[KVK, OPEN_DATA]]);
    };
    const lookup = await lookupWith(known, { activities: [] }, { activities: [] });
    const enriched = lookup.enriched(KVK, ANY);
    expect(enriched).toMatchObject({ kind: "found", found: { kvkNumber: KVK, insolvency } });
    expect(lookup.enriched("50000002" as KvkNumber, ANY)).not.toHaveProperty("found.insolvency");
    expect(lookup.enriched(UNKNOWN, ANY)).toMatchObject({ kind: "absent" });
    expect(requested).toEqual([[KVK], ["50000002"]]);
    expect(lookup.basic(KVK, undefined)).not.toHaveProperty("found.insolvency");
  });

  it("is read for a whole batch at once", async () => {
    const requested: (readonly string[])[] = [];
    const known = async (numbers: readonly string[]) => {
      requested.push(numbers);
      return new Map([[KVK, OPEN_DATA]]);
    };
    const lookup = await lookupWith(known, { activities: [] }, { activities: [] });
    const batch = await lookup.enrichedBatch([KVK, "50000002", UNKNOWN, "x"]);
    expect(batch).toMatchObject({
      kind: "found",
      found: [
        { sent: KVK, answer: { kind: "found", found: { insolvency } } },
        { sent: "50000002", answer: { kind: "found" } },
        { sent: UNKNOWN, answer: { kind: "absent" } },
        { sent: "x", answer: { kind: "invalid" } },
      ],
    });
    expect(requested).toEqual([[KVK, "50000002"]]);
  });

  const CODES = [{ sbiCode: "69101", isMain: true }];
  const SHOWN = [
    { sbiCode: "69101", sbiVersion: "2025", description: expect.stringContaining("dvocat"), isMain: true },
  ];
  const OWN = [{ sbiCode: "10710", description: "Bakkerij", isMain: true }];
  const ANSWER = { ...OPEN_DATA, activities: CODES, startDate: "2010-12-31" };
  const both = { fields: ["activities", "startDate"], observedAt: OBSERVED_AT };
  it.each<
    [name: string, own: Partial<CompanyFacts>, answer: StoredOpenData, shown: object, openData: unknown]
  >([
    [
      "adds activities and start date where no origin has them",
      {},
      ANSWER,
      { activities: SHOWN, startDate: "2010-12-31" },
      both,
    ],
    [
      "does not replace activities",
      { activities: OWN },
      ANSWER,
      { activities: OWN.map((own) => ({ ...own, sbiVersion: "2025" })), startDate: "2010-12-31" },
      { ...both, fields: ["startDate"] },
    ],
    [
      "does not replace a known absence of activities",
      { activities: [], startDate: "2011-01-01" },
      ANSWER,
      { activities: [], startDate: "2011-01-01" },
      undefined,
    ],
    [
      "is no date of registration",
      { registrationDate: "2011-03-14", activities: OWN },
      ANSWER,
      { registrationDate: "2011-03-14", startDate: "2010-12-31" },
      { ...both, fields: ["startDate"] },
    ],
    [
      "may say nothing of both",
      {},
      OPEN_DATA,
      { activities: undefined, startDate: undefined, insolvency },
      undefined,
    ],
    [
      "may not have the company",
      {},
      { observedAtMs: 1 },
      { activities: undefined, insolvency: undefined },
      undefined,
    ],
  ])("%s", async (_, own, answer, shown, openData) => {
    const lookup = await lookupWith(() => new Map([[KVK, answer]]), own);
    const expected = { ...shown, source: expect.objectContaining({ kvk: sourcedFacts(1).origin, openData }) };
    const companyOf = (found: unknown) =>
      Object.fromEntries(Object.keys(expected).map((key) => [key, Object(found)[key]]));
    const one = lookup.enriched(KVK, ANY);
    const [inBatch] = Object(await lookup.enrichedBatch([KVK])).found;
    for (const found of [Object(one).found, inBatch.answer.found]) {
      expect({ ...companyOf(found), source: { openData: undefined, ...found.source } }).toEqual(expected);
      expect(found.registrationDate).toBe(own.registrationDate ?? sourcedFacts(1).facts.registrationDate);
    }
  });
});
