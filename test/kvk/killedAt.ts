/**
 * Loaded into every thread of a service by `NODE_OPTIONS`: has it learn and withdraw when the test says so rather than by the clock, and kills it before the call that the
 * environment names. `KILL_IN` is a thread, `KILL_AT` which of its calls; `UPKEEP_DOES` is the work that is let begin. SIGUSR2 begins it, and from then on calls are counted.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, extname } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";
import timers from "node:timers/promises";
import { getEnvironmentData, isMainThread, setEnvironmentData } from "node:worker_threads";

/** The waits of `src/app/compose/upkeep.ts` before each work, and between two rounds of learning. */
const WAITS: Readonly<Record<number, string>> = {
  0: "learning",
  15000: "learning",
  300000: "withdrawing",
  21600000: "withdrawing",
};
const NEVER_MS = 2_000_000_000;
const SOON_MS = 25;
const BEGUN = "killedAt";

const { KILL_IN, KILL_AT, UPKEEP_DOES } = process.env;

if (isMainThread) setEnvironmentData(BEGUN, new Int32Array(new SharedArrayBuffer(4)));
const shared = getEnvironmentData(BEGUN);
if (!(shared instanceof Int32Array)) throw new Error("the thread was not told whether it has begun");
const begun = shared;
const hasBegun = () => Atomics.load(begun, 0) === 1;

if (isMainThread) {
  process.on("SIGUSR2", () => {
    Atomics.store(begun, 0, 1);
    process.stderr.write("begun\n");
  });
  const wait = timers.setTimeout;
  const lapse: typeof wait = async (ms, value, options) => {
    const work = options?.ref === false ? WAITS[ms ?? 0] : undefined;
    if (work === undefined) return wait(ms, value, options);
    if (UPKEEP_DOES?.split(",").includes(work) !== true) return wait(NEVER_MS, value, options);
    do await wait(SOON_MS, undefined, options);
    while (!hasBegun());
    return wait(SOON_MS, value, options);
  };
  Reflect.set(timers, "setTimeout", lapse);
}

const thread = isMainThread ? "main" : basename(process.argv[1] ?? "", extname(process.argv[1] ?? ""));
if (thread === KILL_IN) {
  let calls = 0;
  const step = () => {
    if (hasBegun() && ++calls === Number(KILL_AT)) process.kill(process.pid, "SIGKILL");
  };
  const countCalls = (of: object, name: string, counts: (first: unknown) => boolean = () => true) => {
    const real: unknown = Reflect.get(of, name);
    if (typeof real !== "function") throw new Error(`there is no ${name}`);
    Reflect.set(of, name, function counted(this: unknown, ...given: unknown[]) {
      if (counts(given[0])) step();
      return Reflect.apply(real, this, given);
    });
  };
  if (thread === "sqliteThread") countCalls(StatementSync.prototype, "run");
  if (thread === "upkeepWorker") countCalls(DatabaseSync.prototype, "exec");
  // Of the thread that answers, only what it notes counts: all calls from the first on a note until the last.
  let isNoting = thread !== "main";
  const counts = (first: unknown) => {
    isNoting ||= typeof first === "string" && basename(first).startsWith("learned.json");
    return isNoting;
  };
  for (const name of ["openSync", "fsyncSync", "renameSync", "rmSync", "mkdirSync"])
    countCalls(fs, name, counts);
}
syncBuiltinESMExports();
