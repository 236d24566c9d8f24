/**
 * Loaded into a service before its own code (`--import`): with SIGUSR2 something fails in a way that nobody catches, as the
 * variable ESCAPE says. In the service's own code nothing knows of it.
 */
import { BroadcastChannel, isMainThread } from "node:worker_threads";

const AGAIN_EVERY_MS = 5;

const fail = () => {
  throw new Error("this escaped: asked by opz_live_0123456789abcdefghijABCDEFGHIJ012345");
};

const ways: Readonly<Record<string, () => void>> = {
  throw: fail,
  reject: () => void Promise.resolve().then(fail),
  // And again and again while the process ends.
  again: () => {
    setInterval(fail, AGAIN_EVERY_MS);
    fail();
  },
  thread: () => new BroadcastChannel("escape").postMessage("now"),
};

if (isMainThread) {
  process.on("SIGUSR2", () => ways[process.env.ESCAPE ?? ""]?.());
} else {
  const channel = new BroadcastChannel("escape");
  channel.onmessage = fail;
  channel.unref();
}
