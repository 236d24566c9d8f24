import type { Kysely } from "kysely";
import type { PeopleStore } from "../../accounts/peopleStore.ts";
import type { Facets, StoreClock } from "../stateStore.ts";
import type { Tables } from "../tables.ts";
import { accountListQueries, accountQueries } from "./accounts.ts";
import { allowanceNoticeQueries } from "./allowanceNotices.ts";
import { auditQueries } from "./audit.ts";
import { sightingQueries } from "./browserSightings.ts";
import { type CallRows, callQueries } from "./calls.ts";
import { emailQueries } from "./emails.ts";
import { failedCallQueries } from "./failedCalls.ts";
import { jobQueries } from "./jobs.ts";
import { keptQueries } from "./kept.ts";
import { keyQueries } from "./keys.ts";
import { ledgerQueries } from "./ledger.ts";
import { liveQueries } from "./live.ts";
import { mailQueries } from "./mails.ts";
import { operatorQueries } from "./operators.ts";
import { ownerQueries } from "./owners.ts";
import { personQueries, secretQueries, suspensionQueries } from "./persons.ts";
import { planQueries } from "./plans.ts";
import { retentionQueries } from "./retention.ts";
import { sessionQueries } from "./sessions.ts";
import { suppressionQueries } from "./suppressed.ts";
import { attemptQueries, tokenQueries } from "./tokens.ts";
import { twoFactorQueries } from "./twoFactors.ts";
import { verdictQueries } from "./verdicts.ts";
import { viesHistoryQueries } from "./viesHistory.ts";

/**
 * The facets that every store implements alike: all but metering.
 * @param now the store's clock, Unix milliseconds
 * @param options `isOneStatement`: whether the store can write two tables in one statement · `callRows`: how it takes calls for rows
 */
export function sharedFacets(
  db: Kysely<Tables>,
  now: StoreClock,
  { isOneStatement, callRows }: { readonly isOneStatement: boolean; readonly callRows: CallRows },
): Omit<Facets, "metering"> {
  return {
    ledger: ledgerQueries(db, now, { hasLocales: isOneStatement }),
    testLedger: ledgerQueries(db, now, { isTest: true, hasLocales: isOneStatement }),
    calls: { ...callQueries(db, callRows), ...failedCallQueries(db), ...sightingQueries(db) },
    kept: keptQueries(db, isOneStatement),
    accounts: accountQueries(db, now),
    people: { ...peopleQueries(db, now, isOneStatement), ...ownerQueries(db, isOneStatement) },
    verdicts: { ...verdictQueries(db, isOneStatement), ...viesHistoryQueries(db) },
    live: liveQueries(db, isOneStatement),
    jobs: jobQueries(db, now),
    suppressed: suppressionQueries(db, isOneStatement),
  };
}

/** What people need of a store, the same in each. */
function peopleQueries(
  db: Kysely<Tables>,
  now: StoreClock,
  hasRowLocks: boolean,
): Omit<PeopleStore, "sweepDeleted"> {
  return {
    ...secretQueries(db),
    ...personQueries(db, now, hasRowLocks),
    ...suspensionQueries(db),
    ...emailQueries(db, now),
    ...sessionQueries(db),
    ...tokenQueries(db),
    ...attemptQueries(db),
    ...twoFactorQueries(db),
    ...auditQueries(db),
    ...operatorQueries(db),
    ...mailQueries(db, now),
    ...allowanceNoticeQueries(db, now),
    ...keyQueries(db),
    ...planQueries(db),
    ...accountListQueries(db),
    ...retentionQueries(db, hasRowLocks),
  };
}
