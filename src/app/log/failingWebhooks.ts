import { boundedCache } from "../../lib/boundedCache.ts";

const LOG_EVERY_MS = 3_600_000;
/** About 200 bytes each. */
const MAX_HOSTS = 5_000;

/**
 * Limits the log of webhooks that fail to once an hour for each host of an account.
 * @param now monotonic milliseconds
 */
export function failingWebhooks(
  log: (facts: Readonly<Record<"accountId" | "host" | "reason", string>>) => void,
  now = () => performance.now(),
): (accountId: string, url: string, reason: string) => void {
  const loggedAtMs = boundedCache<string, number>(MAX_HOSTS);
  return (accountId, url, reason) => {
    const { host } = new URL(url);
    const key = `${accountId} ${host}`;
    if (now() - (loggedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    loggedAtMs.set(key, now());
    log({ accountId, host, reason });
  };
}
