import { expect, it } from "vitest";
import type { DatabaseFacts } from "../../database/postgres/databaseFacts.ts";
import { readPart } from "./exposition.ts";
import { archiveReadings, backupReadings } from "./service.ts";

it("reports a backup that failed, and one that was never made", () => {
  const good = { atMs: 1_500, path: "backup.sqlite", bytes: 1 };
  const failed = { atMs: 2_000, reason: "the folder is away" };
  const at = { opzoek_last_backup_timestamp_seconds: 1 };
  const hasFailed = (value: number) => ({ opzoek_last_backup_failed: value });
  const never = { opzoek_last_backup_timestamp_seconds: 0 };
  expect(backupReadings(undefined)).toEqual({ ...hasFailed(0), ...never });
  expect(backupReadings({})).toEqual({ ...hasFailed(0), ...never });
  expect(backupReadings({ failed })).toEqual({ ...hasFailed(1), ...never });
  expect(backupReadings({ good })).toEqual({ ...hasFailed(0), ...at });
  expect(backupReadings({ good, failed })).toEqual({ ...hasFailed(1), ...at });
});

it("reports no unknown values", () => {
  const part = readPart({
    opzoek_ready: 0,
    opzoek_registry_segments: undefined,
    opzoek_process_max_fds: Number.NaN,
  });
  expect(part).toMatchObject([{ name: "opzoek_ready", values: [{ labels: {}, value: 0 }] }]);
});

it("reports archived WAL, and 0 without any", () => {
  const facts = { isArchiving: true, archivedMs: 5_500, archivingFailedMs: null };
  const readings = (changed: Partial<DatabaseFacts>) =>
    Object.values(archiveReadings({ ...facts, ...changed } as DatabaseFacts));
  expect(readings({})).toEqual([5, 0]);
  expect(readings({ archivingFailedMs: 5_000 })).toEqual([5, 0]);
  expect(readings({ archivingFailedMs: 6_000 })).toEqual([5, 1]);
  expect(readings({ archivedMs: null, archivingFailedMs: 6_000 })).toEqual([0, 1]);
  expect(readings({ archivedMs: null })).toEqual([0, 0]);
  expect(readings({ isArchiving: false, archivingFailedMs: 6_000 })).toEqual([0, 0]);
});
