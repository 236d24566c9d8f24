import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";

const LOWEST = 10_240;
/** Of what the system gives to who asks for any port, where it does not say. */
const USUAL_FIRST_GIVEN = 32_768;
/** Processes of a run that each have ports of their own. */
const SHARES = 16;

/**
 * A port of 127.0.0.1 that nobody listens on. The system gives it to nobody who asks for any port, and no other process of the run is told it:
 * whoever stops listening on it may do so again later. A program that wants this one may take it all the same.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = nextPort();
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}

/** At least so many: a system that gives out low ports too keeps none for those who choose one. */
const MIN_PER_SHARE = 256;
const perShare = Math.max(MIN_PER_SHARE, Math.floor((firstGiven() - LOWEST) / SHARES));
const firstOfShare = LOWEST + (Number(process.env["VITEST_POOL_ID"] ?? 0) % SHARES) * perShare;
let place = Math.floor(Math.random() * perShare);

/** Each in turn: one that was told is told again only after all others. */
function nextPort(): number {
  place = (place + 1) % perShare;
  return firstOfShare + place;
}

/** The first port that the system gives to who asks for any. */
function firstGiven(): number {
  try {
    const [first = ""] = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").split(/\s/);
    return Number(first);
  } catch {
    return USUAL_FIRST_GIVEN;
  }
}
