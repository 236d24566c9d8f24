/** One call to the service, with its tries: what it is asked, how long, how often, and what is left after it. */
import { Deadline } from "./deadline.ts";
import { ConnectionError, OpzoekError, UnexpectedAnswerError } from "./errors.ts";
import { waitBeforeRetryMs } from "./retrying.ts";
import { serviceError } from "./serviceErrors.ts";
import { type Balance, balanceOf } from "./state.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 2;

/** Options of a client. */
export interface ClientOptions {
  /** The service's address, such as `https://opzoek.example`. */
  readonly baseUrl: string;
  /** The API key, or what gives it for each call: a token that is renewed, for instance. Only `health()` needs none. */
  readonly key?: string | (() => string | Promise<string>) | undefined;
  /** In the place of the platform's own. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The deadline of a call over all its tries, milliseconds; 30,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /** The most retries of a call, where a retry may help; 2 by default. */
  readonly retries?: number | undefined;
  /** Told of every answer, those of errors and of tries that are repeated too. */
  readonly onAnswer?: ((answer: AnswerInfo) => void) | undefined;
}

/** Options of every call. */
export interface CallOptions {
  /** Gives the call up. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  /** The key under which the service keeps the answer for a day, so that asking again costs nothing: 1 to 255 visible characters of ASCII. A new one for each call unless given. */
  readonly idempotencyKey?: string | undefined;
  readonly onAnswer?: ((answer: AnswerInfo) => void) | undefined;
}

/** Facts about a response. */
export interface AnswerInfo extends Balance {
  /** The called method, such as `lookup`. */
  readonly operation: string;
  readonly status: number;
  /** Names the call in the log of the service's operator. */
  readonly requestId: string | undefined;
  /** The first try is 1. */
  readonly attempt: number;
}

/** A request to the service. */
export interface Asked {
  readonly operation: string;
  /** A field that every answer has which is one: JSON without it is of something else. */
  readonly field: string;
  readonly path: string;
  readonly query?: object | undefined;
  /** A JSON body. Without it and without `content` the request is a GET unless `method` is set. */
  readonly body?: object | undefined;
  /** A body that is sent unchanged. */
  readonly content?: { readonly type: string; readonly body: string | Blob } | undefined;
  readonly method?: "POST" | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether repeating it can cost nothing anyhow: it is free, or its session is paid. */
  readonly isSafeToRepeat?: boolean | undefined;
  readonly needsNoKey?: boolean | undefined;
  /** Whether an answer of 503 is what was asked for. */
  readonly tellsOutages?: boolean | undefined;
}

/** Sends requests, and holds the key's balance from the latest responses. */
export class Transport {
  /** The balance from the latest response. */
  balance: Balance = {};
  readonly #options: ClientOptions;
  readonly #base: string;

  /** @throws {TypeError} for an address or a key that cannot be one; the message has neither */
  constructor(options: ClientOptions) {
    const { protocol, username, origin, pathname } = new URL(options.baseUrl);
    if (!/^https?:$/.test(protocol) || username !== "")
      throw new TypeError("baseUrl must be an address of http or https without a user");
    if (typeof options.key === "string") checkKey(options.key);
    this.#options = options;
    this.#base = origin + pathname.replace(/\/+$/, "");
  }

  /**
   * The body of the service's answer, an object.
   * @throws {OpzoekError} of the code's class; the last one when it was tried more than once
   */
  async call<T>(asked: Asked, options: CallOptions = {}): Promise<T> {
    const retries = this.retriesOf(options);
    const deadline = this.deadlineOf(options);
    const made = asked.isSafeToRepeat === true ? undefined : this.newIdempotencyKey(options);
    const idempotencyKey = options.idempotencyKey ?? made;
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return (await this.#try(asked, { ...options, idempotencyKey }, deadline, attempt)) as T;
        } catch (error) {
          deadline.lastError = error;
          const waitMs = attempt > retries ? undefined : waitBeforeRetryMs(error, attempt);
          if (waitMs === undefined || waitMs >= deadline.leftMs) throw error;
          await deadline.sleep(waitMs);
        }
      }
    } finally {
      deadline.close();
    }
  }

  /** The idempotency key of a call's tries: a lost response was charged, and a retry gets the stored one. Without retries there is none. */
  newIdempotencyKey(options: CallOptions): string | undefined {
    return this.retriesOf(options) > 0 ? randomId() : undefined;
  }

  /** Returns how often a call may be retried. */
  retriesOf(options: CallOptions): number {
    // NaN would not be a limit: it counts as 0.
    return Number(options.retries ?? this.#options.retries ?? DEFAULT_RETRIES) || 0;
  }

  /** The time that a call has from now on; to be closed. */
  deadlineOf(options: CallOptions): Deadline {
    return new Deadline(this.timeoutOf(options), options.signal);
  }

  /** Returns the time limit of a call, milliseconds. */
  timeoutOf(options: CallOptions): number {
    return options.timeoutMs ?? this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  async #try(asked: Asked, options: CallOptions, deadline: Deadline, attempt: number): Promise<object> {
    const response = await this.send(asked, options, deadline);
    const text = await arrived(() => response.text(), deadline);
    this.tell(asked, options, response, attempt);
    return bodyOf(response, text, asked);
  }

  /** One try up to the headers of its answer, whatever that is. @throws {OpzoekError} when none came */
  async send(asked: Asked, options: CallOptions, deadline: Deadline): Promise<Response> {
    const { key, fetch: given } = this.#options;
    deadline.signal.throwIfAborted();
    const headers: Record<string, string> = { accept: "application/json", ...asked.headers };
    if (options.idempotencyKey !== undefined) headers["idempotency-key"] = options.idempotencyKey;
    let apikey: string | undefined;
    if (asked.needsNoKey !== true && key !== undefined) {
      const presented = typeof key === "string" ? key : await deadline.within(keyFrom(key));
      // A custom header would cause a preflight request per URL. Everybody who sees the page has this key anyway.
      if (presented.startsWith("opz_pub_")) apikey = presented;
      else headers["authorization"] = `Bearer ${presented}`;
    }
    const content =
      asked.body === undefined
        ? asked.content
        : { type: "application/json", body: JSON.stringify(asked.body) };
    const init: RequestInit = { headers, signal: deadline.signal };
    if (content !== undefined || asked.method !== undefined) init.method = "POST";
    if (content !== undefined) {
      headers["content-type"] = content.type;
      init.body = content.body;
    }
    const url = this.#base + asked.path + queryOf({ ...asked.query, apikey });
    return arrived(() => (given === undefined ? fetch(url, init) : given(url, init)), deadline);
  }

  /** Reports the facts of a response to the callbacks. */
  tell(asked: Asked, options: CallOptions, { headers, status }: Response, attempt: number): void {
    const balance = balanceOf(headers);
    if (balance.rate !== undefined) this.balance = balance;
    const requestId = headers.get("x-request-id") ?? undefined;
    const info = { operation: asked.operation, status, requestId, attempt, ...balance };
    this.#options.onAnswer?.(info);
    options.onAnswer?.(info);
  }
}

/** Reads a response. @throws {OpzoekError} ConnectionError when it breaks off */
export async function arrived<T>(work: () => Promise<T>, deadline: Deadline): Promise<T> {
  try {
    return await deadline.within(work());
  } catch (error) {
    throw error instanceof OpzoekError ? error : new ConnectionError(error);
  }
}

/** @throws {OpzoekError} for an error response, or one that is not of the service */
export function bodyOf(
  { status, ok, headers }: Response,
  text: string,
  { field, tellsOutages }: Pick<Asked, "field" | "tellsOutages">,
): object {
  const body = parsed(text);
  const error = body?.["error"] as Readonly<Record<string, unknown>> | null | undefined;
  const code = error?.["code"];
  if (body !== undefined && field in body && (ok || (tellsOutages && status === 503))) return body;
  const details = {
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: retryAfterSeconds(headers.get("retry-after")),
  };
  if (typeof code !== "string") throw new UnexpectedAnswerError(details);
  throw serviceError(code, String(error?.["message"] ?? code), details);
}

/** An object of JSON; undefined for everything else. */
function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body } : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds or, of some proxies, a date, which has a time: other words are read as years far away. */
function retryAfterSeconds(text: string | null): number | undefined {
  if (text === null || text === "") return undefined;
  const seconds = /^[0-9]+$/.test(text)
    ? Number(text)
    : (Date.parse(text.includes(":") ? text : "") - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

/** Leaves out parameters that were not given. */
function queryOf(query: object): string {
  const words = Object.entries(query).flatMap(([name, value]: [string, unknown]) =>
    value === undefined ? [] : [`${name}=${encoded(String(value))}`],
  );
  return words.length === 0 ? "" : `?${words.join("&")}`;
}

/** A part of a path. An address takes `.` and `..` for folders: behind a blank the service refuses them as what they are. */
export function segment(text: string): string {
  return (/^\.{0,2}$/.test(text) ? "%20" : "") + encoded(String(text));
}

/** Half of a pair of characters, as where a text was cut, has no UTF-8 and would throw: it stands as what no text can show. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}

/** @throws {OpzoekError} KEY_ERROR, or what is one already */
async function keyFrom(give: () => string | Promise<string>): Promise<string> {
  try {
    return checkKey((await give()) ?? "");
  } catch (cause) {
    if (cause instanceof OpzoekError) throw cause;
    throw new OpzoekError("KEY_ERROR", "the function that gives the key gave none", { cause });
  }
}

/** Checks a header value, because the platform's own error would quote it. */
function checkKey(key: string): string {
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError("the key must be printable characters without blanks");
  return key;
}

/** Returns 32 random hexadecimal digits. `randomUUID` is missing on pages without TLS. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
