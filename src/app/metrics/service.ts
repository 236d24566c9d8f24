/** What is read of the service: its registry, its health, its upstreams and its accounts. */
import { isLearned } from "../../company/learned.ts";
import type { Health } from "../../http/endpoint.ts";
import type { SnapshotInfo } from "../../snapshot/info.ts";
import { layersOf } from "../../snapshot/info.ts";
import type { BackupNote } from "../../storage/backup/lastBackup.ts";
import type { Reading, ReadName } from "./readings.ts";

export interface ServedRegistry {
  readonly info: SnapshotInfo | undefined;
  readonly isFindable: boolean;
  readonly isBehind: boolean;
}

export function registryReadings({ info, isFindable, isBehind }: ServedRegistry): readonly Reading[] {
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
  const upstreams = Object.entries(services).flatMap(([upstream, told]) =>
    (["up", "degraded", "down"] as const).map(
      (one): Reading => ({
        name: "opzoek_upstream_health",
        labels: { upstream, status: one },
        value: Number(told === one),
      }),
    ),
  );
  return [
    ...(["ok", "degraded", "down"] as const).map(
      (one): Reading => ({ name: "opzoek_health", labels: { status: one }, value: Number(status === one) }),
    ),
    ...upstreams,
    { name: "opzoek_ready", value: Number(isReady) },
  ];
}

export interface ShownBreaker {
  readonly upstream: "kvk" | "vies";
  readonly what: string;
  readonly isOpen: boolean;
}

export function breakerReadings(breakers: readonly ShownBreaker[]): readonly Reading[] {
  return breakers.map(({ upstream, what, isOpen }) => ({
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
    ...(note?.good === undefined ? [] : moment("opzoek_last_backup_timestamp_seconds", note.good.atMs)),
  ];
}

/** A moment in Unix seconds; nothing for one that is not known. */
function moment(name: ReadName, atMs: number): readonly Reading[] {
  return Number.isFinite(atMs) ? [{ name, value: Math.floor(atMs / 1_000) }] : [];
}
