import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { following, makeTestKeys, publish } from "../../../test/kit/published.ts";
import { add, sourcedFacts, temporaryFolder } from "../../../test/kit/registry.ts";
import { followPublished } from "./follow.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

it("reports a stale signature once, and its renewal once", async () => {
  const [publisher, target, node] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const keys = makeTestKeys();
  let nowMs = 1_800_000_000_000;
  const now = () => nowMs;
  await add(publisher, sourcedFacts(1));
  await publish(publisher, target, keys, now);
  const events: string[] = [];
  const follower = followPublished({
    ...following(node, target, keys),
    pollMs: 1,
    warnAfterMs: DAY_MS,
    now,
    onTaken: () => events.push("taken"),
    onStale: (signedAt) => events.push(`stale ${signedAt}`),
    onSignOfLife: (signedAt) => events.push(`signed ${signedAt}`),
    onProblem: (error) => events.push(String(error)),
    onRecovered: () => events.push("recovered"),
  });
  onTestFinished(() => follower.stop());
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await wait(1);
  };
  await until(() => events.length === 1);
  expect(follower.isStale).toBe(false);
  nowMs += DAY_MS;
  expect(follower.isStale).toBe(false);
  nowMs += 1;
  expect(follower.isStale).toBe(true);
  await until(() => events.length === 2);
  nowMs += DAY_MS;
  const { isNew } = await publish(publisher, target, keys, now);
  expect(isNew).toBe(false);
  await until(() => events.length === 3);
  expect(follower.isStale).toBe(false);
  nowMs += 2 * DAY_MS;
  await until(() => events.length === 4);
  expect(events).toEqual([
    "taken",
    "stale 2027-01-15T08:00:00.000Z",
    "signed 2027-01-17T08:00:00.001Z",
    "stale 2027-01-17T08:00:00.001Z",
  ]);
});

it("reports each change of the cause of failures, so that the last report names the present one", async () => {
  const [publisher, target, node] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const keys = makeTestKeys();
  await add(publisher, sourcedFacts(1));
  await publish(publisher, target, keys);
  const manifest = join(target, "manifest.json");
  const good = readFileSync(manifest);
  const reported: string[] = [];
  let rounds = 0;
  const { source, ...options } = following(node, target, keys);
  const follower = followPublished({
    ...options,
    source: {
      ...source,
      get: (...request) => {
        rounds += 1;
        return source.get(...request);
      },
    },
    pollMs: 1,
    onTaken: () => reported.push("taken"),
    onProblem: (error) =>
      reported.push(/cannot be read|is refused/.exec(String(error))?.[0] ?? String(error)),
    onRecovered: () => reported.push("recovered"),
  });
  onTestFinished(() => follower.stop());
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await wait(1);
  };
  const more = () => {
    const after = rounds + 3;
    return until(() => rounds >= after);
  };
  await until(() => reported.length === 1);
  for (const next of [1, 2]) {
    rmSync(manifest);
    await until(() => reported.length === 2 * next);
    await more();
    writeFileSync(manifest, "{}");
    await until(() => reported.length === 2 * next + 1);
    await more();
  }
  writeFileSync(manifest, good);
  await until(() => reported.includes("recovered"));
  const twice = ["cannot be read", "is refused"];
  expect(reported).toEqual(["taken", ...twice, ...twice, "recovered"]);
});
