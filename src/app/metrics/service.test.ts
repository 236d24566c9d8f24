import { expect, it } from "vitest";
import { backupReadings } from "./service.ts";

it("tells a backup that failed also where none was ever good", () => {
  const source = "this test";
  const good = { atMs: 1_500, path: "backup.sqlite", bytes: 1 };
  const failed = { atMs: 2_000, reason: "the folder is away" };
  const at = { name: "opzoek_last_backup_timestamp_seconds", value: 1 };
  const hasFailed = (value: number) => ({ name: "opzoek_last_backup_failed", value });
  expect(backupReadings(undefined)).toEqual([hasFailed(0)]);
  expect(backupReadings({ source })).toEqual([hasFailed(0)]);
  expect(backupReadings({ source, failed })).toEqual([hasFailed(1)]);
  expect(backupReadings({ source, good })).toEqual([hasFailed(0), at]);
  expect(backupReadings({ source, good, failed })).toEqual([hasFailed(1), at]);
});
