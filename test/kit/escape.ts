/**
 * Loaded into a service before its own code (`--import`): with SIGUSR2 something fails in a way that nobody catches, as the
 * variable ESCAPE says. In the service's own code nothing knows of it.
 */
import { BroadcastChannel, isMainThread, threadName } from "node:worker_threads";

const AGAIN_EVERY_MS = 5;
/** What the thread that answers calls and was started first is called. */
const FIRST_OF_REQUESTS = "requests 1";

/** The second of them loads nothing before the signal comes. */
const LATE = "the second of requests is late";
/** The same with the second signal, the first of them ends by the first one. */
const FIRST_ENDS = "the second of requests is late, the first ends";
/** None of them loads anything before it. */
const ALL_LATE = "all of requests are late";
const SECOND_OF_REQUESTS = "requests 2";

const fail = () => {
  throw new Error("this escaped: asked by opz_live_0123456789abcdefghijABCDEFGHIJ012345");
};

const again = () => {
  setInterval(fail, AGAIN_EVERY_MS);
  fail();
};

/** Takes memory until there is none. */
const fill = () => {
  const held: number[][] = [];
  for (;;) held.push(Array.from({ length: 100_000 }, (_, index) => index / 3));
};

const tell = (channel: string) => () => new BroadcastChannel(channel).postMessage("now");

const hang = () => {
  for (;;);
};

/** One way once, then the other. */
const then = (first: () => void, other: () => void) => {
  let next = first;
  return () => {
    next();
    next = other;
  };
};

const ways: Readonly<Record<string, () => void>> = {
  throw: fail,
  reject: () => void Promise.resolve().then(fail),
  // And again and again while the process ends.
  again,
  thread: tell("escape"),
  "one of requests, throw": tell(FIRST_OF_REQUESTS),
  "one of requests, again": tell(FIRST_OF_REQUESTS),
  "one of requests, exit": tell(FIRST_OF_REQUESTS),
  "one of requests, memory": tell(FIRST_OF_REQUESTS),
  "one of requests, hang": tell(FIRST_OF_REQUESTS),
  [LATE]: tell(SECOND_OF_REQUESTS),
  [ALL_LATE]: () => {
    for (const name of [FIRST_OF_REQUESTS, SECOND_OF_REQUESTS]) tell(name)();
  },
  [FIRST_ENDS]: then(tell(FIRST_OF_REQUESTS), tell(SECOND_OF_REQUESTS)),
};

const waysOfRequests: Readonly<Record<string, () => void>> = {
  "one of requests, throw": fail,
  "one of requests, again": again,
  "one of requests, exit": () => process.exit(3),
  [FIRST_ENDS]: () => process.exit(3),
  "one of requests, memory": fill,
  "one of requests, hang": hang,
};

const { ESCAPE = "" } = process.env;

if (isMainThread) {
  process.on("SIGUSR2", () => ways[ESCAPE]?.());
} else {
  const channel = new BroadcastChannel(threadName?.startsWith("requests") ? threadName : "escape");
  const isLate =
    ([LATE, FIRST_ENDS].includes(ESCAPE) && threadName === SECOND_OF_REQUESTS) ||
    (ESCAPE === ALL_LATE && threadName?.startsWith("requests"));
  if (isLate) {
    await new Promise<void>((resolve) => {
      channel.onmessage = () => resolve();
    });
  }
  if (isLate || ESCAPE === LATE) channel.close();
  else {
    channel.onmessage = waysOfRequests[ESCAPE] ?? fail;
    channel.unref();
  }
}
