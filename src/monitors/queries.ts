import type { Kysely } from "kysely";
import type { StoreClock } from "../database/clock.ts";
import type { Tables } from "../database/schema/tables.ts";
import { openDataQueries } from "../kvk/openData/queries.ts";
import { monitorAccountQueries } from "./queries/accounts.ts";
import { comparisonQueries } from "./queries/comparisons.ts";
import { erasureQueries } from "./queries/erasing.ts";
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
    ...erasureQueries(db),
    ...openDataQueries(db),
  };
}

export type MonitorQueries = ReturnType<typeof monitorQueries>;
