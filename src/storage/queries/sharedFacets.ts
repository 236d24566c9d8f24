import type { Kysely } from "kysely";
import { accountQueries } from "../../accounts/queries/accounts.ts";
import { peopleQueries } from "../../accounts/queries.ts";
import { jobQueries } from "../../jobs/queries/jobs.ts";
import { liveQueries } from "../../kvk/queries/live.ts";
import { monitorSourceQueries } from "../../kvk/queries/monitorSources.ts";
import { suppressionQueries } from "../../lookup/suppression/queries.ts";
import { callQueries } from "../../metering/queries/calls.ts";
import { ledgerQueries } from "../../metering/queries/ledger.ts";
import { storedResponseQueries } from "../../metering/queries/storedResponses.ts";
import { monitorQueries } from "../../monitors/queries.ts";
import { verdictQueries, viesHistoryQueries } from "../../vat/queries.ts";
import { webhookQueries } from "../../webhooks/queries.ts";
import type { StoreClock } from "../clock.ts";
import { nodeQueries } from "../nodes.ts";
import type { Tables } from "../schema/tables.ts";
import type { Facets } from "../stateStore.ts";
import { turnQueries } from "../turns.ts";
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
