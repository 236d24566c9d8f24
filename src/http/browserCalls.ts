import type { FastifyRequest } from "fastify";
import type { BrowserTokens, TokenClaims } from "../accounts/browserTokens.ts";
import { type ApiError, forbidden, retryLater } from "../contract/errors.ts";
import { BROWSER_CALLS_PER_MINUTE, looksLikeBrowserToken } from "../contract/tokenForm.ts";
import { limiterSubject } from "../lib/minuteLimiter.ts";
import { mayBrowserCall } from "../metering/browserKey.ts";
import type { FoundKey } from "../metering/store.ts";
import type { Call } from "./call.ts";
import type { PreparedCall } from "./endpoint.ts";
import { beyondBrowserKey } from "./errors.ts";
import type { AppParts } from "./parts.ts";

/** A longer text is not an origin and is ignored. */
const MAX_ORIGIN = 300;

type BrowserCallsParts = Pick<AppParts, "tokens" | "browserLimiter" | "sightings" | "publicUrl" | "now">;

/** The rules for calls from browsers: with a browser key, with a token, or with another key. */
export class BrowserCalls {
  readonly #parts: BrowserCallsParts;
  readonly #ownOrigin: string | undefined;

  constructor(parts: BrowserCallsParts) {
    this.#parts = parts;
    this.#ownOrigin = parts.publicUrl === undefined ? undefined : new URL(parts.publicUrl).origin;
  }

  /**
   * Begins a call with a key, or with a token that the key created. Reports a page that uses a key other than a browser
   * key to the key's owner.
   */
  begin(
    { id: keyId, kind: keyKind }: FoundKey,
    token: TokenClaims | undefined,
    { request, ...rest }: Pick<Call, "request" | "query" | "operation">,
  ): Call {
    const isTest = keyKind === "test" ? true : undefined;
    const call: Call = { request, ...rest, keyId, keyKind, isTest };
    if (token !== undefined) return { ...call, token };
    if (keyKind === "pub") return { ...call, browser: { origin: this.#originOf(request) } };
    const { origin, "sec-fetch-site": site } = request.headers;
    const isOwnPage = site === "same-origin" || origin === this.#ownOriginFor(request);
    if (origin !== undefined && !isOwnPage) this.#parts.sightings.record(keyId, origin, this.#parts.now());
    return call;
  }

  /**
   * Returns the content of a presented token; `undefined` when it is not a valid token.
   * @throws {StoreUnavailable} (the promise)
   */
  tokenOf(presented: string, request: FastifyRequest): ReturnType<BrowserTokens["read"]> {
    // Only from a header: in a URL it would appear in logs and histories.
    if (!looksLikeBrowserToken(presented) || request.headers.authorization === undefined) return undefined;
    return this.#parts.tokens.read(presented);
  }

  /** Returns an error when a client or a session has made too many calls. */
  tooMany({ keyId, browser, token, request }: Call): ApiError | undefined {
    if (browser === undefined && token === undefined) return undefined;
    const client = token === undefined ? limiterSubject(request.clientAddress) : token.session;
    const waitSeconds = this.#parts.browserLimiter.refuse(`${keyId} ${client}`);
    if (waitSeconds === undefined) return undefined;
    const [who, what] = token === undefined ? ["one client address", "key"] : ["one typing session", "token"];
    const message = `${who} may make ${BROWSER_CALLS_PER_MINUTE} calls per minute with this ${what}; wait ${waitSeconds} s`;
    return retryLater("RATE_LIMIT_EXCEEDED", waitSeconds, message);
  }

  /** Returns an error when a token is used from another origin. For keys the store checks the origin. */
  denialOfOrigin({ token, request }: Call): ApiError | undefined {
    return token === undefined || this.#originOf(request) === token.origin
      ? undefined
      : beyondToken("origin");
  }

  /**
   * Returns an error when a browser key or token does not allow an operation. The store checks the key's own settings.
   */
  denialOfOperation(
    { browser, token }: Call,
    { operation, session }: Pick<PreparedCall, "operation" | "session">,
  ): ApiError | undefined {
    if (browser !== undefined)
      return mayBrowserCall(operation, true) ? undefined : beyondBrowserKey(operation);
    if (token === undefined) return undefined;
    if (!mayBrowserCall(operation, token.mayLookUp)) return beyondToken("scope");
    return operation === "autocomplete" && session !== token.session ? beyondToken("session") : undefined;
  }

  /** Returns the origin of a call. Browsers send none for reads by the service's own pages. */
  #originOf(request: FastifyRequest): string | undefined {
    const { origin, "sec-fetch-site": site } = request.headers;
    if (origin !== undefined) return origin.length > MAX_ORIGIN ? undefined : origin;
    return site === "same-origin" ? this.#ownOriginFor(request) : undefined;
  }

  #ownOriginFor(request: FastifyRequest): string {
    return this.#ownOrigin ?? `${request.protocol}://${request.host}`;
  }
}

/**
 * The error for a token that was used from another page, for another session, or for an operation it does not allow.
 */
function beyondToken(what: "origin" | "session" | "scope"): ApiError {
  const messages = {
    origin: "this token was made for another web page: create one for this page's origin",
    session: "this token was made for another typing session: send the `session` it was made for",
    scope:
      "a token allows only autocomplete, and basic lookups if it was created with `lookup`: call this endpoint from your server with a live key",
  };
  return forbidden(messages[what]);
}
