/** The upkeep of a registry at the pace of a test, and what it leaves. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { startUpkeep, type UpkeepTimes } from "../../src/app/compose/upkeep.ts";
import { openLog } from "../../src/app/log/log.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import { readPointer } from "../../src/snapshot/directory.ts";
import { openCurrentSnapshot } from "../../src/snapshot/openSnapshot.ts";
import type { StateStore } from "../../src/storage/stateStore.ts";
import type { World } from "./world.ts";

const NEVER = 2_000_000_000;

/** A node's upkeep at the pace of a test. */
export function upkeepOf(
  world: World,
  state: StateStore,
  times: Partial<UpkeepTimes> = {},
  more: object = {},
) {
  const settings = readSettings({ ...world.environment, ...more });
  const lines: Record<string, unknown>[] = [];
  const log = openLog({ LOG_LEVEL: "silent" });
  const logger = Object.assign(Object.create(log.logger) as typeof log.logger, {
    info: (shown: object, msg: string) => lines.push({ level: "info", msg, ...shown }),
    warn: (shown: object, msg: string) => lines.push({ level: "warn", msg, ...shown }),
  });
  const upkeep = startUpkeep(settings, state, logger, {
    learnEveryMs: 20,
    withdrawAfterMs: NEVER,
    withdrawEveryMs: NEVER,
    ...times,
  });
  onTestFinished(() => upkeep.stop());
  return { lines, stop: () => upkeep.stop() };
}

/** Every byte of the files of a registry. */
export function bytesOf(directory: string): string {
  const files = readdirSync(directory).filter((name) => /\.(sqlite|names)$/.test(name));
  return files.map((name) => readFileSync(join(directory, name), "latin1")).join("\n");
}

/** The names of all companies of a registry; none while another snapshot takes the place of the one that was to be read. */
export function namesIn(directory: string): readonly string[] {
  const before = readPointer(directory)?.current.sha256;
  let snapshot: ReturnType<typeof openCurrentSnapshot>;
  try {
    snapshot = openCurrentSnapshot(directory);
  } catch (error) {
    if (readPointer(directory)?.current.sha256 === before) throw error;
    return [];
  }
  const names = [...(snapshot?.all() ?? [])].map(({ company: { name } }) => name);
  snapshot?.close();
  return names;
}
