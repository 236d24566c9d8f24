import { describe, expect, it } from "vitest";
import type { DatabaseFacts } from "../../database/postgres/databaseFacts.ts";
import { archive, databaseClock, databaseFindings, databaseSettings } from "./database.ts";

const NOW_MS = Date.UTC(2026, 4, 5, 12);
const HOUR_MS = 3_600_000;

const WELL: DatabaseFacts = {
  version: "18.1",
  nowMs: NOW_MS,
  fsync: true,
  synchronousCommit: "on",
  synchronousStandbys: "",
  standbys: 0,
  maxConnections: 97,
  connections: 20,
  machines: 2,
  ownsTables: true,
  isArchiving: true,
  archivedMs: NOW_MS - 2 * HOUR_MS,
  archivingFailedMs: null,
};

const settings = (facts: Partial<DatabaseFacts> = {}) => databaseSettings({ ...WELL, ...facts }, 1);
const clock = (facts: Partial<DatabaseFacts>, now: () => number) =>
  databaseClock(Promise.resolve({ ...WELL, ...facts }), now);
const archived = (facts: Partial<DatabaseFacts> = {}) => archive({ ...WELL, ...facts }, NOW_MS);

describe("a database", () => {
  it("in good condition is reported as good", async () => {
    const found = [settings(), await clock({}, () => NOW_MS), archived()];
    expect(found.map(({ condition }) => condition)).toEqual(["good", "good", "good"]);
    expect(found[2]?.found).toContain("2 hours ago");
  });

  it.each<[string, Partial<DatabaseFacts>, string, RegExp]>([
    ["without fsync", { fsync: false }, "problem", /turn it on/],
    ["that does not wait for its disk", { synchronousCommit: "off" }, "problem", /set it to on/],
    ["that does not wait for its standbys", { synchronousCommit: "local" }, "warning", /set it to on/],
    ["with standbys that nothing waits for", { standbys: 2 }, "warning", /ANY 1 \(b, c\)/],
    ["that is old", { version: "14.20" }, "warning", /upgrade the server/],
    ["whose tables belong to another role", { ownsTables: false }, "warning", /the owner of all tables/],
    ["with few connections left", { connections: 90 }, "warning", /raise max_connections/],
    ["with too few connections for its nodes", { machines: 13 }, "warning", /raise max_connections/],
  ])("%s is reported", (_, facts, condition, remedy) => {
    expect(databaseFindings({ ...WELL, ...facts }, 1)).toEqual([
      { condition, found: expect.any(String), remedy: expect.stringMatching(remedy) },
    ]);
    expect(settings(facts)).toMatchObject({
      condition,
      remedy: expect.stringMatching(remedy),
    });
  });

  it.each<[string, Partial<DatabaseFacts>]>([
    ["waits for one of its standbys", { standbys: 2, synchronousStandbys: "ANY 1 (b, c)" }],
    ["waits until a standby has applied", { synchronousCommit: "remote_apply" }],
    ["is just new enough, with just enough connections", { version: "15.0", connections: 89, machines: 12 }],
  ])("that %s is good", (_, facts) => {
    expect(databaseFindings({ ...WELL, ...facts }, 1)).toEqual([]);
  });

  it("counts the connections of all processes of its nodes", () => {
    expect(databaseFindings({ ...WELL, machines: 3 }, 4)).toEqual([]);
    expect(databaseFindings({ ...WELL, machines: 3 }, 5)).toMatchObject([
      { remedy: expect.stringContaining("may open 120") },
    ]);
  });

  it("with several problems is reported with all of them, by the worst", () => {
    const { condition, found, remedy } = settings({ fsync: false, standbys: 1 });
    expect(condition).toBe("problem");
    expect(found).toMatch(/fsync is off; 1 connected standbys/);
    expect(remedy).toMatch(/turn it on.*ANY 1/);
  });

  it.each([
    ["ahead of", 31_000, "warning"],
    ["behind", -31_000, "warning"],
    ["ahead of", 30_000, "good"],
    ["behind", -30_000, "good"],
  ])("whose clock is %s this machine's by %s ms: %s", async (how, byMs, condition) => {
    const found = await clock({ nowMs: NOW_MS + byMs }, () => NOW_MS);
    expect(found).toMatchObject({ condition, found: expect.stringContaining(`${Math.abs(byMs)} ms ${how}`) });
  });

  it("does not count the duration of the query as a clock difference", async () => {
    const times = [NOW_MS - 60_000, NOW_MS + 60_000];
    const { condition } = await clock({}, () => times.shift() ?? NOW_MS + 60_000);
    expect(condition).toBe("good");
  });

  it.each<[string, Partial<DatabaseFacts>, string, RegExp]>([
    ["does not archive", { isArchiving: false }, "warning", /archive_mode is off/],
    ["archived nothing for a day", { archivedMs: NOW_MS - 25 * HOUR_MS }, "warning", /for a day/],
    ["never archived", { archivedMs: null }, "warning", /for a day/],
    ["fails to archive", { archivingFailedMs: NOW_MS - HOUR_MS }, "problem", /failing since 2026-05-05T11/],
    [
      "fails from the beginning",
      { archivedMs: null, archivingFailedMs: NOW_MS - HOUR_MS },
      "problem",
      /failing since/,
    ],
  ])("that %s is reported", (_, facts, condition, found) => {
    expect(archived(facts)).toMatchObject({
      condition,
      found: expect.stringMatching(found),
      remedy: expect.any(String),
    });
  });

  it("that failed to archive before its last success is good", () => {
    const { condition } = archived({ archivingFailedMs: NOW_MS - 3 * HOUR_MS });
    expect(condition).toBe("good");
  });
});
