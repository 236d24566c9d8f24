import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";

const LOWEST = 10_240;
/** The first ephemeral port if the system does not report it. */
const DEFAULT_FIRST_EPHEMERAL = 32_768;
/** The number of processes of a run that each have their own ports. */
const SHARES = 16;

/**
 * A free port of 127.0.0.1, outside the range that the system assigns and unique to this process of the run, so a test
 * can listen on it again later. Other programs may still take it.
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

/** At least this many ports per process: a system with a low ephemeral range leaves few others. */
const MIN_PER_SHARE = 256;
const perShare = Math.max(MIN_PER_SHARE, Math.floor((firstEphemeralPort() - LOWEST) / SHARES));
const firstOfShare = LOWEST + (Number(process.env["VITEST_POOL_ID"] ?? 0) % SHARES) * perShare;
let place = Math.floor(Math.random() * perShare);

/** Ports are used in turn, so that one is reused as late as possible. */
function nextPort(): number {
  place = (place + 1) % perShare;
  return firstOfShare + place;
}

/** The first port that the system assigns by itself. */
function firstEphemeralPort(): number {
  try {
    const [first = ""] = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").split(/\s/);
    return Number(first);
  } catch {
    return DEFAULT_FIRST_EPHEMERAL;
  }
}
