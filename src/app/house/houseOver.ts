import type { MessagePort } from "node:worker_threads";
import { MOST_HASHING_WAIT_MS } from "../../accounts/passwords.ts";
import type { CachedCompany } from "../../kvk/cache/companyCache.ts";
import type { CompanyFlights } from "../../kvk/cache/companyFlights.ts";
import type { Turns } from "../../lib/turns.ts";
import type { SuppressedNumbers } from "../../lookup/suppression/suppressionList.ts";
import type { LeftOutCalls } from "../../metering/leftOutCalls.ts";
import { StoreUnavailable } from "../../metering/store.ts";
import type { CachedAnswers } from "../../vat/verdicts/store.ts";
import type { Live } from "../compose/live.ts";
import type { Vies } from "../compose/vies.ts";
import type { Settings } from "../settings/settings.ts";
import { Asking } from "./asking.ts";
import type { House, KeyListener, KeyNews } from "./house.ts";
import type { LiveStatus, Status, Told } from "./messages.ts";

/** The house, for a thread that has a port to it. */
export interface HouseOver extends House {
  /** Asks no more; who still waits is told that nobody is there. */
  close(): void;
}

/** The thread that keeps the house has ended, or closed its side, before this one could begin. */
export class HouseClosed extends Error {
  constructor() {
    super("the thread that keeps what there is one of has closed its side");
    this.name = "HouseClosed";
  }
}

/** An ask is answered within its deadline; should it not be, it is given up so much later. */
const GIVEN_UP_AFTER_MS = 5_000;
const HEALTH_WITHIN_MS = 5_000;
const FIGURES_WITHIN_MS = 10_000;
const TELL_LEFT_OUT_AFTER_MS = 250;

/**
 * The house over a port to the thread that keeps it, which tells first of all how things are. An open port keeps its thread from ending.
 * @throws {HouseClosed} when that thread closes its side before it has told
 */
export async function houseOver(
  port: MessagePort,
  { KVK_DEADLINE_MS }: Pick<Settings, "KVK_DEADLINE_MS">,
): Promise<HouseOver> {
  const asking = new Asking(port);
  const heard = new Heard(asking);
  port.on("message", (told: Told) => heard.hear(told));
  const closed = new Promise<undefined>((resolve) => {
    port.once("close", () => {
      asking.closed();
      resolve(undefined);
    });
  });
  const welcome = await Promise.race([heard.welcome, closed]);
  if (welcome === undefined) throw new HouseClosed();
  const { limits, hasMail, status } = welcome;
  return {
    limits,
    suppressed: heard,
    vies: viesOver(asking, heard),
    live: status.live && liveOver(asking, heard, status.live, KVK_DEADLINE_MS),
    mails: hasMail ? { nudge: () => asking.say({ kind: "mail" }) } : undefined,
    hashing: turnsOver(asking),
    keys: keysOver(asking, heard),
    leftOut: leftOutOver(asking),
    close() {
      asking.closed();
      port.close();
    },
  };
}

/** What the thread of the house told this one, as far as it is still true. */
class Heard {
  readonly welcome: Promise<Extract<Told, { kind: "welcome" }>>;
  readonly #welcome: (welcome: Extract<Told, { kind: "welcome" }>) => void;
  readonly #asking: Asking;
  readonly onVerdict: ((vatNumber: string, answers: CachedAnswers) => void)[] = [];
  readonly onCompany: ((kvkNumber: string, company: CachedCompany) => void)[] = [];
  readonly onKeys: KeyListener[] = [];
  status: Status = { vies: { shown: [], keptAway: [] }, live: undefined };
  #suppressed: SuppressedNumbers = { kvkNumbers: new Set(), vatNumbers: new Set(), mark: "" };

  constructor(asking: Asking) {
    this.#asking = asking;
    const { promise, resolve } = Promise.withResolvers<Extract<Told, { kind: "welcome" }>>();
    this.welcome = promise;
    this.#welcome = resolve;
  }

  get size(): number {
    return this.#suppressed.kvkNumbers.size;
  }

  has(kvkNumber: string): boolean {
    // A look into a Set makes a text of a request known to the whole isolate first, which costs more than all else here; the list is mostly empty.
    return this.size !== 0 && this.#suppressed.kvkNumbers.has(kvkNumber);
  }

  hasVatNumber(vatNumber: string): boolean {
    return this.#suppressed.vatNumbers.has(vatNumber);
  }

  get mark(): string {
    return this.#suppressed.mark;
  }

  hear(told: Told): void {
    if (told.kind === "answer") this.#asking.answered(told.id, told.told);
    else if (told.kind === "failed") this.#asking.failed(told.id, told.error);
    else if (told.kind === "verdict") for (const tell of this.onVerdict) tell(told.vatNumber, told.answers);
    else if (told.kind === "company") for (const tell of this.onCompany) tell(told.kvkNumber, told.company);
    else if (told.kind === "status") this.status = told.status;
    else if (told.kind === "suppressed") this.#suppressed = told.suppressed;
    else if (told.kind === "keys-ended") for (const { onEnded } of this.onKeys) onEnded(told.keyIds);
    else if (told.kind === "key-changed") for (const { onChanged } of this.onKeys) onChanged(told.keyId);
    else {
      this.status = told.status;
      this.#suppressed = told.suppressed;
      this.#welcome(told);
    }
  }
}

function viesOver(asking: Asking, heard: Heard): Vies {
  return {
    flights: {
      permits: (state) => !heard.status.vies.keptAway.includes(state),
      fly: (number, deadlineMs, consulting, knownAtMs) =>
        asking.ask(
          "verdict",
          { number, deadlineMs, consulting, knownAtMs },
          { withinMs: deadlineMs + GIVEN_UP_AFTER_MS },
        ),
      onKept: (listener) => heard.onVerdict.push(listener),
    },
    health: async () => (await asking.ask("viesHealth", undefined, { withinMs: HEALTH_WITHIN_MS })) ?? "down",
    shown: () => heard.status.vies.shown,
    async day() {
      const day = await asking.ask("viesDay", undefined, { withinMs: FIGURES_WITHIN_MS });
      if (day === undefined) throw new StoreUnavailable("it was not read in time");
      return day;
    },
  };
}

function liveOver(asking: Asking, heard: Heard, first: LiveStatus, searchWithinMs: number): Live {
  const status = () => heard.status.live ?? first;
  const companies: CompanyFlights = {
    origin: first.origin,
    get awayBecause() {
      return status().awayBecause;
    },
    get health() {
      return status().health;
    },
    company: (kvkNumber, waiting) =>
      asking.ask(
        "company",
        { kvkNumber, asking: waiting },
        { withinMs: waiting.deadlineMs + GIVEN_UP_AFTER_MS },
      ),
    branches: (kvkNumber, waiting) =>
      asking.ask(
        "branches",
        { kvkNumber, asking: waiting },
        { withinMs: waiting.deadlineMs + GIVEN_UP_AFTER_MS },
      ),
    onKept: (listener) => heard.onCompany.push(listener),
  };
  return {
    companies,
    searches: {
      search: (criteria, accountId) =>
        asking.ask("search", { criteria, accountId }, { withinMs: searchWithinMs + GIVEN_UP_AFTER_MS }),
    },
    breakers: () => status().breakers,
  };
}

function turnsOver(asking: Asking): Turns {
  return {
    async take({ gone, ...taker } = {}) {
      const withinMs = MOST_HASHING_WAIT_MS + GIVEN_UP_AFTER_MS;
      const { id, told } = asking.askAs("hashingTurn", taker, { withinMs, gone });
      return (await told) === true ? { end: () => asking.over(id) } : undefined;
    },
  };
}

function keysOver(asking: Asking, heard: Heard): KeyNews {
  return {
    ended: (keyIds) => asking.say({ kind: "keys-ended", keyIds }),
    changed: (keyId) => asking.say({ kind: "key-changed", keyId }),
    listen: (listener) => heard.onKeys.push(listener),
  };
}

/** Under load many calls are left out at once: they are told together. */
function leftOutOver(asking: Asking): LeftOutCalls {
  let counts = new Map<string, number>();
  const tell = () => {
    if (counts.size > 0) asking.say({ kind: "left-out", counts });
    counts = new Map();
  };
  return {
    add(accountId) {
      if (counts.size === 0) setTimeout(tell, TELL_LEFT_OUT_AFTER_MS).unref();
      counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    },
    async of(accountId) {
      tell();
      return (await asking.ask("leftOut", accountId, { withinMs: FIGURES_WITHIN_MS })) ?? 0;
    },
  };
}
