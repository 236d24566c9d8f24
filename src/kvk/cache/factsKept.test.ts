import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryFacts } from "../../../test/kit/arbitraryFacts.ts";
import { readFacts, writeFacts } from "./factsKept.ts";

describe("what the state store keeps of a company", () => {
  it("gives the facts back", () => {
    fc.assert(
      fc.property(arbitraryFacts, (facts) => {
        expect(readFacts(writeFacts(facts))).toEqual(facts);
      }),
    );
  });

  it("is read where the version before wrote it, with employees as a number", () => {
    const company = { kvkNumber: "50000012", name: "Bakkerij", isActive: true };
    expect(readFacts(JSON.stringify({ ...company, employees: 12 }))).toEqual({
      ...company,
      employees: { total: 12 },
    });
    expect(readFacts(JSON.stringify(company))).toEqual(company);
  });

  it("has employees as a number, so that nodes of the version before can serve it", () => {
    fc.assert(
      fc.property(arbitraryFacts, (facts) => {
        expect(JSON.parse(writeFacts(facts)).employees).toBe(facts.employees?.total);
      }),
    );
  });
});
