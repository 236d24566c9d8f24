/** What is read of the service: its registry, its health, its upstreams and its accounts. */
import type { AllowanceCount } from "../../accounts/allowances.ts";
import { isLearned } from "../../company/learned.ts";
import type { Health } from "../../http/endpoint.ts";
import type { SnapshotInfo } from "../../snapshot/info.ts";
import { layersOf } from "../../snapshot/info.ts";
import type { BackupNote } from "../../storage/backup/lastBackup.ts";
import type { Reading, ReadName } from "./readings.ts";

export function registryReadings(
  info: SnapshotInfo | undefined,
  isFindable: boolean,
  isBehind: boolean,
): readonly Reading[] {
  const always: readonly Reading[] = [
    { name: "opzoek_registry_companies", value: info?.companies ?? 0 },
    { name: "opzoek_registry_findable", value: Number(isFindable) },
    { name: "opzoek_registry_behind", value: Number(isBehind) },
  ];
  if (info === undefined) return always;
  const asOfMs = info.origins.flatMap(({ origin, asOf }) => (isLearned(origin) ? [] : [Date.parse(asOf)]));
  return [
    ...always,
    { name: "opzoek_registry_segments", value: layersOf(info).length - 1 },
    ...moment("opzoek_registry_snapshot_timestamp_seconds", Date.parse(info.createdAt)),
    ...moment("opzoek_registry_data_timestamp_seconds", Math.max(...asOfMs)),
  ];
}

export function healthReadings({ status, services }: Health, isReady: boolean): readonly Reading[] {
  const statuses = (["ok", "degraded", "down"] as const).map(
    (one): Reading => ({ name: "opzoek_health", labels: { status: one }, value: Number(status === one) }),
  );
  const upstreams = Object.entries(services).flatMap(([upstream, told]) =>
    (["up", "degraded", "down"] as const).map(
      (one): Reading => ({
        name: "opzoek_upstream_health",
        labels: { upstream, status: one },
        value: Number(told === one),
      }),
    ),
  );
  return [...statuses, ...upstreams, { name: "opzoek_ready", value: Number(isReady) }];
}

/** @param breakers and whether each is open */
export function breakerReadings(
  upstream: "kvk" | "vies",
  breakers: readonly { readonly what: string; readonly isOpen: boolean }[],
): readonly Reading[] {
  return breakers.map(({ what, isOpen }) => ({
    name: "opzoek_upstream_breaker_open",
    labels: { upstream, breaker: what },
    value: Number(isOpen),
  }));
}

export function budgetReadings(calls: { readonly made: number; readonly most: number }): readonly Reading[] {
  return [
    { name: "opzoek_kvk_paid_calls_limit", value: calls.most },
    { name: "opzoek_kvk_paid_calls_left", value: Math.max(0, calls.most - calls.made) },
  ];
}

/** @param note of an embedded state; undefined where no backup was tried, or nothing can be read of it */
export function backupReadings(note: BackupNote | undefined): readonly Reading[] {
  return [
    { name: "opzoek_last_backup_failed", value: Number(note?.failed !== undefined) },
    ...moment("opzoek_last_backup_timestamp_seconds", note?.good?.atMs ?? 0),
  ];
}

/** A moment in Unix seconds; nothing for one that is not known. */
function moment(name: ReadName, atMs: number): readonly Reading[] {
  return Number.isFinite(atMs) ? [{ name, value: Math.floor(atMs / 1_000) }] : [];
}

/** How many accounts are near the end of their month's allowance. @throws while that is not known */
export function accountReadings(counts: readonly AllowanceCount[] | undefined): readonly Reading[] {
  if (counts === undefined) throw new Error("the accounts were not looked at yet, or the state is away");
  return counts.map(({ tier, percent, accounts }) => ({
    name: "opzoek_accounts_near_allowance",
    labels: { tier, percent: String(percent) },
    value: accounts,
  }));
}

/** The processes that answer calls. */
export interface SeenWorkers {
  readonly listening: number;
  /** Those that ended by themselves since the start. */
  readonly lost: number;
  /** For how long each has not responded. The names are a bounded set: they are a label. */
  readonly silent: readonly { readonly worker: string; readonly ms: number }[];
}

export function workerReadings({ listening, lost, silent }: SeenWorkers): readonly Reading[] {
  return [
    { name: "opzoek_workers_listening", value: listening },
    { name: "opzoek_workers_lost_total", value: lost },
    ...silent.map(
      ({ worker, ms }): Reading => ({
        name: "opzoek_worker_silent_seconds",
        labels: { worker },
        value: ms / 1_000,
      }),
    ),
  ];
}
