/** `Idempotency-Key`: a repeated call gets the stored response (draft-ietf-httpapi-idempotency-key-header). */
import { hash } from "node:crypto";
import { ApiError, invalid, retryLater } from "../contract/errors.ts";
import type { Suppressed } from "../lookup/suppression/suppressed.ts";
import {
  type IdempotencyEntry,
  type IdempotencyKey,
  packResponse,
  type ReplayedResponse,
  unpackResponse,
} from "../metering/responses.ts";
import type { Decision } from "../metering/store.ts";
import { timesSent } from "./brokenRequests.ts";
import type { Call } from "./call.ts";
import { KEY_PARAMETER } from "./input/read.ts";

const HEADER = "idempotency-key";
const STORED_FOR_MS = 86_400_000;

/** Visible ASCII that does not begin with a quote. */
const BARE = /^[!#-~][!-~]{0,254}$/;
/** RFC 9651, section 3.3.3. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\]){1,510})"$/;
const MAX_LENGTH = 255;

/** Returns the identity of a request with the header; undefined without it. @throws {ApiError} INVALID_REQUEST */
export function idempotencyOf(call: Call): IdempotencyKey | undefined {
  const { request } = call;
  const sent = request.headers[HEADER];
  if (sent === undefined) return undefined;
  // Node.js joins repeated headers into one text.
  const key = readKey(sent, timesSent(HEADER, request.raw.rawHeaders));
  // A token belongs to a visitor of a page, whose idempotency keys must not collide with those of the key's owner.
  const named =
    call.token === undefined ? `${call.keyId} ${key}` : JSON.stringify([call.keyId, call.token.session, key]);
  return {
    id: `call:${hash("sha256", named, "base64url")}`,
    requestHash: requestHash(call),
  };
}

function readKey(sent: string | readonly string[], times: number): string {
  const text = typeof sent === "string" && times === 1 ? sent : "";
  const quoted = QUOTED.exec(text)?.[1]?.replace(/\\(.)/g, "$1");
  const key = quoted ?? (BARE.test(text) ? text : undefined);
  if (key !== undefined && key.length <= MAX_LENGTH) return key;
  throw invalid(
    `the header Idempotency-Key must occur once and have 1 to ${MAX_LENGTH} visible ASCII characters, with or without quotes; for example a UUID`,
  );
}

/**
 * Returns a hash of method, path, query and body, without the API key, which may be in the query. HEAD counts as GET.
 */
export function requestHash({ request, query }: Call): string {
  const [path] = (request.raw.url ?? "").split("?", 1);
  const pairs = query.pairs.filter(([name]) => name !== KEY_PARAMETER).sort(byName);
  const method = request.method === "HEAD" ? "GET" : request.method;
  const body = Buffer.isBuffer(request.body) ? hash("sha256", request.body, "base64url") : "";
  return hash("sha256", JSON.stringify([method, path, pairs, body]), "base64url");
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : Number(one > other);
}

/** Returns a response to store with its charge. */
export async function storedResponse(call: IdempotencyKey, text: string): Promise<IdempotencyEntry> {
  const response = {
    status: 200,
    text: await packResponse(text),
    numbers: numbersIn(text),
    lifetimeMs: STORED_FOR_MS,
  };
  return { ...call, response };
}

/**
 * Matches companies in a response, except failed items of a batch, VAT numbers, and numbers of court cases.
 * Reconciliation has companies as ids, as names of rows and in HTML, and VAT numbers as lists of one.
 */
const NUMBERS =
  /"(?:kvkNumber|id)":"([0-9]{8})"(?!,"error")|"([0-9]{8})":\{|>KVK ([0-9]{8})<|"vatNumber":(?:\[\{"str":)?"([A-Z0-9+*]+)"|"caseNumber":"([^"]{1,40})"/g;

/** Returns the companies, VAT numbers and court cases in a response. */
function numbersIn(text: string): readonly string[] {
  return [
    ...new Set(
      Array.from(
        text.matchAll(NUMBERS),
        ([, ...numbers]) => numbers.find((found) => found !== undefined) ?? "",
      ),
    ),
  ];
}

/** Returns the text of a stored response; undefined when it contains a company that is now suppressed. */
export async function replayedText(
  { text, numbers }: ReplayedResponse,
  suppressed: Suppressed,
): Promise<string | undefined> {
  const isSuppressed = numbers.some((number) => suppressed.has(number) || suppressed.hasVatNumber(number));
  return text === undefined || isSuppressed ? undefined : await unpackResponse(text);
}

/** The error if another request used the key, or the same request is still running, for at most `livesForMs`. */
export function conflict(
  { lapsesInMs }: Extract<Decision, { outcome: "conflict" }>,
  livesForMs: number,
): ApiError {
  if (lapsesInMs === undefined) {
    return new ApiError(
      "CONFLICT",
      "this Idempotency-Key was used for another request: use a new key for each request; nothing was charged",
    );
  }
  // Wait as long as it has already taken.
  const tookMs = Math.max(0, livesForMs - lapsesInMs);
  const retryAfterSeconds = Math.max(1, Math.ceil(Math.min(lapsesInMs, tookMs) / 1_000));
  return retryLater(
    "CONFLICT",
    retryAfterSeconds,
    `the same request is in progress; repeat it with its Idempotency-Key in ${retryAfterSeconds} s; nothing was charged`,
  );
}

const RETRY_SECONDS = 60;

/** The error when the response cannot be stored, so that a repeated call would be charged again. */
export function cannotStore({ isServiceFull }: Extract<Decision, { outcome: "full" }>): ApiError {
  if (isServiceFull) {
    return retryLater(
      "SERVICE_UNAVAILABLE",
      RETRY_SECONDS,
      "no more responses can be stored at the moment; nothing was charged. Call without Idempotency-Key, or try again later",
    );
  }
  return invalid(
    "this account has too many stored responses (each is stored for 24 hours); nothing was charged. Call without Idempotency-Key (in @opzoek/client: retries: 0), or try again later",
  );
}

/**
 * The error when the stored response contains a company that is now suppressed, and a new response would be charged.
 */
export function withdrawn(): ApiError {
  return new ApiError(
    "NOT_FOUND",
    "the response stored for this Idempotency-Key was deleted; call again without the key. Nothing was charged",
  );
}
