/** The refusals of calls that are made with what anybody can copy: a key for browsers, or a token. */
import { BROWSER_CALLS_PER_MINUTE } from "../contract/browserRules.ts";
import { ApiError } from "../contract/errors.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import { quoted } from "../contract/quoting.ts";
import type { Balance } from "../metering/store.ts";
import { secondsUntil } from "./headers.ts";

/** A key for browsers was used from a page that it does not list. */
export function wrongOrigin(origin: string | undefined): ApiError {
  const from =
    origin === undefined ? "and this call names none (no Origin header)" : `not from ${quoted(origin)}`;
  return new ApiError(
    "FORBIDDEN",
    `this key may be used from the web pages that it lists, ${from}: add the page's origin to the key on the account page, or use a live key on your server`,
  );
}

/** A key for browsers was used for something else than it may be. */
export function beyondBrowserKey(operation: LedgerOperation): ApiError {
  return new ApiError(
    "FORBIDDEN",
    operation === "lookup"
      ? "this key for browsers may not look companies up: allow basic lookups for the key on the account page, or call from your server with a live key"
      : "a key for browsers is for autocomplete, and basic lookups where its settings allow them: call this from your server with a live key",
  );
}

/** A token was used from another page, for another session, or for something else than it may be. */
export function beyondToken(what: "origin" | "session" | "scope"): ApiError {
  const messages = {
    origin:
      "this token is for another web page than this call comes from: make a token for this page's origin",
    session: "this token is for another session of typing: send the `session` that it was made for",
    scope:
      "a token is for autocomplete, and basic lookups where it was made with `lookup`: call this from your server with a live key",
  };
  return new ApiError("FORBIDDEN", messages[what]);
}

/** The key has spent what it may on a day. */
export function dayExceeded(price: number, { keyDay, nowMs }: Balance): ApiError {
  const { limit = 0, remaining = 0, resetSeconds = 0 } = keyDay ?? {};
  const resetsAt = new Date(resetSeconds * 1_000).toISOString();
  return new ApiError(
    "QUOTA_EXCEEDED",
    `this key may spend ${limit} tokens a day (UTC), of which ${remaining} are left until ${resetsAt}, and this call costs up to ${price}; nothing was charged. Its owner can raise the cap on the account page`,
    { retryAfterSeconds: secondsUntil(resetSeconds, nowMs) },
  );
}

/** One client called too often with a key for browsers, or one session of typing with its token. */
export function clientRateExceeded(waitSeconds: number, isToken: boolean): ApiError {
  const who = isToken ? "one session of typing" : "one address";
  return new ApiError(
    "RATE_LIMIT_EXCEEDED",
    `${who} may make ${BROWSER_CALLS_PER_MINUTE} calls a minute with this ${isToken ? "token" : "key"}; wait ${waitSeconds} s`,
    { retryAfterSeconds: waitSeconds },
  );
}
