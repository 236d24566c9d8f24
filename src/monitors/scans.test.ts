import { expect, it } from "vitest";
import { afterScan, type MonitorProgress, nextScan } from "./scans.ts";

const DAY_MS = 86_400_000;
const NOON_MS = 20_000.5 * DAY_MS;
const MIDNIGHT_MS = 20_001 * DAY_MS;
const [OLD, SERVED, NEW] = [NOON_MS - 3_000, NOON_MS - 2_000, NOON_MS - 1_000];

const COMPARED: MonitorProgress = {
  serialMs: SERVED,
  comparedAtMs: NOON_MS,
  scanSerialMs: 0,
  scanAfter: "",
  answersUntilMs: 0,
  courtListMs: 0,
  courtUntilMs: 0,
};
const FIRST = { ...COMPARED, serialMs: 0, comparedAtMs: 0 };
const UNDER_WAY = { ...COMPARED, scanSerialMs: NEW, scanAfter: "50000000" };
const begun = (serialMs: number) => ({ scanSerialMs: serialMs, scanAfter: "" });

it.each<[string, MonitorProgress, number, number, Partial<MonitorProgress> | undefined]>([
  ["begins with the first snapshot", FIRST, OLD, NOON_MS, begun(OLD)],
  ["begins without a snapshot", FIRST, 0, NOON_MS, begun(0)],
  ["is not due for the snapshot of the last one", COMPARED, SERVED, NOON_MS, undefined],
  ["begins with a newer snapshot", COMPARED, NEW, NOON_MS, begun(NEW)],
  ["is not due for an older snapshot", COMPARED, OLD, NOON_MS, undefined],
  ["begins on the next day", COMPARED, SERVED, MIDNIGHT_MS, begun(SERVED)],
  [
    "is left to others on the next day by a process with an older snapshot",
    COMPARED,
    OLD,
    MIDNIGHT_MS,
    undefined,
  ],
  [
    "begins with an older snapshot a day later: there was a rollback",
    COMPARED,
    OLD,
    MIDNIGHT_MS + DAY_MS,
    begun(OLD),
  ],
  ["continues with its snapshot", UNDER_WAY, NEW, NOON_MS, { scanSerialMs: NEW, scanAfter: "50000000" }],
  ["begins again with a newer snapshot", UNDER_WAY, NEW + 1, NOON_MS, begun(NEW + 1)],
  ["is not continued with an older snapshot", UNDER_WAY, SERVED, NOON_MS, undefined],
])("a scan %s", (_, progress, serialMs, nowMs, expected) => {
  const scan = nextScan(progress, serialMs, nowMs);
  expect(scan).toEqual(expected && { ...progress, ...expected });
});

it("a completed scan is not due again", () => {
  const after = afterScan(UNDER_WAY, NOON_MS);
  expect(after).toMatchObject({ serialMs: NEW, comparedAtMs: NOON_MS, scanSerialMs: 0, scanAfter: "" });
  expect(nextScan(after, NEW, NOON_MS)).toBeUndefined();
});

it("a completed scan with an older snapshot does not hide the newest one", () => {
  expect(afterScan({ ...COMPARED, scanSerialMs: OLD }, NOON_MS).serialMs).toBe(SERVED);
});
