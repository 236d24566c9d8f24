/** A person's typing in one field. */
import type { AutocompleteAnswer, AutocompleteQuery } from "./api/calls.ts";
import { type CallOptions, randomId, type Transport } from "./transport.ts";

/** How long a session lasts, and how many calls it has: the first one, and 40 free ones. */
const SESSION_MS = 180_000;
const SESSION_CALLS = 41;

/** Options of a call. */
export type AutocompleteOptions = Omit<CallOptions, "idempotencyKey"> &
  Omit<AutocompleteQuery, "q" | "session">;

/** Options of a field. */
export interface TypingOptions {
  /** The session that a token of `POST /v1/tokens` was made for: all strokes are of it. Without it the field names sessions of its own, one after the other. */
  readonly session?: string | undefined;
}

/**
 * A field: each stroke gives up the one before it, and strokes are asked in sessions, so that a word costs one token, not its letters.
 * A page with several fields has one for each (`client.typing()`).
 */
export class Typing {
  readonly #transport: Transport;
  #current: AbortController | undefined;
  #session: string;
  #calls = 0;
  /** When the session's first call that was answered left: the service's own time begins later, so this one never outlasts it. */
  #startedAtMs: number | undefined;

  readonly #isGiven: boolean;
  readonly #now: () => number;

  /** @param now the time, Unix milliseconds */
  constructor(transport: Transport, { session }: TypingOptions = {}, now: () => number = Date.now) {
    this.#transport = transport;
    this.#session = session ?? randomId();
    this.#isGiven = session !== undefined;
    this.#now = now;
  }

  /**
   * Companies for what was typed so far.
   * @throws {AbortedError} when the next stroke came first, or the signal said so
   */
  async suggest(typed: string, options: AutocompleteOptions = {}): Promise<AutocompleteAnswer> {
    const { limit, signal, ...call } = options;
    this.#current?.abort();
    const stroke = new AbortController();
    this.#current = stroke;
    const giveUp = () => stroke.abort(signal?.reason);
    if (signal?.aborted) giveUp();
    else signal?.addEventListener("abort", giveUp);
    const session = this.#sessionNow();
    const sentAtMs = this.#now();
    try {
      const answer = await this.#transport.call<AutocompleteAnswer>(
        {
          operation: "autocomplete",
          field: "results",
          path: "/v1/autocomplete",
          query: { q: typed, limit, session },
          // A stroke that is asked again follows in the session that it began.
          isSafeToRepeat: true,
        },
        { ...call, signal: stroke.signal },
      );
      if (session === this.#session) this.#startedAtMs ??= sentAtMs;
      return answer;
    } finally {
      signal?.removeEventListener("abort", giveUp);
      if (this.#current === stroke) this.#current = undefined;
    }
  }

  /** Gives up what is asked, when the person leaves the field. */
  cancel(): void {
    this.#current?.abort();
  }

  #sessionNow(): string {
    if (this.#isGiven) return this.#session;
    const isOver = this.#startedAtMs !== undefined && this.#now() - this.#startedAtMs >= SESSION_MS;
    if (isOver || this.#calls >= SESSION_CALLS) {
      this.#session = randomId();
      this.#calls = 0;
      this.#startedAtMs = undefined;
    }
    this.#calls += 1;
    return this.#session;
  }
}
