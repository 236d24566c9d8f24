import type { BasicCompany, Company, Source } from "../contract/resources.ts";
import type { CompanyFacts } from "./facts.ts";

/** A company as a basic lookup gives it. */
export function basicCompany(facts: CompanyFacts, source: Source): BasicCompany {
  const { kvkNumber, name, isActive, registrationDate } = facts;
  const { kind: _kind, ...address } = facts.address ?? {};
  return {
    kvkNumber,
    name,
    address,
    isActive,
    source,
    ...(registrationDate === undefined ? {} : { registrationDate }),
  };
}

/** A company as an enriched lookup gives it: what it adds to a basic one. */
export function enrichedCompany(
  facts: Omit<CompanyFacts, "branches" | "vatNumber">,
  basic: BasicCompany,
): Company {
  const { tradingNames, websites, activities, ...rest } = facts;
  return {
    ...rest,
    ...basic,
    ...(tradingNames === undefined ? {} : { tradingNames: [...tradingNames] }),
    ...(websites === undefined ? {} : { websites: [...websites] }),
    ...(activities === undefined ? {} : { activities: [...activities] }),
  };
}
