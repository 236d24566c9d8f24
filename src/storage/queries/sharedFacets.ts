import type { Kysely } from "kysely";
import type { Facets, StoreClock } from "../stateStore.ts";
import type { Tables } from "../tables.ts";
import { accountQueries } from "./accounts.ts";
import { ledgerQueries } from "./ledger.ts";
import { liveQueries } from "./live.ts";
import { peopleQueries } from "./people.ts";
import { suppressionQueries } from "./suppressed.ts";
import { verdictQueries } from "./verdicts.ts";

/**
 * The facets that every store implements alike: all but metering.
 * @param now the store's clock, Unix milliseconds
 */
export function sharedFacets(db: Kysely<Tables>, now: StoreClock): Omit<Facets, "metering"> {
  return {
    ledger: ledgerQueries(db, now),
    accounts: accountQueries(db, now),
    people: peopleQueries(db, now),
    verdicts: verdictQueries(db),
    live: liveQueries(db),
    suppressed: suppressionQueries(db),
  };
}
