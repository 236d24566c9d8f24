import { expect, it } from "vitest";
import { backupReadings } from "./service.ts";

it("reports a backup that failed, and one that was never made", () => {
  const good = { atMs: 1_500, path: "backup.sqlite", bytes: 1 };
  const failed = { atMs: 2_000, reason: "the folder is away" };
  const at = { name: "opzoek_last_backup_timestamp_seconds", value: 1 };
  const never = { ...at, value: 0 };
  const hasFailed = (value: number) => ({ name: "opzoek_last_backup_failed", value });
  expect(backupReadings(undefined)).toEqual([hasFailed(0), never]);
  expect(backupReadings({})).toEqual([hasFailed(0), never]);
  expect(backupReadings({ failed })).toEqual([hasFailed(1), never]);
  expect(backupReadings({ good })).toEqual([hasFailed(0), at]);
  expect(backupReadings({ good, failed })).toEqual([hasFailed(1), at]);
});
