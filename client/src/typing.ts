import type { AutocompleteAnswer, AutocompleteQuery } from "./api/calls.ts";
import { type CallOptions, randomId, type Transport } from "./transport.ts";

/** The length of a session, and its calls: the paid one and 40 free ones. */
const SESSION_MS = 180_000;
const SESSION_CALLS = 41;

/** Options of a call. */
export type AutocompleteOptions = Omit<CallOptions, "idempotencyKey"> &
  Omit<AutocompleteQuery, "q" | "session">;

/** Options of a field. */
export interface TypingOptions {
  /** The session of a token of `POST /v1/tokens`, used for all calls. Without it the field creates its own sessions. */
  readonly session?: string | undefined;
}

/**
 * Autocomplete for one field. Each call cancels the previous one, and calls share sessions, so that a word costs one
 * token. Use one for each field of a page (`client.typing()`).
 */
export class Typing {
  readonly #transport: Transport;
  #current: AbortController | undefined;
  #session: string;
  #calls = 0;
  /**
   * When the first successful call of the session was sent. The service starts its session later, so this one ends
   * first.
   */
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
   * Suggests companies for the text typed so far.
   * @throws {AbortedError} when the next call or the signal cancels this one
   */
  async suggest(typed: string, options: AutocompleteOptions = {}): Promise<AutocompleteAnswer> {
    const { limit, signal, ...call } = options;
    this.#current?.abort();
    const stroke = new AbortController();
    this.#current = stroke;
    const abort = () => stroke.abort(signal?.reason);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort);
    const session = this.#sessionNow();
    const sentAtMs = this.#now();
    try {
      const answer = await this.#transport.call<AutocompleteAnswer>(
        {
          operation: "autocomplete",
          field: "results",
          path: "/v1/autocomplete",
          query: { q: typed, limit, session },
          // A retry is a further call of its session.
          isSafeToRepeat: true,
        },
        { ...call, signal: stroke.signal },
      );
      if (session === this.#session) this.#startedAtMs ??= sentAtMs;
      return answer;
    } finally {
      signal?.removeEventListener("abort", abort);
      if (this.#current === stroke) this.#current = undefined;
    }
  }

  /** Cancels the current call, for instance when the person leaves the field. */
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
