import type { AutocompleteItem } from "../api/resources.ts";
import type { Failure } from "./failure.ts";
import { getJson } from "./getJson.ts";

/** The service and options, read again for each search. */
export interface SearchSettings {
  readonly base: string;
  readonly key: string;
  /** That of a token; null where sessions are the element's own. */
  readonly session: string | null;
  readonly limit: number;
  readonly debounceMs: number;
}

export interface SearchEvents {
  slow(): void;
  answered(query: string, hits: readonly AutocompleteItem[]): void;
  /** @param isNew false for a repeated refusal for other letters */
  failed(failure: Failure, isNew: boolean): void;
}

const SLOW_MS = 1_000;
/** How long no search is sent after a refusal that other letters would not change. */
const REFUSED_SECONDS = 60;
const MAX_HELD_SECONDS = 86_400;
const MAX_REMEMBERED = 50;

/** The searches of one field: one at a time, the newest wins, and what was answered in a session of typing is not asked again. */
export class Searching {
  readonly #settings: () => SearchSettings;
  readonly #events: SearchEvents;
  readonly #known = new Map<string, readonly AutocompleteItem[]>();
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

  /** Searches after the pause, or when the service may be asked again; whatever was asked before is cancelled. */
  search(query: string): void {
    this.stop();
    const known = this.#known.get(query);
    const heldMs = this.#heldUntilMs - Date.now();
    if (known) this.#events.answered(query, known);
    else if (heldMs > 0 && this.#held) this.#fail(query, this.#held, heldMs, false);
    else this.#timer = setTimeout(() => void this.#ask(query), this.#settings().debounceMs);
  }

  /** Cancels what is asked, or would be. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#request.abort();
  }

  /** A company was chosen: what is typed next is a session of its own. */
  endSession(): void {
    this.stop();
    this.#session = "";
    this.#known.clear();
  }

  /** Another key or service, or the network is back: what was refused is asked again. */
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
    const answer = await getJson(base, "/v1/autocomplete", parameters, key, signal, hitsIn);
    if (!answer || signal.aborted) return;
    clearTimeout(this.#timer);
    if ("failure" in answer) return this.#hold(query, answer.failure);
    this.#failures = 0;
    if (this.#known.size > MAX_REMEMBERED) this.#known.clear();
    this.#known.set(query, answer.found);
    this.#events.answered(query, answer.found);
  }

  /** Which failures say that asking again soon is of no use, and for how long; each in a row twice as long, a minute at most. */
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

/** Too many calls at once, or a service that says when it is back: the search goes on by itself. */
export function isWaitedFor({ code }: Failure): boolean {
  return code === "RATE_LIMIT_EXCEEDED" || code === "SERVICE_UNAVAILABLE";
}

function isRefusal(code: Failure["code"]): boolean {
  return code === "UNAUTHORIZED" || code === "FORBIDDEN" || code === "QUOTA_EXCEEDED";
}

/** The hits of an answer, without what is none; undefined for something else than an answer. */
function hitsIn(body: unknown): readonly AutocompleteItem[] | undefined {
  const results = (body as { results?: unknown } | null | undefined)?.results;
  return Array.isArray(results)
    ? results.filter((hit) => /^\d{8}$/.test(hit?.kvkNumber) && typeof hit.name === "string")
    : undefined;
}

/** Four numbers of 32 bits, some forty characters; works on pages without TLS too, which `randomUUID` does not. */
function randomName(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
