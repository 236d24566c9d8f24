import { describe, expect, it } from "vitest";
import { snapshotOf, sourcedFacts } from "../../test/kit/registry.ts";
import { kept, stage } from "../../test/kit/verdicts.ts";
import { answered } from "../../test/kit/viesResults.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { vatNumberOfRsin } from "../contract/numbers.ts";
import { resultOfCode, UNREACHABLE } from "../vat/vies/codes.ts";
import type { Answer, LookupResult, MaybePromise, Payer, WhenPaid } from "./answer.ts";
import { Companies } from "./companies.ts";
import { CompanyFinder } from "./finding.ts";
import { Lookup } from "./lookup.ts";
import { parseVatQuery, type VatQuery } from "./vatQuery.ts";

const KVK = "50000001" as KvkNumber;
const UNKNOWN = "59999999" as KvkNumber;
/** The RSIN of a company whose VAT number passes the Dutch checksum. */
const RSIN = "123456782";
const VAT = vatNumberOfRsin(RSIN);
const ANY = { maxAgeMs: undefined, vatMaxAgeMs: undefined };

/** A lookup over a snapshot of two companies, the first with a VAT number, and VIES with scripted results. */
async function lookupOver(words: Parameters<typeof stage>[0] = {}) {
  const snapshot = await snapshotOf([sourcedFacts(1, { rsin: RSIN, activities: [] }), sourcedFacts(2)]);
  const registry = { current: snapshot };
  const vies = stage(words);
  const lookup = new Lookup({
    companies: new Companies({ registry, freshForMs: Number.POSITIVE_INFINITY }),
    verdicts: vies.verdicts,
    liveWaits: { oneMs: 1_000, batchMs: 1_000 },
  });
  return { lookup, ...vies };
}

const PAYER: Payer = { accountId: "acc", tierName: "free" };

function paid<Found>(result: LookupResult<Found>): WhenPaid<Answer<Found>> {
  if (!("whenPaid" in result)) throw new Error(`it is ${result.kind}`);
  return result;
}

const isAtOnce = <T>(result: MaybePromise<T>): boolean => !(result instanceof Promise);

describe("a company in the snapshot", () => {
  it("is returned without a promise between lookup and charge", async () => {
    const { lookup } = await lookupOver();
    const basic = lookup.basic(KVK, undefined);
    expect(basic).toMatchObject({ kind: "found", found: { kvkNumber: KVK } });
    expect(lookup.basic(UNKNOWN, undefined)).toEqual({ kind: "absent", kvkNumber: UNKNOWN });
    expect(lookup.branches(KVK, undefined)).toMatchObject({ kind: "found", found: { hasLiveSource: false } });
    expect(lookup.basicBatch([KVK, "x", KVK])).toMatchObject({
      kind: "found",
      found: [
        { sent: KVK, answer: { kind: "found" } },
        { sent: "x", answer: { kind: "invalid" } },
      ],
    });
    const withoutVat = lookup.enriched("50000002" as KvkNumber, ANY);
    expect(isAtOnce(withoutVat)).toBe(true);
  });
});

describe("the verdict on a company's VAT number", () => {
  it("comes from memory, then the store, then VIES as paid work", async () => {
    const { lookup, store, asked } = await lookupOver({ words: [answered(true)] });
    const first = paid(await lookup.enriched(KVK, ANY));
    expect([asked.length, store.reads]).toEqual([0, 1]);
    expect(await first.whenPaid(PAYER)).toMatchObject({
      kind: "found",
      found: { vat: { number: VAT, status: "validated", valid: true } },
    });
    expect(asked).toHaveLength(1);
    const { reads } = store;
    const again = lookup.enriched(KVK, ANY);
    expect(isAtOnce(again)).toBe(true);
    expect(again).toMatchObject({ kind: "found", found: { vat: { status: "validated" } } });
    expect([asked.length, store.reads]).toEqual([1, reads]);
  });

  it("comes from the store without paid work, and from VIES if the caller wants a newer one", async () => {
    const { lookup, store, asked } = await lookupOver({ words: [UNREACHABLE] });
    store.put(VAT, kept(true, 60_000));
    const stored = lookup.enriched(KVK, ANY);
    expect(isAtOnce(stored)).toBe(false);
    expect(await stored).toMatchObject({ kind: "found", found: { vat: { status: "validated" } } });
    const younger = paid(await lookup.enriched(KVK, { maxAgeMs: undefined, vatMaxAgeMs: 1_000 }));
    expect(await younger.whenPaid(PAYER)).toMatchObject({ found: { vat: { status: "stale", valid: true } } });
    expect(asked).toHaveLength(1);
  });

  it("is requested once in a batch, along with its other numbers", async () => {
    const { lookup, store } = await lookupOver({ words: [answered(false)] });
    const batch = paid(await lookup.enrichedBatch([UNKNOWN, KVK, "1", "50000002", KVK]));
    expect(store.reads).toBe(1);
    expect(await batch.whenPaid(PAYER)).toMatchObject({
      found: [
        { sent: UNKNOWN, answer: { kind: "absent", kvkNumber: UNKNOWN } },
        { sent: KVK, answer: { kind: "found", found: { vat: { valid: false, origin: "rsin" } } } },
        { sent: "1", answer: { kind: "invalid" } },
        { sent: "50000002", answer: { kind: "found" } },
      ],
    });
  });
});

describe("a VAT number query", () => {
  const question = (vatNumber: string, requester?: string): VatQuery => {
    const read = parseVatQuery(vatNumber, requester);
    if ("wrongPart" in read) throw new Error(read.message);
    return read;
  };

  it("is parsed leniently, with specific errors", () => {
    expect(question("nl 1234.56.782 b01", "EU123456789")).toMatchObject({
      number: { countryCode: "NL", national: "123456782B01", vatNumber: VAT },
      requester: { countryCode: "EU", national: "123456789" },
    });
    expect(parseVatQuery("GB123456782", undefined)).toMatchObject({ wrongPart: "number" });
    expect(parseVatQuery(VAT, "EU12")).toMatchObject({ wrongPart: "requester" });
    expect(parseVatQuery(VAT, "NL123456789B01")).toMatchObject({ wrongPart: "requester" });
  });

  it("returns at once if the rules reject the number, even with a requester", async () => {
    const { lookup, asked } = await lookupOver({ words: [UNREACHABLE] });
    for (const requester of [undefined, VAT]) {
      expect(lookup.verdict(question("NL123456789B01", requester), undefined)).toMatchObject({
        found: { vatNumber: "NL123456789B01", verdict: { status: "malformed" } },
      });
    }
    expect(asked).toEqual([]);
  });

  it("with a requester always asks VIES, and reports a rejected requester", async () => {
    const refused = resultOfCode("INVALID_REQUESTER_INFO");
    const { lookup, store } = await lookupOver({
      words: [answered(true, { consultationNumber: "W" }), refused],
    });
    store.put(VAT, kept(true, 0));
    const asking = () =>
      paid(lookup.verdict(question(VAT, VAT), undefined) as LookupResult<unknown>).whenPaid(PAYER);
    expect(await asking()).toMatchObject({ found: { vatNumber: VAT, consultationNumber: "W" } });
    expect(await asking()).toEqual({ kind: "found", found: { requesterRefused: "INVALID_REQUESTER_INFO" } });
  });
});

it("finds no company without a registry, alone or in a batch", async () => {
  const { verdicts } = stage();
  const registry = { current: undefined };
  const lookup = new Lookup({
    companies: new Companies({ registry, freshForMs: 0 }),
    verdicts,
    liveWaits: { oneMs: 1, batchMs: 1 },
  });
  const finder = new CompanyFinder({ registry });
  const nothing = { kind: "no-registry" };
  expect([
    lookup.basic(KVK, undefined),
    lookup.enriched(KVK, ANY),
    lookup.branches(KVK, undefined),
    lookup.basicBatch([]),
    lookup.enrichedBatch([KVK]),
    finder.autocomplete("ba", 8),
    finder.search({ q: "ba", page: 1, pageSize: 10 }),
  ]).toEqual(Array(7).fill(nothing));
});
