import type { FastifyInstance } from "fastify";
import { type Answer, inject, jsonOf } from "./answer.ts";

/** The address at which the browser reaches the app: on this machine, or through a proxy that ends TLS. */
export const HERE = "http://localhost:80";
export const PUBLIC = "https://registry.fabel.example";
/** The settings with which {@link PUBLIC} is served. */
export const BEHIND_PROXY = { TRUST_PROXY: "127.0.0.1", PUBLIC_URL: PUBLIC } as const;

/** Headers that scripts of a page may send and read, including those of a resumed download. */
export const SENT_BY_PAGES = [
  "authorization",
  "content-type",
  "idempotency-key",
  "if-none-match",
  "if-range",
  "range",
  "traceparent",
];
export const READ_BY_PAGES = [
  "x-request-id",
  "retry-after",
  "etag",
  "accept-ranges",
  "content-range",
  "content-disposition",
  "idempotency-replayed",
];

export const PASSWORD = "korenmolen draait hard";

let visitors = 0;

export interface BrowserOptions {
  readonly origin?: string;
  /** The client's address, as the proxy reports it. Different for each browser by default. */
  readonly address?: string;
}

/** A browser with the page open: it stores cookies and sends Origin headers. */
export class Browser {
  readonly #app: FastifyInstance;
  readonly #origin: string;
  readonly #address: string;
  cookie: string | undefined;

  constructor(app: FastifyInstance, { origin = HERE, address }: BrowserOptions = {}) {
    this.#app = app;
    this.#origin = origin;
    visitors += 1;
    this.#address = address ?? `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`;
  }

  /** The headers that the browser adds to the page's requests. */
  headers(method: string): Record<string, string> {
    return {
      host: this.#origin === HERE ? "localhost:80" : new URL(this.#origin).host,
      "user-agent": "Fabelbrowser/1.0",
      ...(this.#origin === HERE ? {} : { "x-forwarded-proto": "https", "x-forwarded-for": this.#address }),
      ...(method === "GET" ? {} : { origin: this.#origin, "sec-fetch-site": "same-origin" }),
      ...(this.cookie === undefined ? {} : { cookie: this.cookie }),
    };
  }

  async ask(
    method: string,
    path: string,
    body?: unknown,
    extraHeaders: Record<string, string> = {},
  ): Promise<Answer> {
    const headers = { ...this.headers(method), ...extraHeaders };
    const answer = await inject(this.#app, {
      method,
      path,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const set = answer.headers["set-cookie"];
    // An empty value clears the cookie.
    if (set !== undefined) this.cookie = /=;/.test(set) ? undefined : set.split(";")[0];
    return answer;
  }

  async get<T>(path: string): Promise<T> {
    return this.#expected<T>(await this.ask("GET", path), path);
  }

  async post<T>(path: string, body?: unknown): Promise<T> {
    return this.#expected<T>(await this.ask("POST", path, body), path);
  }

  /** Signs up without a confirmation mail, and signs in. */
  async enter(email: string, password = PASSWORD, extraFields: Record<string, unknown> = {}): Promise<void> {
    await this.post("/account/sign-up", { email, password, ...extraFields });
    await this.post("/account/sign-in", { email, password });
  }

  #expected<T>(answer: Answer, path: string): T {
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return (answer.text === "" ? undefined : jsonOf(answer)) as T;
  }
}

/** Few enough that even a slow machine hashes all passwords before a request times out. */
const HASH_GROUP_SIZE = 6;

/** Sends requests that hash a password, a few at a time. */
export async function sendInGroups(count: number, ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) {
    const group = Array.from({ length: Math.min(HASH_GROUP_SIZE, count - answers.length) }, ask);
    answers.push(...(await Promise.all(group)));
  }
  return answers;
}
