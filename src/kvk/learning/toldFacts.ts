import type { SourcedFacts } from "../../company/facts.ts";
import { learnedOrigin } from "../../company/learned.ts";
import { known } from "../../lib/values.ts";
import { cachedCompany } from "../cache/companyCache.ts";
import { cachedPage } from "../cache/searchFlights.ts";
import type { LiveHit } from "../liveSource.ts";
import type { NumberedCompany, StoredSearch } from "../store.ts";

/** Facts of what a live source told of a company; none of one that it does not know. @param origin the source's, such as `kvk-api` */
export function factsTold(told: NumberedCompany, origin: string): SourcedFacts[] {
  const { facts, branches, toldAt } = cachedCompany(told);
  if (facts === undefined) return [];
  const all = branches === undefined ? facts : { ...facts, branches };
  return [{ origin: learnedOrigin(origin), asOf: toldAt, facts: all }];
}

/** Facts of the rows of a search: names and cities alone, which count only where nothing else is known. */
export function factsFound(search: StoredSearch, origin: string): SourcedFacts[] {
  const { page, foundAtMs } = cachedPage(search);
  const asOf = new Date(foundAtMs).toISOString();
  return page.hits.map(({ kvkNumber, name, city, isActive }: LiveHit) => ({
    origin: learnedOrigin(origin),
    asOf,
    facts: {
      kvkNumber,
      name,
      isActive,
      ...known("address", city === undefined ? undefined : { city, kind: "visiting" as const }),
    },
    isPartial: true,
  }));
}
