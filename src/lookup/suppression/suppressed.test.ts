import { describe, expect, it } from "vitest";
import { DAY, kept, stage } from "../../../test/kit/verdicts.ts";
import { answered, numberOf } from "../../../test/kit/viesResults.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import type { LivePage } from "../../kvk/liveSource.ts";
import {
  allowedAnswer,
  allowedCompanies,
  allowedPage,
  allowedVerdict,
  NOTHING_SUPPRESSED,
  withoutSuppressedDetails,
  withoutSuppressedHits,
} from "./suppressed.ts";

const [GONE, THERE] = ["50000001", "50000002"] as [KvkNumber, KvkNumber];
const PL = numberOf("PL", 1);
const LIST = {
  size: 1,
  has: (kvkNumber: string) => kvkNumber === GONE,
  hasVatNumber: (vatNumber: string) => vatNumber === PL.vatNumber,
};
const row = (kvkNumber: KvkNumber) => ({ kvkNumber, name: "Fabel", isActive: true });

describe("a suppressed company", () => {
  it("is not found, and no upstream is called for it", () => {
    const absent = { kind: "absent", kvkNumber: GONE };
    expect(allowedAnswer(LIST, GONE, { kind: "found", found: 1 })).toEqual(absent);
    expect(allowedAnswer(LIST, GONE, undefined)).toEqual(absent);
    expect(allowedAnswer(LIST, THERE, undefined)).toBeUndefined();
    expect(allowedAnswer(LIST, THERE, { kind: "no-registry" })).toEqual({ kind: "no-registry" });
  });

  it("is in no page and no export, and is subtracted from an exact total", () => {
    const results = [row(GONE), row(THERE)];
    expect(allowedPage(LIST, { results, total: 2 })).toEqual({ results: [row(THERE)], total: 1 });
    const many = { results, total: 10_000, totalIsExact: false } as const;
    expect(allowedPage(LIST, many)).toEqual({ ...many, results: [row(THERE)] });
    const records = [{ company: row(GONE) }, { company: row(THERE) }];
    expect([...allowedCompanies(LIST, records)]).toEqual([{ company: row(THERE) }]);
  });

  it("is removed from live searches before they are stored", async () => {
    const page: LivePage = { hits: [row(GONE), row(THERE)], total: 2, isTotalExact: true };
    const found = { kind: "found", value: page, asOf: "2026-01-01T00:00:00.000Z" } as const;
    const source = withoutSuppressedHits(LIST, { search: async () => found });
    const never = new AbortController().signal;
    expect(await source.search({ page: 1, pageSize: 10 }, never)).toEqual({
      ...found,
      value: { hits: [row(THERE)], total: 1, isTotalExact: true },
    });
  });
});

describe("a suppressed VAT number", () => {
  const shown = { name: "Fabel", address: "Laan 1" };

  it("has a verdict without name and address, even from an earlier stored response", async () => {
    const { verdicts, store } = stage();
    store.put(PL.vatNumber, kept(true, 0, shown));
    const [verdict] = await verdicts.fromStore([PL]);
    if (verdict === undefined) throw new Error("it is held");
    expect(allowedVerdict(NOTHING_SUPPRESSED, PL.vatNumber, verdict)).toMatchObject(shown);
    const allowed = allowedVerdict(LIST, PL.vatNumber, verdict);
    expect(allowed).toEqual({ ...verdict, name: undefined, address: undefined });
    expect(Object.keys(allowed)).not.toContain("name");
    const unknown = { status: "unvalidated", checksumValid: true } as const;
    expect(allowedVerdict(LIST, PL.vatNumber, unknown)).toBe(unknown);
  });

  it("is stored without them, unlike other numbers", async () => {
    const { verdicts, store } = stage({
      ask: withoutSuppressedDetails(LIST, async () => answered(true, shown)),
    });
    const other = numberOf("PL", 2);
    store.put(PL.vatNumber, kept(true, DAY));
    for (const number of [PL, other]) await verdicts.fromVies(number);
    expect(store.held.get(PL.vatNumber)?.last).not.toHaveProperty("name");
    expect(store.held.get(PL.vatNumber)?.last).not.toHaveProperty("address");
    expect(store.held.get(other.vatNumber)?.last).toMatchObject(shown);
  });
});
