// Loaded into every process and thread of a node under test, before anything else: sets its clock, and ends a worker process, as a file says; and has its garbage
// collected now and then, so that what it holds can be told from what lies there.
import { closeSync, openSync, readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

const LOOK_EVERY_MS = 200;
const COLLECT_EVERY_MS = 60_000;
const file = process.env.SOAK_CONTROL;
const realNow = Date.now;
const RealDate = Date;
let aheadMs = 0;

Date.now = () => realNow() + aheadMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, self) =>
    Reflect.construct(target, given.length === 0 ? [realNow() + aheadMs] : given, self),
  apply: () => new RealDate(realNow() + aheadMs).toString(),
});

/** Whether this is the one process that takes up an order to die. */
function isMine({ id }) {
  try {
    closeSync(openSync(`${file}.${id}`, "wx"));
    return true;
  } catch {
    return false;
  }
}

setInterval(() => {
  let control;
  try {
    control = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return;
  }
  aheadMs = control.aheadMs;
  const { death } = control;
  if (death === undefined || !isMainThread || process.env.OPZOEK_WORKER === undefined || !isMine(death))
    return;
  if (death.how === "throw") throw new Error("this process was told to fail");
  process.exit(1);
}, LOOK_EVERY_MS).unref();

setFlagsFromString("--expose-gc");
setInterval(runInNewContext("gc"), COLLECT_EVERY_MS).unref();
