import { expect, it } from "vitest";
import { courtCases, UNREADABLE_COURT } from "../../test/kit/courtCases.ts";
import { snapshotOf, sourcedFacts } from "../../test/kit/registry.ts";
import { stage } from "../../test/kit/verdicts.ts";
import type { BasicCompany } from "../contract/resources.ts";
import type { BatchItem } from "../lookup/batch.ts";
import { Companies } from "../lookup/companies.ts";
import { insolvencyRule } from "../lookup/companyInsolvency.ts";
import { Lookup } from "../lookup/lookup.ts";
import { LIST_KINDS } from "./kinds.ts";
import type { ListServices } from "./listWork.ts";

const OWNER = { accountId: "a", keyId: "k", tierName: "free" };

const never = () => Promise.reject(new Error("not asked"));
const SERVICES: ListServices = {
  lookup: { basicBatch: never, enrichedBatch: never, insolvencies: never, verdict: never, peppol: never },
  rows: { match: never },
  monitors: { add: never, service: { sources: () => [], retentionDays: 0, liveFigures: never } },
  canChange: true,
};

it("looks numbers up as KVK numbers and returns them as they were sent", async () => {
  const company: BasicCompany = { kvkNumber: "50000012", name: "Molen", address: {}, isActive: true };
  const looked: string[] = [];
  const basicBatch: ListServices["lookup"]["basicBatch"] = (numbers) => {
    looked.push(...numbers);
    const found = numbers.map((sent): BatchItem<BasicCompany> => {
      const isNumber = sent === "50000012";
      return { sent, answer: isNumber ? { kind: "found", found: company } : { kind: "invalid" } };
    });
    return Promise.resolve({ kind: "found", found });
  };
  const services = { ...SERVICES, lookup: { ...SERVICES.lookup, basicBatch } };
  const worked = await LIST_KINDS.lookup.work(["KVK 50.000.012", "5000001"], OWNER, services);
  expect(looked).toEqual(["50000012", "5000001"]);
  expect(worked).toMatchObject([
    { line: { number: "KVK 50.000.012", result: { kvkNumber: "50000012" } }, charge: 1 },
    { line: { number: "5000001", error: { code: "INVALID_KVK_NUMBER" } }, charge: 0 },
  ]);
});

it("fails a number of a list of insolvencies, free and to be tried again, while the court's register cannot be read", async () => {
  const current = await snapshotOf([sourcedFacts(1, { legalForm: "BV" })]);
  const registry = { current };
  const companies = new Companies({ registry, freshForMs: Number.POSITIVE_INFINITY });
  const workWith = async (cases: typeof UNREADABLE_COURT, canChange: boolean) => {
    const insolvency = insolvencyRule({ cases, registry });
    const lookup = new Lookup({ companies, verdicts: stage({}).verdicts, insolvency, liveWaits });
    return LIST_KINDS.insolvency.work(["50000001", "50000002"], OWNER, { ...SERVICES, lookup, canChange });
  };
  const liveWaits = { oneMs: 0, batchMs: 0 };
  const unknown = { line: { error: { code: "NOT_FOUND" } }, charge: 0, isOutage: false };
  for (const canChange of [true, false]) {
    const unread = { line: { error: { code: "UPSTREAM_ERROR" } }, charge: 0, isOutage: canChange };
    expect(await workWith(UNREADABLE_COURT, canChange)).toMatchObject([unread, unknown]);
  }
  const answered = { line: { result: { insolvency: { type: "none" } } }, charge: 1, isOutage: false };
  expect(await workWith(courtCases([]), true)).toMatchObject([answered, unknown]);
});
