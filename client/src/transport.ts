/** Sends calls to the service with retries, a deadline and an idempotency key. */
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
  /** The API key, or a function that returns it for each call, such as a renewed token. `health()` needs none. */
  readonly key?: string | (() => string | Promise<string>) | undefined;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The time limit of a call with all its tries, milliseconds; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** The maximum number of retries of a call; 2 by default. */
  readonly retries?: number | undefined;
  /** Called for every response, including errors and tries that are retried. */
  readonly onAnswer?: ((answer: AnswerInfo) => void) | undefined;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  /**
   * For a day, a call with the same key returns the stored response, free of charge. 1 to 255 visible ASCII characters;
   * new for each call by default.
   */
  readonly idempotencyKey?: string | undefined;
  readonly onAnswer?: ((answer: AnswerInfo) => void) | undefined;
}

/** Facts about a response. */
export interface AnswerInfo extends Balance {
  /** The called method, such as `lookup`. */
  readonly operation: string;
  readonly status: number;
  /** Identifies the call in the operator's log. */
  readonly requestId: string | undefined;
  /** The first try is 1. */
  readonly attempt: number;
}

/** The methods of the service. */
export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** A request to the service. */
export interface ApiRequest {
  readonly operation: string;
  /** A field that every response of this call has. JSON without it does not come from the service. */
  readonly field?: string | undefined;
  /** It may have a query. */
  readonly path: string;
  readonly query?: object | undefined;
  /** A JSON body. Without it and without `content` the request is a GET unless `method` is set. */
  readonly body?: object | undefined;
  /** A body that is sent unchanged. */
  readonly content?: { readonly type: string; readonly body: string | Blob } | undefined;
  readonly method?: Method | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether a repeat is free without an idempotency key: the call is free, or its session is paid. */
  readonly isSafeToRepeat?: boolean | undefined;
  readonly needsNoKey?: boolean | undefined;
  /** Whether a 503 response is a result. */
  readonly accepts503?: boolean | undefined;
  /** Whether a response is a result that is not read. */
  readonly isStream?: ((response: Response) => boolean) | undefined;
}

/** A successful response. Text and body are undefined for a stream, which is not read. */
export interface Answer {
  readonly response: Response;
  readonly text?: string;
  readonly body?: object;
}

/** Sends requests and keeps the balance from the latest response. */
export class Transport {
  /** The balance from the latest response. */
  balance: Balance = {};
  readonly #options: ClientOptions;
  readonly #base: string;

  /** @throws {TypeError} for an invalid address or key; the message contains neither */
  constructor(options: ClientOptions) {
    const { protocol, username, origin, pathname } = new URL(options.baseUrl);
    if (!/^https?:$/.test(protocol) || username !== "")
      throw new TypeError("baseUrl must be an http or https address without credentials");
    if (typeof options.key === "string") checkKey(options.key);
    this.#options = options;
    this.#base = origin + pathname.replace(/^((?:.*[^/])?)\/+$/, "$1");
  }

  /**
   * Returns the body of the response, an object.
   * @throws {OpzoekError} of the code's class: the error of the last try
   */
  async call<T>(request: ApiRequest, options?: CallOptions): Promise<T> {
    return (await this.answer(request, options)).body as T;
  }

  /** Sends a request, again if a retry may succeed. @throws {OpzoekError} as {@link call} */
  async answer(request: ApiRequest, options: CallOptions = {}): Promise<Answer> {
    const retries = this.retriesOf(options);
    const deadline = this.deadlineOf(options);
    const made = request.isSafeToRepeat === true ? undefined : this.newIdempotencyKey(options);
    const idempotencyKey = options.idempotencyKey ?? made;
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#try(request, { ...options, idempotencyKey }, deadline, attempt);
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

  /** Returns the idempotency key of all tries of a call, so that a retry is free; undefined without retries. */
  newIdempotencyKey(options: CallOptions): string | undefined {
    return this.retriesOf(options) > 0 ? randomId() : undefined;
  }

  /** Returns how often a call may be retried. */
  retriesOf(options: CallOptions): number {
    // NaN counts as 0.
    return Number(options.retries ?? this.#options.retries ?? DEFAULT_RETRIES) || 0;
  }

  /** Starts the deadline of a call. The caller must close it. */
  deadlineOf(options: CallOptions): Deadline {
    return new Deadline(this.timeoutOf(options), options.signal);
  }

  /** Returns the time limit of a call, milliseconds. @param defaultMs if neither the call nor the client has one */
  timeoutOf(options: CallOptions, defaultMs = DEFAULT_TIMEOUT_MS): number {
    return options.timeoutMs ?? this.#options.timeoutMs ?? defaultMs;
  }

  async #try(
    request: ApiRequest,
    options: CallOptions,
    deadline: Deadline,
    attempt: number,
  ): Promise<Answer> {
    const response = await this.send(request, options, deadline);
    const text = request.isStream?.(response)
      ? undefined
      : await awaitResponse(() => response.text(), deadline);
    this.report(request, options, response, attempt);
    return text === undefined ? { response } : { response, text, body: bodyOf(response, text, request) };
  }

  /** Sends a request once and returns the response, whatever its status. @throws {OpzoekError} if there is none */
  async send(request: ApiRequest, options: CallOptions, deadline: Deadline): Promise<Response> {
    const { key, fetch: given } = this.#options;
    deadline.signal.throwIfAborted();
    const headers: Record<string, string> = { accept: "application/json", ...request.headers };
    if (options.idempotencyKey !== undefined) headers["idempotency-key"] = options.idempotencyKey;
    let apikey: string | undefined;
    if (request.needsNoKey !== true && key !== undefined) {
      const presented = typeof key === "string" ? key : await deadline.within(keyFrom(key));
      // A header would cause a preflight request per URL. Anyone can read this key in the page anyway.
      if (presented.startsWith("opz_pub_")) apikey = presented;
      else headers["authorization"] = `Bearer ${presented}`;
    }
    const content =
      request.body === undefined
        ? request.content
        : { type: "application/json", body: JSON.stringify(request.body) };
    const init: RequestInit = { headers, signal: deadline.signal };
    if (content !== undefined || request.method !== undefined) init.method = request.method ?? "POST";
    if (content !== undefined) {
      headers["content-type"] = content.type;
      init.body = content.body;
    }
    const query = queryOf({ ...request.query, apikey });
    const url = this.#base + request.path + (request.path.includes("?") ? query.replace("?", "&") : query);
    return awaitResponse(() => (given === undefined ? fetch(url, init) : given(url, init)), deadline);
  }

  /** Reports a response to the callbacks. */
  report(request: ApiRequest, options: CallOptions, { headers, status }: Response, attempt: number): void {
    const balance = balanceOf(headers);
    if (balance.rate !== undefined) this.balance = balance;
    const requestId = headers.get("x-request-id") ?? undefined;
    const info = { operation: request.operation, status, requestId, attempt, ...balance };
    this.#options.onAnswer?.(info);
    options.onAnswer?.(info);
  }
}

/** Awaits work on a connection. @throws {OpzoekError} ConnectionError when the connection breaks */
export async function awaitResponse<T>(work: () => Promise<T>, deadline: Deadline): Promise<T> {
  try {
    return await deadline.within(work());
  } catch (error) {
    throw error instanceof OpzoekError ? error : new ConnectionError(error);
  }
}

/** Parses a response. @throws {OpzoekError} for an error, or a response that does not come from the service */
export function bodyOf(
  { status, ok, headers }: Response,
  text: string,
  { field, accepts503 }: Pick<ApiRequest, "field" | "accepts503">,
): object {
  const body = parsed(text);
  const error = body?.["error"] as Readonly<Record<string, unknown>> | null | undefined;
  const code = error?.["code"];
  if (body !== undefined && (field === undefined || field in body) && (ok || (accepts503 && status === 503)))
    return body;
  const details = {
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: retryAfterSeconds(headers.get("retry-after")),
    oldestCursor: headers.get("x-oldest-cursor") ?? undefined,
  };
  if (typeof code !== "string") throw new UnexpectedAnswerError(details);
  throw serviceError(code, String(error?.["message"] ?? code), details);
}

/** Parses a JSON object; undefined for everything else. */
function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body } : undefined;
  } catch {
    return undefined;
  }
}

/** Parses seconds or an HTTP date, which some proxies send. Without a colon `Date.parse` would read words as years. */
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

/** Encodes a part of a path. `.` and `..` are folders in URLs: they get a space in front, and are refused. */
export function segment(text: string): string {
  return (/^\.{0,2}$/.test(text) ? "%20" : "") + encoded(String(text));
}

/** Encodes text for a URL. Lone surrogates, as in truncated text, would throw, so they become U+FFFD. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}

/** @throws {OpzoekError} KEY_ERROR, or the OpzoekError that the function threw */
async function keyFrom(give: () => string | Promise<string>): Promise<string> {
  try {
    return checkKey((await give()) ?? "");
  } catch (cause) {
    if (cause instanceof OpzoekError) throw cause;
    throw new OpzoekError("KEY_ERROR", "the key function failed; see cause", { cause });
  }
}

/** Checks a header value, because the platform's own error would quote it. */
function checkKey(key: string): string {
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError("the key must be printable ASCII characters without spaces");
  return key;
}

/** Returns 32 random hexadecimal digits. `randomUUID` is missing on pages without TLS. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
