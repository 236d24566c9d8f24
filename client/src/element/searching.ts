import type { Failure } from "./failure.ts";
import { getJson } from "./getJson.ts";
import type { Found } from "./state.ts";

/** The service and options, read again for each search. */
export interface SearchSettings {
  readonly base: string;
  readonly key: string;
  /** The session of a token; null if the element creates its own. */
  readonly session: string | null;
  readonly limit: number;
  readonly debounceMs: number;
}

export interface SearchEvents {
  slow(): void;
  answered(query: string, found: Found): void;
  /** @param isNew false if an earlier failure is reported again without a request */
  failed(failure: Failure, isNew: boolean): void;
}

const SLOW_MS = 1_000;
/** No search is sent for this long after a refusal that other text would not change. */
const REFUSED_SECONDS = 60;
const MAX_HELD_SECONDS = 86_400;
const MAX_REMEMBERED = 50;

/** The searches of one field. The newest replaces the others, and hits are cached within a typing session. */
export class Searching {
  readonly #settings: () => SearchSettings;
  readonly #events: SearchEvents;
  readonly #known = new Map<string, Found>();
  #session = "";
  #request = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heldUntilMs = 0;
  #held: Failure | undefined;
  #failures = 0;

  constructor(settings: () => SearchSettings, events: SearchEvents) {
    this.#settings = settings;
    this.#events = events;
  }

  /** Cancels the previous search and starts a new one after the pause, or when the service can be called again. */
  search(query: string): void {
    this.stop();
    const known = this.#known.get(query);
    const heldMs = this.#heldUntilMs - Date.now();
    if (known) this.#events.answered(query, known);
    else if (heldMs > 0 && this.#held) this.#fail(query, this.#held, heldMs, false);
    else this.#timer = setTimeout(() => void this.#ask(query), this.#settings().debounceMs);
  }

  /** Cancels the current and the pending search. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#request.abort();
  }

  /** Ends the session after a choice. */
  endSession(): void {
    this.stop();
    this.#session = "";
    this.#known.clear();
  }

  /** Allows searches again, after the key, the service or the network changed. */
  forgive(): void {
    this.#heldUntilMs = 0;
    this.#known.clear();
  }

  async #ask(query: string): Promise<void> {
    const { base, key, limit, session } = this.#settings();
    this.#session ||= randomName();
    this.#request = new AbortController();
    const { signal } = this.#request;
    this.#timer = setTimeout(() => this.#events.slow(), SLOW_MS);
    const parameters = { q: query, limit: `${limit}`, session: session ?? this.#session };
    const answer = await getJson(base, "/v1/autocomplete", parameters, key, signal, foundIn);
    if (!answer || signal.aborted) return;
    clearTimeout(this.#timer);
    if ("failure" in answer) return this.#hold(query, answer.failure);
    this.#failures = 0;
    if (this.#known.size > MAX_REMEMBERED) this.#known.clear();
    this.#known.set(query, answer.found);
    this.#events.answered(query, answer.found);
  }

  /** Holds searches back after failures that a quick retry cannot solve. The hold doubles each time, up to a minute. */
  #hold(query: string, failure: Failure): void {
    this.#failures++;
    const { code, retryAfterSeconds = 0 } = failure;
    const least = isWaitedFor(failure)
      ? Math.min(2 ** this.#failures, 60)
      : isRefusal(code)
        ? REFUSED_SECONDS
        : 0;
    const heldMs = least && Math.min(Math.max(retryAfterSeconds, least), MAX_HELD_SECONDS) * 1000;
    this.#held = failure;
    this.#heldUntilMs = Date.now() + heldMs;
    this.#fail(query, failure, heldMs, true);
  }

  #fail(query: string, failure: Failure, heldMs: number, isNew: boolean): void {
    if (isWaitedFor(failure)) this.#timer = setTimeout(() => void this.#ask(query), heldMs);
    this.#events.failed({ ...failure, retryAfterSeconds: Math.ceil(heldMs / 1000) }, isNew);
  }
}

/** Whether the search continues by itself after the wait. */
export function isWaitedFor({ code }: Failure): boolean {
  return code === "RATE_LIMIT_EXCEEDED" || code === "SERVICE_UNAVAILABLE";
}

function isRefusal(code: Failure["code"]): boolean {
  return code === "UNAUTHORIZED" || code === "FORBIDDEN" || code === "QUOTA_EXCEEDED";
}

/** Returns the valid hits of a response, and its hint; undefined for anything else. */
function foundIn(body: unknown): Found | undefined {
  const { results, hint } = (body ?? {}) as { results?: unknown; hint?: { code?: unknown } };
  if (!Array.isArray(results)) return undefined;
  const hits = results.filter((hit) => /^\d{8}$/.test(hit?.kvkNumber) && typeof hit.name === "string");
  return { hits, hint: `${hint?.code ?? ""}` };
}

/** Returns four random 32-bit numbers. `randomUUID` is missing on pages without TLS. */
function randomName(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
