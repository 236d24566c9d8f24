import type { KvkNumber } from "../contract/numbers.ts";
import { PEPPOL_STALE_FOR_MS, type Peppol } from "../contract/peppol.ts";
import { withTimeout } from "../lib/deadline.ts";
import { SingleFlight } from "../lib/singleFlight.ts";
import { StoredCache } from "../lib/storedCache.ts";
import type { PeppolClient, PeppolResult } from "./client.ts";
import type { PeppolQueries, StoredPeppol } from "./queries.ts";

export interface PeppolVerdictsOptions {
  readonly store: Pick<PeppolQueries, "findPeppol" | "storePeppol">;
  readonly client: Pick<PeppolClient, "ask">;
  /** The identifiers of a company, the most likely first. */
  readonly participantsOf: (kvkNumber: KvkNumber) => readonly string[];
  /** Whether there is a registry: without one, VAT numbers are unknown. */
  readonly hasRegistry: () => boolean;
  readonly now: () => number;
  /** How long a caller waits for the network, milliseconds. */
  readonly deadlineMs?: number;
}

const FRESH_FOR_MS = 86_400_000;
/** Up to 50 KB each. */
const MAX_IN_MEMORY = 1_000;
const DEADLINE_MS = 15_000;
/** A question goes on for this long after its caller stopped waiting: its answer is stored. */
const FLIGHT_MS = 25_000;

/** Why there is no answer: the network gives none, or too many questions wait here. */
type NoVerdict = "no-answer" | "busy";

/** Whether companies are on Peppol, by an answer of the last day, else by a question to the network. */
export class PeppolVerdicts {
  readonly #options: PeppolVerdictsOptions;
  readonly #cache: StoredCache<StoredPeppol>;
  readonly #flights = new SingleFlight<StoredPeppol | NoVerdict>();

  constructor(options: PeppolVerdictsOptions) {
    this.#options = options;
    this.#cache = new StoredCache({
      maxInMemory: MAX_IN_MEMORY,
      read: (kvkNumbers) => options.store.findPeppol(kvkNumbers),
      isNewer: (one, other) => one.checkedAtMs > other.checkedAtMs,
    });
  }

  /** The fresh answer in memory or the store, if there is one. */
  async stored(kvkNumber: KvkNumber): Promise<Peppol | undefined> {
    const found =
      this.#usable(kvkNumber, this.#cache.get(kvkNumber), FRESH_FOR_MS) ??
      (await this.#read(kvkNumber, FRESH_FOR_MS));
    return found && shown(found);
  }

  /**
   * The answer of the network, or else an earlier one with its age.
   * @throws {StoreUnavailable} (the promise) when an answer cannot be stored
   */
  async fromNetwork(kvkNumber: KvkNumber): Promise<Peppol | NoVerdict> {
    const flight = this.#flights.run(kvkNumber, () => this.#ask(kvkNumber));
    const answer = (await withTimeout(this.#options.deadlineMs ?? DEADLINE_MS, flight)) ?? "no-answer";
    if (typeof answer === "object") return shown(answer);
    const earlier = await this.#read(kvkNumber, PEPPOL_STALE_FOR_MS);
    if (earlier === undefined) return answer;
    return { ...shown(earlier), ageSeconds: Math.floor(this.#ageOf(earlier) / 1_000) };
  }

  async #ask(kvkNumber: KvkNumber): Promise<StoredPeppol | NoVerdict> {
    const { store, hasRegistry, now } = this.#options;
    const deadline = AbortSignal.timeout(FLIGHT_MS);
    const [stored] = await this.#cache.read([kvkNumber]);
    // A node without its registry must not report that a company with a VAT number is gone.
    if (stored !== undefined && stored.asked.length > 1 && !hasRegistry()) return "no-answer";
    const earlier = this.#usable(kvkNumber, stored, PEPPOL_STALE_FOR_MS);
    // Another caller or process may have asked in the meantime.
    if (earlier !== undefined && this.#ageOf(earlier) < FRESH_FOR_MS) return earlier;
    let answer = await this.#askAll(kvkNumber, deadline);
    // A registration that is gone must be confirmed: a zone that fails may deny a name.
    const isGone = typeof answer === "object" && answer.status === "not_registered";
    if (isGone && earlier !== undefined && earlier.status !== "not_registered") {
      answer = await this.#askAll(kvkNumber, deadline);
    }
    if (typeof answer === "string") return answer;
    const checked = { ...answer, checkedAtMs: now() };
    return this.#cache.keep(
      kvkNumber,
      () => store.storePeppol(kvkNumber, checked),
      () => checked,
    );
  }

  /** Asks about each identifier until one can receive invoices. No verdict if one gets no answer. */
  async #askAll(
    kvkNumber: KvkNumber,
    deadline: AbortSignal,
  ): Promise<Omit<StoredPeppol, "checkedAtMs"> | NoVerdict> {
    const asked: string[] = [];
    let registered:
      | (Extract<PeppolResult, { kind: "registered" }> & { readonly participantId: string })
      | undefined;
    for (const participantId of this.#options.participantsOf(kvkNumber)) {
      const result = await this.#options.client.ask(participantId, deadline);
      if (result.kind === "no-answer" || result.kind === "busy") return result.kind;
      asked.push(participantId);
      if (result.kind === "not-registered") continue;
      const canReceive = result.receives.includes("invoice");
      if (registered === undefined || canReceive) registered = { ...result, participantId };
      if (canReceive) break;
    }
    if (registered === undefined) return { status: "not_registered", asked };
    const { participantId, receives, accessPoint } = registered;
    const status = receives.includes("invoice") ? "reachable" : "cannot_receive_invoices";
    return { status, participantId, asked, receives: [...receives], accessPoint };
  }

  async #read(kvkNumber: KvkNumber, maxAgeMs: number): Promise<StoredPeppol | undefined> {
    const [stored] = await this.#cache.read([kvkNumber]);
    return this.#usable(kvkNumber, stored, maxAgeMs);
  }

  /**
   * Neither an old answer, nor one about a VAT number that is no longer the company's or may no longer be shown, nor a
   * no from before its VAT number was known.
   */
  #usable(
    kvkNumber: KvkNumber,
    stored: StoredPeppol | undefined,
    maxAgeMs: number,
  ): StoredPeppol | undefined {
    if (stored === undefined || this.#ageOf(stored) >= maxAgeMs) return undefined;
    const own = this.#options.participantsOf(kvkNumber);
    const isWhole = stored.status === "reachable" || own.every((id) => stored.asked.includes(id));
    return isWhole && stored.asked.every((id) => own.includes(id)) ? stored : undefined;
  }

  /** An answer from the future was stored while the clock was wrong; its distance counts as its age. */
  #ageOf({ checkedAtMs }: StoredPeppol): number {
    return Math.abs(this.#options.now() - checkedAtMs);
  }
}

function shown({ checkedAtMs, ...answer }: StoredPeppol): Peppol {
  return { ...answer, checkedAt: new Date(checkedAtMs).toISOString() };
}
