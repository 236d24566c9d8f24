import type { Migration } from "kysely/migration";
import * as baseline from "./0001_baseline.ts";
import * as monitors from "./0002_1.1.0_monitors.ts";
import * as monitorSources from "./0003_1.1.0_monitor_sources.ts";
import * as nodes from "./0004_1.1.0_nodes.ts";
import * as webhookTurns from "./0005_1.1.0_webhook_turns.ts";
import * as listColumns from "./0006_1.1.0_list_columns.ts";
import * as endedCompanies from "./0007_1.1.0_ended_companies.ts";
import * as webhookAddresses from "./0008_1.1.0_webhook_addresses.ts";
import * as watching from "./0009_1.1.0_watching.ts";

/** All migrations, in order. A released migration is never edited, and from 1.0.0 on migrations only add. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001_baseline": baseline,
  "0002_1.1.0_monitors": monitors,
  "0003_1.1.0_monitor_sources": monitorSources,
  "0004_1.1.0_nodes": nodes,
  "0005_1.1.0_webhook_turns": webhookTurns,
  "0006_1.1.0_list_columns": listColumns,
  "0007_1.1.0_ended_companies": endedCompanies,
  "0008_1.1.0_webhook_addresses": webhookAddresses,
  "0009_1.1.0_watching": watching,
};
