/** Asks the Peppol network about one participant: its record in DNS, then its SMP. */
import type { promises as dns, NaptrRecord } from "node:dns";
import { setTimeout as wait } from "node:timers/promises";
import { earlierOf } from "../lib/deadline.ts";
import type { TurnStore } from "../lib/turns.ts";
import { Breakers, type GuardedPart, type ShownBreaker } from "../upstream/breakers.ts";
import { Bulkhead } from "../upstream/bulkhead.ts";
import { allowedAddresses, lookUpIn, type ResolveOptions, withResolver } from "../upstream/guardedAddress.ts";
import { GuardedClient } from "../upstream/guardedClient.ts";
import { type HttpPool, openHttpPool, type UpstreamResponse } from "../upstream/pool.ts";
import { hostOf, mayAsk, PARTICIPANT_SCHEME, smpOf } from "./participants.ts";
import { readServiceGroup } from "./serviceGroup.ts";

/** The extent of a failure: the `zone` in DNS; one `smp`; or a `call` not made. */
type Scope = "zone" | "smp" | "call";

/** The network's answer about a participant. Only `not-registered` is a no. */
export type PeppolResult =
  | { readonly kind: "registered"; readonly receives: readonly string[]; readonly accessPoint: string }
  | { readonly kind: "not-registered" }
  /** Not asked: too many questions wait here. It says nothing about the network. */
  | { readonly kind: "busy" }
  | NoPeppolAnswer;

interface NoPeppolAnswer {
  readonly kind: "no-answer";
  /** A fixed text, without anything that was sent or received. */
  readonly reason: string;
  readonly scope: Scope;
  readonly isFromUpstream: boolean;
}

export interface PeppolClientOptions {
  readonly zone: string;
  /** DNS servers, `address:port`; those of the machine if absent. */
  readonly nameServers?: readonly string[] | undefined;
  /** Questions per second of all processes together. */
  readonly perSecond: number;
  readonly turns: Pick<TurnStore, "takeTurn">;
  /** Private networks that an SMP may have. */
  readonly networks: readonly string[];
  readonly callWithinMs?: number;
  /** Called when the breaker opens or closes. */
  readonly onChange?: (isOpen: boolean, reason: string) => void;
  /** Called after each question. */
  readonly onTried?: (outcome: PeppolResult["kind"]) => void;
}

const TURN = "peppol-question";
const CALL_WITHIN_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
const MAX_REDIRECTS = 3;
/** More than are under way at the highest rate. */
const MAX_CONCURRENT = 500;
/** How long a question waits for its turn. */
const TURN_WITHIN_MS = 5_000;
const MAX_WAITING = 200;
const BUSY = { kind: "busy" } as const;
const TARGET = "peppol";
const PARTS: readonly GuardedPart<Scope>[] = [
  {
    name: "zone",
    failures: 5,
    openForMs: 15_000,
    maxOpenForMs: 300_000,
    failedBy: ["zone"],
    clearedBy: ["smp"],
  },
];

/** Whether a redirect stays on its host; it may change to https there. */
function isSameHost(next: URL, { host, hostname }: URL): boolean {
  return next.host === host || (next.hostname === hostname && next.protocol === "https:");
}

const failure = (reason: string, scope: Scope): NoPeppolAnswer => ({
  kind: "no-answer",
  reason,
  scope,
  isFromUpstream: scope === "smp",
});
const TIMED_OUT = failure("TIMED_OUT", "smp");
const ENDED_HERE = {
  notAsked: failure("NOT_ASKED", "call"),
  queuedTooLong: failure("QUEUED_TOO_LONG", "call"),
  timedOut: TIMED_OUT,
  cutShort: failure("CUT_SHORT", "call"),
  late: failure("CUT_SHORT", "call"),
} as const;
/** NXDOMAIN, and NOERROR without a NAPTR record. */
const NOT_THERE = ["ENOTFOUND", "ENODATA"];

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Whether the name of the zone exists; it need not be the top of a zone. */
export async function hasZone(
  resolving: ResolveOptions,
  zone: string,
  signal: AbortSignal,
): Promise<boolean> {
  return withResolver(resolving, signal, (resolver) => resolver.resolveSoa(zone)).then(
    () => true,
    (error: unknown) => codeOf(error) === "ENODATA",
  );
}

/** @throws {NodeJS.ErrnoException} (the promise) also if there are none */
async function naptrOf(resolver: dns.Resolver, host: string): Promise<readonly NaptrRecord[]> {
  try {
    return await resolver.resolveNaptr(host);
  } catch (error) {
    if (codeOf(error) !== "ENODATA") throw error;
    // c-ares also says so after the response codes 6 to 10, which are failures. With this type it then succeeds.
    const isFailure = await resolver.resolveTlsa(host).then(
      () => true,
      () => false,
    );
    throw isFailure ? new Error("the server reports a failure") : error;
  }
}

/** So many questions a second, and none while its breaker is open. */
export class PeppolClient {
  readonly #options: PeppolClientOptions;
  readonly #pool: HttpPool;
  readonly #breakers: Breakers<typeof TARGET, Scope>;
  readonly #client: GuardedClient<typeof TARGET, Scope, PeppolResult>;
  /** One question of this process at a time waits for a turn among all processes. */
  readonly #waiting = new Bulkhead(1, MAX_WAITING);

  constructor(options: PeppolClientOptions) {
    const { onChange, onTried, callWithinMs = CALL_WITHIN_MS } = options;
    this.#options = options;
    this.#pool = openHttpPool({ maxBytes: MAX_BYTES });
    this.#breakers = new Breakers(PARTS, { onChange: (_, isOpen, reason) => onChange?.(isOpen, reason) });
    this.#client = new GuardedClient<typeof TARGET, Scope, PeppolResult>({
      breakers: this.#breakers,
      atOnce: MAX_CONCURRENT,
      maxQueued: 0,
      maxRetries: 0,
      callWithinMs,
      onTried: (_, { kind }) => onTried?.(kind),
      results: ENDED_HERE,
    });
  }

  /** The breaker, for metrics. */
  get shown(): ShownBreaker {
    return { what: "zone", isOpen: !this.#breakers.permits(TARGET) };
  }

  /** `down` while the zone counts as failing. */
  get health(): "up" | "down" {
    return this.#breakers.failing.isShared ? "down" : "up";
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** @throws {StoreUnavailable} (the promise) when the state cannot give a turn */
  async ask(participantId: string, deadline: AbortSignal): Promise<PeppolResult> {
    if (this.#breakers.permits(TARGET)) {
      const inTime = earlierOf(deadline, TURN_WITHIN_MS);
      const hasTurn = await this.#waiting.run(() => this.#takeTurn(inTime), inTime);
      if (hasTurn !== true) {
        this.#options.onTried?.(BUSY.kind);
        return BUSY;
      }
    }
    return this.#client.ask(TARGET, deadline, (send) =>
      send((signal) => this.#question(participantId, signal, deadline)),
    );
  }

  /** Waits for a turn. @returns false if the deadline ends first */
  async #takeTurn(deadline: AbortSignal): Promise<boolean> {
    const { turns, perSecond } = this.#options;
    const everyMs = Math.ceil(1_000 / perSecond);
    while (!deadline.aborted) {
      const turn = await turns.takeTurn(TURN, everyMs, everyMs);
      if (typeof turn === "object") return true;
      await wait(Math.min(turn, everyMs) + 1, undefined, { signal: deadline }).catch(() => {});
    }
    return false;
  }

  async #question(participantId: string, signal: AbortSignal, deadline: AbortSignal): Promise<PeppolResult> {
    const { zone, nameServers } = this.#options;
    const resolving = { nameServers, tries: 2 };
    let records: readonly NaptrRecord[];
    try {
      const host = hostOf(participantId, zone);
      records = await withResolver(resolving, signal, (resolver) => naptrOf(resolver, host));
    } catch (error) {
      const code = codeOf(error);
      // A machine without internet, and a zone that has moved, deny every name. Servers that the operator names are
      // believed.
      const isDenied = NOT_THERE.includes(code) && nameServers === undefined;
      if (isDenied && !(await hasZone(resolving, zone, signal))) return failure("NO_ZONE", "zone");
      if (NOT_THERE.includes(code)) return { kind: "not-registered" };
      if (deadline.aborted) return ENDED_HERE.cutShort;
      // Records of one participant that cannot be read must not pause the questions about all others.
      return failure("DNS_FAILED", code === "EBADRESP" ? "call" : "zone");
    }
    const smp = smpOf(records);
    if (smp === undefined) return failure("NO_USABLE_RECORD", "smp");
    smp.search = "";
    smp.pathname = `${smp.pathname.replace(/(?<!\/)\/+$/, "")}/${encodeURIComponent(`${PARTICIPANT_SCHEME}::${participantId}`)}`;
    const response = await this.#fetch(smp, signal).catch(() => undefined);
    if (response?.status !== 200) return signal.aborted ? TIMED_OUT : failure("SMP_FAILED", "smp");
    const receives = await readServiceGroup(response.text, participantId);
    if (receives === undefined) return failure("SMP_UNREADABLE", "smp");
    return { kind: "registered", receives, accessPoint: smp.hostname };
  }

  /** Follows redirects to the same host only. Undefined without a response that may be used. */
  async #fetch(first: URL, signal: AbortSignal): Promise<UpstreamResponse | undefined> {
    const { networks, nameServers } = this.#options;
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const addresses = await allowedAddresses(url, networks, signal, { nameServers });
      if (addresses.length === 0) return undefined;
      const headers = { accept: "application/xml, text/xml" };
      const response = await this.#pool.ask(url.href, { headers, lookup: lookUpIn(addresses), signal });
      if (response.kind !== "response") return undefined;
      const { location } = response.headers;
      if (response.status < 300 || response.status > 399 || location === undefined) return response;
      const next = URL.parse(location, url.href);
      if (next === null || !isSameHost(next, url) || !mayAsk(next)) return undefined;
      url = next;
    }
    return undefined;
  }
}
