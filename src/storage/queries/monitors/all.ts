import type { Kysely } from "kysely";
import type { MonitorStore } from "../../../monitors/store.ts";
import type { Tables } from "../../schema/tables.ts";
import type { StoreClock } from "../../stateStore.ts";
import { monitorAccountQueries } from "./accounts.ts";
import { comparisonQueries } from "./comparisons.ts";
import { endpointQueries } from "./endpoints.ts";
import { eventQueries } from "./events.ts";
import { monitorQueries } from "./monitors.ts";
import { observationQueries } from "./observations.ts";
import { openDataQueries } from "./openData.ts";
import { deliveryQueries } from "./pending.ts";
import { monitorRetentionQueries } from "./retention.ts";

/** Monitors, in SQL for every store. */
export function monitorStoreQueries(db: Kysely<Tables>, now: StoreClock): MonitorStore {
  return {
    ...monitorQueries(db, now),
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
