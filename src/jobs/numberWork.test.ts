import { expect, it } from "vitest";
import { companyFacts } from "../../test/kit/registry.ts";
import { basicCompany } from "../company/company.ts";
import type { BatchItem } from "../lookup/batch.ts";
import { type ListLookup, NumberWork } from "./numberWork.ts";

it("numbers are looked up as KVK numbers and told as they were sent", async () => {
  const source = { kvk: "demo", cachedAt: "2026-01-01T00:00:00.000Z" };
  const looked: string[] = [];
  const basicBatch: ListLookup["basicBatch"] = (numbers) => {
    looked.push(...numbers);
    const found = numbers.map((sent): BatchItem<ReturnType<typeof basicCompany>> => {
      const isNumber = sent === "50000012";
      const company = basicCompany(companyFacts(12), source);
      return { sent, answer: isNumber ? { kind: "found", found: company } : { kind: "invalid" } };
    });
    return Promise.resolve({ kind: "found", found });
  };
  const never = () => Promise.reject(new Error("not asked"));
  const work = new NumberWork(
    { basicBatch, enrichedBatch: never, verdict: never },
    {
      companyError: (sent) => ({ code: "INVALID_KVK_NUMBER", message: sent }),
      verdictUnknown: () => ({ code: "UPSTREAM_ERROR", message: "" }),
    },
  );
  const worked = await work.answer("lookup", ["KVK 50.000.012", "5000001"], "a");
  expect(looked).toEqual(["50000012", "5000001"]);
  expect(worked).toMatchObject([
    { line: { number: "KVK 50.000.012", result: { kvkNumber: "50000012" } }, charge: 1 },
    { line: { number: "5000001", error: { message: "5000001" } }, charge: 0 },
  ]);
});
