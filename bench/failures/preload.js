// Loaded into every process and thread of a node before anything else: sets its clock, and ends a worker process, as a file says.
import { closeSync, openSync, readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const LOOK_EVERY_MS = 200;
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
