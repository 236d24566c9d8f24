/** Readings that are the same in all processes of the service: registry, health, upstreams and accounts. */

import { AllowanceUse } from "../../accounts/allowances.ts";
import { dataDateMs } from "../../company/dates.ts";
import { type BackupRecord, readBackupRecord } from "../../database/backup/lastBackup.ts";
import { type DatabaseFacts, databaseFacts } from "../../database/postgres/databaseFacts.ts";
import { layersOf, type SnapshotInfo } from "../../registry/info.ts";
import { readLastWork } from "../../registry/lastWork.ts";
import type { Registry } from "../../registry/types.ts";
import type { ComposedApp } from "../compose/app.ts";
import { paidCallsToday } from "../compose/live.ts";
import type { Upstreams } from "../compose/upstreams.ts";
import { programVersion } from "../release.ts";
import type { Settings } from "../settings/settings.ts";
import type { StateStore } from "../state/stateStore.ts";
import { readDisk } from "./machine.ts";
import type { MetricValues, ReadMetrics } from "./readings.ts";

export interface ReadService extends Pick<ComposedApp, "meter" | "health" | "readiness"> {
  readonly settings: Settings;
  readonly state: StateStore;
  readonly registry: Registry;
  readonly upstreams: Upstreams;
  readonly isBehind: () => boolean;
}

export class ServiceReadings {
  readonly sources: Readonly<Record<string, ReadMetrics>>;
  #allowances: AllowanceUse | undefined;

  constructor(service: ReadService, isListening: () => boolean) {
    const { settings, state, registry, upstreams, isBehind, health, readiness } = service;
    const { live, insolvency } = upstreams;
    this.sources = {
      build: () => ({
        opzoek_build_info: [{ labels: { version: programVersion(), node: process.version }, value: 1 }],
      }),
      disk: () => readDisk(settings.DATA_DIR),
      registry: () => {
        const { current } = registry;
        return {
          opzoek_registry_companies: current?.info.companies ?? 0,
          opzoek_registry_findable: Number(current?.isFindable !== false),
          opzoek_registry_behind: Number(isBehind()),
          opzoek_registry_work_failed_timestamp_seconds: readLastWork(settings.DATA_DIR).map(
            ({ command, failedAtMs }) => ({ labels: { command }, value: failedAtMs / 1_000 }),
          ),
          ...(current && snapshotReadings(current.info)),
        };
      },
      health: async () => {
        const [{ status, services }, { reason }] = await Promise.all([health(), readiness()]);
        return {
          opzoek_health: ["ok", "degraded", "down"].map((one) => ({
            labels: { status: one },
            value: Number(status === one),
          })),
          opzoek_upstream_health: Object.entries(services).flatMap(([upstream, current]) =>
            ["up", "degraded", "down"].map((one) => ({
              labels: { upstream, status: one },
              value: Number(current === one),
            })),
          ),
          opzoek_ready: Number(reason === undefined && isListening()),
        };
      },
      upstreams: () => ({
        opzoek_upstream_breaker_open: upstreams.all.flatMap(({ metricsName: upstream, breakers }) =>
          breakers().map(({ what, isOpen }) => ({
            labels: { upstream, breaker: what },
            value: Number(isOpen),
          })),
        ),
      }),
      budget: async () => {
        if (live === undefined) return {};
        const { made, most } = await paidCallsToday(settings, state.live);
        return { opzoek_kvk_paid_calls_limit: most, opzoek_kvk_paid_calls_left: Math.max(0, most - made) };
      },
      court: () => {
        if (insolvency === undefined) return {};
        const { currency, size, unplaced } = insolvency.cases;
        return {
          opzoek_court_list_timestamp_seconds: (currency?.observedAtMs ?? 0) / 1_000,
          opzoek_court_cases: size,
          opzoek_court_unplaced_cases: unplaced.length,
        };
      },
      accounts: () => this.#accounts(service),
      nodes: async () => {
        const all = await state.nodes.nodeVersions();
        return { opzoek_nodes: all.map(({ version, nodes }) => ({ labels: { version }, value: nodes })) };
      },
      lists: async () => ({
        opzoek_lists: (await state.jobs.listCounts()).map(({ status, count }) => ({
          labels: { status },
          value: count,
        })),
      }),
      waiting: () => state.waiting.waitingWork(),
      mails: async () => ({
        opzoek_mails_waiting: settings.SMTP_URL === undefined ? undefined : await state.people.waitingMails(),
      }),
      backup: () =>
        settings.DATABASE_URL === undefined ? backupReadings(readBackupRecord(settings.DATA_DIR)) : {},
      archive: async () =>
        settings.DATABASE_URL === undefined
          ? {}
          : archiveReadings(await databaseFacts(settings.DATABASE_URL)),
    };
  }

  async close(): Promise<void> {
    await this.#allowances?.close();
  }

  /**
   * The number of accounts near the end of their allowance. The first scrape starts counting, in one of several
   * processes.
   * @throws while that is unknown
   */
  #accounts({ state, settings }: ReadService): MetricValues {
    if (this.#allowances === undefined) {
      this.#allowances = new AllowanceUse(state.people, settings.TIERS_FILE);
      void this.#allowances.now();
    }
    const { counts } = this.#allowances;
    if (counts === undefined)
      throw new Error("the accounts have not been counted yet, or the state store is unavailable");
    return {
      opzoek_accounts_near_allowance: counts.map(({ tier, percent, accounts }) => ({
        labels: { tier, percent: String(percent) },
        value: accounts,
      })),
    };
  }
}

function snapshotReadings(info: SnapshotInfo): MetricValues {
  const datesMs = info.origins.map(({ asOf }) => Date.parse(asOf));
  return {
    opzoek_registry_segments: layersOf(info).length - 1,
    opzoek_registry_snapshot_timestamp_seconds: Math.floor(Date.parse(info.createdAt) / 1_000),
    opzoek_registry_data_timestamp_seconds: Math.floor(dataDateMs(info.origins) / 1_000),
    opzoek_registry_oldest_data_timestamp_seconds: Math.floor(Math.min(...datesMs) / 1_000),
  };
}

export function archiveReadings({ isArchiving, archivedMs, archivingFailedMs }: DatabaseFacts): MetricValues {
  return {
    opzoek_wal_archived_timestamp_seconds: isArchiving ? Math.floor((archivedMs ?? 0) / 1_000) : 0,
    opzoek_wal_archiving_failed: Number(isArchiving && (archivingFailedMs ?? 0) > (archivedMs ?? 0)),
  };
}

/** @param note of an embedded state; undefined if no backup was made or the note cannot be read */
export function backupReadings(note: BackupRecord | undefined): MetricValues {
  return {
    opzoek_last_backup_failed: Number(note?.failed !== undefined),
    opzoek_last_backup_timestamp_seconds: Math.floor((note?.good?.atMs ?? 0) / 1_000),
  };
}
