import type { Kysely } from "kysely";
import { accountQueries } from "../../accounts/queries/accounts.ts";
import { peopleQueries } from "../../accounts/queries.ts";
import type { StoreClock } from "../../database/clock.ts";
import { nodeQueries } from "../../database/nodes.ts";
import { lapsedQueries } from "../../database/retention.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { turnQueries } from "../../database/turns.ts";
import { courtQueries } from "../../insolvency/queries.ts";
import { removedCaseQueries } from "../../insolvency/removed.ts";
import { forgetCases } from "../../insolvency/stored.ts";
import { jobQueries } from "../../jobs/queries/jobs.ts";
import { liveQueries } from "../../kvk/queries/live.ts";
import { deleteSignals, monitorSourceQueries } from "../../kvk/queries/monitorSources.ts";
import { suppressionQueries } from "../../lookup/suppression/queries.ts";
import { callQueries } from "../../metering/queries/calls.ts";
import { ledgerQueries } from "../../metering/queries/ledger.ts";
import { storedResponseQueries } from "../../metering/queries/storedResponses.ts";
import { endMonitors } from "../../monitors/queries/hiding.ts";
import { monitorQueries } from "../../monitors/queries.ts";
import { forgetPeppol, peppolQueries } from "../../peppol/queries.ts";
import { verdictQueries, viesHistoryQueries } from "../../vat/queries.ts";
import { webhookQueries } from "../../webhooks/queries.ts";
import { waitingQueries } from "./waiting.ts";

export type StateQueries = ReturnType<typeof stateQueries>;

/**
 * The queries of all features, which are the same for every store: all except metering.
 * @param now the store's clock, Unix milliseconds
 */
export function stateQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    ledger: ledgerQueries(db, now),
    testLedger: ledgerQueries(db, now, true),
    calls: callQueries(db),
    responses: storedResponseQueries(db),
    lapsed: lapsedQueries(db, now),
    accounts: accountQueries(db, now),
    people: peopleQueries(db, now),
    verdicts: { ...verdictQueries(db), ...viesHistoryQueries(db) },
    live: liveQueries(db),
    waiting: waitingQueries(db, now),
    jobs: jobQueries(db, now),
    webhooks: webhookQueries(db, now),
    suppressed: suppressionQueries(db, now, async (transaction, kvkNumber, nowMs) => {
      await endMonitors(transaction, kvkNumber, nowMs);
      await deleteSignals(transaction, kvkNumber);
      await forgetCases(transaction, kvkNumber);
      await forgetPeppol(transaction, kvkNumber);
    }),
    monitors: monitorQueries(db, now),
    monitorSources: monitorSourceQueries(db, now),
    court: courtQueries(db, now),
    peppol: peppolQueries(db),
    removedCases: removedCaseQueries(db, now),
    turns: turnQueries(db, now),
    nodes: nodeQueries(db, now),
  };
}
