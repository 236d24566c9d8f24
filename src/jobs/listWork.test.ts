import { expect, it } from "vitest";
import type { BasicCompany } from "../contract/resources.ts";
import type { BatchItem } from "../lookup/batch.ts";
import { LIST_KINDS } from "./kinds.ts";
import type { ListServices } from "./listWork.ts";

const OWNER = { accountId: "a", keyId: "k", tierName: "free" };

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
  const never = () => Promise.reject(new Error("not asked"));
  const services: ListServices = {
    lookup: { basicBatch, enrichedBatch: never, insolvencies: never, verdict: never },
    rows: { match: never },
    monitors: { add: never, service: { sources: () => [], retentionDays: 0, liveFigures: never } },
    canChange: true,
  };
  const worked = await LIST_KINDS.lookup.work(["KVK 50.000.012", "5000001"], OWNER, services);
  expect(looked).toEqual(["50000012", "5000001"]);
  expect(worked).toMatchObject([
    { line: { number: "KVK 50.000.012", result: { kvkNumber: "50000012" } }, charge: 1 },
    { line: { number: "5000001", error: { code: "INVALID_KVK_NUMBER" } }, charge: 0 },
  ]);
});
