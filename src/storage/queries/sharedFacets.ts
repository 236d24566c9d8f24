import type { Kysely } from "kysely";
import type { PeopleStore } from "../../accounts/peopleStore.ts";
import { jobQueries } from "../../jobs/queries/jobs.ts";
import { monitorQueries } from "../../monitors/queries.ts";
import { webhookQueries } from "../../webhooks/queries.ts";
import type { StoreClock } from "../clock.ts";
import { nodeQueries } from "../nodes.ts";
import type { Tables } from "../schema/tables.ts";
import type { Facets } from "../stateStore.ts";
import { turnQueries } from "../turns.ts";
import { accountListQueries, accountQueries } from "./accounts.ts";
import { allowanceNoticeQueries } from "./allowanceNotices.ts";
import { callQueries } from "./calls.ts";
import { ownerQueries } from "./deletion.ts";
import { emailQueries } from "./emails.ts";
import { keyQueries } from "./keys.ts";
import { ledgerQueries } from "./ledger.ts";
import { liveQueries } from "./live.ts";
import { mailQueries } from "./mails.ts";
import { monitorNoticeQueries } from "./monitorNotices.ts";
import { monitorSourceQueries } from "./monitorSources.ts";
import { auditQueries, operatorQueries, planQueries } from "./operators.ts";
import { personQueries, secretQueries, suspensionQueries } from "./persons.ts";
import { retentionQueries } from "./retention.ts";
import { sessionQueries } from "./sessions.ts";
import { storedResponseQueries } from "./storedResponses.ts";
import { suppressionQueries } from "./suppressed.ts";
import { attemptQueries, tokenQueries } from "./tokens.ts";
import { twoFactorQueries } from "./twoFactors.ts";
import { verdictQueries, viesHistoryQueries } from "./verdicts.ts";
import { waitingQueries } from "./waiting.ts";

/**
 * The parts of the state that are the same for every store: all except metering.
 * @param now the store's clock, Unix milliseconds
 */
export function sharedFacets(db: Kysely<Tables>, now: StoreClock): Omit<Facets, "metering"> {
  return {
    ledger: ledgerQueries(db, now),
    testLedger: ledgerQueries(db, now, true),
    calls: callQueries(db),
    responses: storedResponseQueries(db),
    accounts: accountQueries(db, now),
    people: peopleQueries(db, now),
    verdicts: { ...verdictQueries(db), ...viesHistoryQueries(db) },
    live: liveQueries(db),
    waiting: waitingQueries(db, now),
    jobs: jobQueries(db, now),
    webhooks: webhookQueries(db, now),
    suppressed: suppressionQueries(db, now),
    monitors: monitorQueries(db, now),
    monitorSources: monitorSourceQueries(db, now),
    turns: turnQueries(db, now),
    nodes: nodeQueries(db, now),
  };
}

function peopleQueries(db: Kysely<Tables>, now: StoreClock): PeopleStore {
  return {
    ...ownerQueries(db),
    ...secretQueries(db),
    ...personQueries(db, now),
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
    ...monitorNoticeQueries(db, now),
    ...keyQueries(db),
    ...planQueries(db),
    ...accountListQueries(db),
    ...retentionQueries(db),
  };
}
