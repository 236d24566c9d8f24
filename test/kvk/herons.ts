/** Fictional companies that KVK knows. */
import type { CompanyFacts } from "../../src/company/facts.ts";
import { kvkNumber } from "../kit/companies.ts";

export function company(digits: string, name: string): CompanyFacts {
  const address = {
    kind: "visiting" as const,
    street: "Laan",
    houseNumber: "1",
    city: "Fabelstad",
    country: "NL",
  };
  return { kvkNumber: kvkNumber(digits), name, isActive: true, legalForm: "BV", address };
}

export const NORTH = company("60000001", "Zilverreiger Noord B.V.");
export const SOUTH = company("60000002", "Zilverreiger Zuid B.V.");
export const WEST = company("60000003", "Zilverreiger West B.V.");
