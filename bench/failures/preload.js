// Loaded first into every process and thread of a node: moves its clock ahead by the time in a file, and throws an
// error on SIGUSR2.
import { readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const POLL_EVERY_MS = 200;
const realNow = Date.now;
const RealDate = Date;
let aheadMs = 0;

Date.now = () => realNow() + aheadMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, self) =>
    Reflect.construct(target, given.length === 0 ? [realNow() + aheadMs] : given, self),
  apply: () => new RealDate(realNow() + aheadMs).toString(),
});

setInterval(() => {
  try {
    aheadMs = Number(readFileSync(process.env.CLOCK_FILE, "utf8"));
  } catch {
    // The run ends.
  }
}, POLL_EVERY_MS).unref();

if (isMainThread) {
  process.on("SIGUSR2", () => {
    throw new Error("thrown by SIGUSR2");
  });
}
