/**
 * Preloaded into a service (`--import`): on SIGUSR2 a process fails with an uncaught error or hangs, according to the
 * variable ESCAPE. The service's own code is unaware of it.
 */
import { once } from "node:events";
import { BroadcastChannel, isMainThread } from "node:worker_threads";

const AGAIN_EVERY_MS = 5;
/** Worker processes load nothing before the signal. */
const LATE = "workers are late";

const fail = () => {
  throw new Error("this escaped: asked by opz_live_0123456789abcdefghijABCDEFGHIJ012345");
};

const again = () => {
  setInterval(fail, AGAIN_EVERY_MS);
  fail();
};

const hang = () => {
  for (;;);
};

const ways: Readonly<Record<string, () => void>> = {
  throw: fail,
  reject: () => void Promise.resolve().then(fail),
  // Repeats while the process shuts down.
  again,
  hang,
  thread: () => new BroadcastChannel("escape").postMessage("now"),
};

const { ESCAPE = "", OPZOEK_WORKER } = process.env;

if (!isMainThread) {
  const channel = new BroadcastChannel("escape");
  channel.onmessage = fail;
  channel.unref();
} else if (ESCAPE === LATE) {
  if (OPZOEK_WORKER !== undefined) {
    const waiting = setInterval(() => {}, 1_000);
    await once(process, "SIGUSR2");
    clearInterval(waiting);
  }
} else process.on("SIGUSR2", () => ways[ESCAPE]?.());
