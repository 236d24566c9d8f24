import type { Kysely } from "kysely";
import type { PeopleStore } from "../../accounts/peopleStore.ts";
import type { StoreClock } from "../stateStore.ts";
import type { Tables } from "../tables.ts";
import { accountListQueries } from "./accounts.ts";
import { keyQueries } from "./keys.ts";
import { mailQueries } from "./mails.ts";
import { personQueries, suspensionQueries } from "./persons.ts";
import { planQueries } from "./plans.ts";
import { retentionQueries } from "./retention.ts";
import { sessionQueries } from "./sessions.ts";
import { attemptQueries, tokenQueries } from "./tokens.ts";

/** All that people need of a store. */
export function peopleQueries(db: Kysely<Tables>, now: StoreClock): PeopleStore {
  return {
    ...personQueries(db, now),
    ...suspensionQueries(db),
    ...sessionQueries(db),
    ...tokenQueries(db),
    ...attemptQueries(db),
    ...mailQueries(db, now),
    ...keyQueries(db),
    ...planQueries(db),
    ...accountListQueries(db),
    ...retentionQueries(db),
  };
}
