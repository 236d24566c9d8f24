import type { FastifyRequest } from "fastify";
import type { BrowserTokens, TokenClaims } from "../accounts/browserTokens.ts";
import { BROWSER_CALLS_PER_MINUTE } from "../contract/browserRules.ts";
import { ApiError } from "../contract/errors.ts";
import { looksLikeBrowserToken } from "../contract/tokenForm.ts";
import { mayBrowserCall } from "../metering/browserKey.ts";
import type { FoundKey } from "../metering/store.ts";
import type { Call } from "./call.ts";
import type { PreparedCall } from "./endpoint.ts";
import { again, beyondBrowserKey } from "./errors.ts";
import { limiterSubject } from "./minuteLimiter.ts";
import type { AppParts } from "./parts.ts";

/** Longer ones are no origin of anything: they are told to nobody. */
const LONGEST_ORIGIN = 300;

type BrowserCallsParts = Pick<AppParts, "tokens" | "browserLimiter" | "sightings" | "publicUrl" | "now">;

/** What holds of calls that browsers make: with a key for browsers, with a token, and with a key that is for neither. */
export class BrowserCalls {
  readonly #parts: BrowserCallsParts;
  readonly #ownOrigin: string | undefined;

  constructor(parts: BrowserCallsParts) {
    this.#parts = parts;
    this.#ownOrigin = parts.publicUrl === undefined ? undefined : new URL(parts.publicUrl).origin;
  }

  /** A call with a key, or with a token that the key made. A page that uses a key which is not for browsers is noted for its owner. */
  begin(
    { id: keyId, kind: keyKind }: FoundKey,
    token: TokenClaims | undefined,
    { request, ...asked }: Pick<Call, "request" | "query" | "operation">,
  ): Call {
    const isTest = keyKind === "test" ? true : undefined;
    const call: Call = { request, ...asked, keyId, keyKind, isTest };
    if (token !== undefined) return { ...call, token };
    if (keyKind === "pub") return { ...call, browser: { origin: this.#originOf(request) } };
    const { origin, "sec-fetch-site": site } = request.headers;
    const isOwnPage = site === "same-origin" || origin === this.#own(request);
    if (origin !== undefined && !isOwnPage) this.#parts.sightings.note(keyId, origin, this.#parts.now());
    return call;
  }

  /** What the token says that is presented; `undefined` for what is none. @throws {StoreUnavailable} (the promise) */
  tokenOf(presented: string, request: FastifyRequest): ReturnType<BrowserTokens["read"]> {
    // In an address it would stand in logs and histories: a header alone is taken.
    if (!looksLikeBrowserToken(presented) || request.headers.authorization === undefined) return undefined;
    return this.#parts.tokens.read(presented);
  }

  /** Why a call is one too many of its client, or of its session. */
  tooMany({ keyId, browser, token, request }: Call): ApiError | undefined {
    if (browser === undefined && token === undefined) return undefined;
    const client = token === undefined ? limiterSubject(request.clientAddress) : token.session;
    const waitSeconds = this.#parts.browserLimiter.refuse(`${keyId} ${client}`);
    if (waitSeconds === undefined) return undefined;
    const [who, what] = token === undefined ? ["one address", "key"] : ["one session of typing", "token"];
    const message = `${who} may make ${BROWSER_CALLS_PER_MINUTE} calls a minute with this ${what}; wait ${waitSeconds} s`;
    return again("RATE_LIMIT_EXCEEDED", waitSeconds, message);
  }

  /** Why a call may not be made from where it comes from; of a key the store decides that. */
  barBefore({ token, request }: Call): ApiError | undefined {
    return token === undefined || this.#originOf(request) === token.origin
      ? undefined
      : beyondToken("origin");
  }

  /** Why a call may not ask for what it asks for. What a key's own settings say the store decides. */
  barAfter(
    { browser, token }: Call,
    { operation, session }: Pick<PreparedCall, "operation" | "session">,
  ): ApiError | undefined {
    if (browser !== undefined)
      return mayBrowserCall(operation, true) ? undefined : beyondBrowserKey(operation);
    if (token === undefined) return undefined;
    if (!mayBrowserCall(operation, token.mayLookUp)) return beyondToken("scope");
    return operation === "autocomplete" && session !== token.session ? beyondToken("session") : undefined;
  }

  /** Where a call comes from. Of a page of the service's own a browser names no origin when it only reads. */
  #originOf(request: FastifyRequest): string | undefined {
    const { origin, "sec-fetch-site": site } = request.headers;
    if (origin !== undefined) return origin.length > LONGEST_ORIGIN ? undefined : origin;
    return site === "same-origin" ? this.#own(request) : undefined;
  }

  #own(request: FastifyRequest): string {
    return this.#ownOrigin ?? `${request.protocol}://${request.host}`;
  }
}

/** A token was used from another page, for another session, or for something else than it may be. */
function beyondToken(what: "origin" | "session" | "scope"): ApiError {
  const messages = {
    origin:
      "this token is for another web page than this call comes from: make a token for this page's origin",
    session: "this token is for another session of typing: send the `session` that it was made for",
    scope:
      "a token is for autocomplete, and basic lookups where it was made with `lookup`: call this from your server with a live key",
  };
  return new ApiError("FORBIDDEN", messages[what]);
}
