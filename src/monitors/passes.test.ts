import { expect, it } from "vitest";
import { afterPass, type MonitorProgress, nextPass } from "./passes.ts";

const DAY_MS = 86_400_000;
const NOON_MS = 20_000.5 * DAY_MS;
const MIDNIGHT_MS = 20_001 * DAY_MS;
const [OLD, SERVED, NEW] = [NOON_MS - 3_000, NOON_MS - 2_000, NOON_MS - 1_000];

const COMPARED: MonitorProgress = {
  serialMs: SERVED,
  comparedAtMs: NOON_MS,
  passSerialMs: 0,
  passAfter: "",
  answersUntilMs: 0,
};
const FIRST = { ...COMPARED, serialMs: 0, comparedAtMs: 0 };
const UNDER_WAY = { ...COMPARED, passSerialMs: NEW, passAfter: "50000000" };
const begun = (serialMs: number) => ({ passSerialMs: serialMs, passAfter: "" });

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
  ["continues with its snapshot", UNDER_WAY, NEW, NOON_MS, { passSerialMs: NEW, passAfter: "50000000" }],
  ["begins again with a newer snapshot", UNDER_WAY, NEW + 1, NOON_MS, begun(NEW + 1)],
  ["is not continued with an older snapshot", UNDER_WAY, SERVED, NOON_MS, undefined],
])("a pass %s", (_, progress, serialMs, nowMs, expected) => {
  const pass = nextPass(progress, serialMs, nowMs);
  expect(pass).toEqual(expected && { ...progress, ...expected });
});

it("a completed pass is not due again", () => {
  const after = afterPass(UNDER_WAY, NOON_MS);
  expect(after).toMatchObject({ serialMs: NEW, comparedAtMs: NOON_MS, passSerialMs: 0, passAfter: "" });
  expect(nextPass(after, NEW, NOON_MS)).toBeUndefined();
});

it("a completed pass with an older snapshot does not hide the newest one", () => {
  expect(afterPass({ ...COMPARED, passSerialMs: OLD }, NOON_MS).serialMs).toBe(SERVED);
});
