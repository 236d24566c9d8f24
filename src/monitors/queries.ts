import type { Kysely } from "kysely";
import { openDataQueries } from "../kvk/openData/queries.ts";
import type { StoreClock } from "../storage/clock.ts";
import type { Tables } from "../storage/schema/tables.ts";
import { monitorAccountQueries } from "./queries/accounts.ts";
import { comparisonQueries } from "./queries/comparisons.ts";
import { eventQueries } from "./queries/events.ts";
import { ownMonitorQueries } from "./queries/monitors.ts";
import { observationQueries } from "./queries/observations.ts";
import { deliveryQueries } from "./queries/pending.ts";
import { monitorRetentionQueries } from "./queries/retention.ts";
import { endpointQueries } from "./queries/webhookStatuses.ts";

/** Monitors, in SQL for every store. */
export function monitorQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    ...ownMonitorQueries(db, now),
    ...monitorAccountQueries(db, now),
    ...eventQueries(db, now),
    ...endpointQueries(db, now),
    ...comparisonQueries(db),
    ...observationQueries(db, now),
    ...deliveryQueries(db, now),
    ...monitorRetentionQueries(db, now),
    ...openDataQueries(db),
  };
}

export type MonitorQueries = ReturnType<typeof monitorQueries>;
