import { boundedCache } from "../../lib/boundedCache.ts";
import type { Log } from "./log.ts";

const LOG_EVERY_MS = 3_600_000;
/** About 200 bytes each. */
const MAX_HOSTS = 5_000;

/** Logs webhooks that do not accept messages, once an hour for each host of an account, without the path. */
export class FailingWebhooks {
  readonly #logger: Pick<Log["logger"], "warn">;
  readonly #now: () => number;
  /** By account and host. `since` is the first failure after the last success. */
  readonly #hosts = boundedCache<string, { readonly since?: string; readonly loggedAtMs: number }>(MAX_HOSTS);

  /** @param now monotonic milliseconds */
  constructor(logger: Pick<Log["logger"], "warn">, now = () => performance.now()) {
    this.#logger = logger;
    this.#now = now;
  }

  /** @param failure the reason without an address; absent if the message was accepted */
  delivered(accountId: string, url: string, failure?: string): void {
    const { host } = new URL(url);
    const key = `${accountId} ${host}`;
    const before = this.#hosts.get(key);
    const { loggedAtMs = Number.NEGATIVE_INFINITY } = before ?? {};
    if (failure === undefined) {
      if (before !== undefined) this.#hosts.set(key, { loggedAtMs });
      return;
    }
    const since = before?.since ?? new Date().toISOString();
    const isLogged = this.#now() - loggedAtMs < LOG_EVERY_MS;
    this.#hosts.set(key, { since, loggedAtMs: isLogged ? loggedAtMs : this.#now() });
    if (isLogged) return;
    this.#logger.warn({ accountId, host, reason: failure, since }, "a webhook does not accept messages");
  }
}
