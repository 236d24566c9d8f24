import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../contract/errors.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import { sessionHash } from "../metering/typingSession.ts";
import type { BrowserCalls } from "./browserCalls.ts";
import type { Call } from "./call.ts";
import { Charging, type Written } from "./charging.ts";
import type { KeyedEndpoint, PreparedCall, Services } from "./endpoint.ts";
import { again, asApiError, isOurs, rateExceeded, unauthorized } from "./errors.ts";
import { idempotencyOf } from "./idempotency.ts";
import { type InputReader, keyInQuery, readRawQuery } from "./input/read.ts";
import { limiterSubject } from "./minuteLimiter.ts";
import type { AppParts } from "./parts.ts";
import { type Outcome, sendError } from "./sending.ts";

/** An endpoint, what reads its input and what writes its answers. */
export interface Served extends Written {
  readonly endpoint: KeyedEndpoint;
  readonly readInput: InputReader;
}

type CallsParts = Pick<
  AppParts,
  "meter" | "keyring" | "limiter" | "services" | "sandbox" | "tickets" | "tags"
> & {
  readonly browsers: BrowserCalls;
  readonly onError: (error: unknown, request: FastifyRequest) => void;
};

const BEARER = /^Bearer(?: +([^ ]+) *|\s.*)?$/is;

/** The one path of every call with a key: key, rate, input, then work and charge (see charging.ts). */
export class Calls {
  readonly #parts: CallsParts;
  readonly #testServices: Services;
  readonly #charging: Charging;

  constructor(parts: CallsParts) {
    this.#parts = parts;
    this.#testServices = { ...parts.services, ...parts.sandbox, isTest: true };
    this.#charging = new Charging({
      ...parts,
      refusalOfEnded: (ended, { keyId, request }) => {
        if (ended === "revoked") parts.keyring.forget(keyId);
        else parts.keyring.noteExpired(keyId);
        request.call = null;
        return this.keylessRefusal(request, unauthorized());
      },
      explain: (error, { request }) => this.#explain(error, request),
    });
  }

  /**
   * Finds the key of a request and notes it as `request.call`, which stays null without a good one.
   * @throws {StoreUnavailable} when the key is new here and the store is away
   */
  async identify(request: FastifyRequest, operation: LedgerOperation): Promise<void> {
    const { keyring, browsers, tickets } = this.#parts;
    const query = readRawQuery(request.raw.url ?? "");
    const inHeader = bearerOf(request.headers.authorization);
    const presented = inHeader === undefined ? keyInQuery(query) : inHeader.key;
    if (presented === undefined) return;
    const token = await browsers.tokenOf(presented, request);
    const key =
      token === undefined
        ? (tickets.take(presented) ?? (await keyring.find(presented)))
        : { id: token.keyId, kind: token.keyKind };
    if (key === undefined || keyring.isRefused(key.id)) return;
    request.call = browsers.begin(key, token, { request, query, operation });
  }

  /** Does a call to an endpoint that needs a key. */
  async answer(served: Served, request: FastifyRequest): Promise<Outcome> {
    const { call } = request;
    if (call === null) return this.keylessRefusal(request, unauthorized());
    const refusal = await this.#refusalBefore(call);
    if (refusal !== undefined) return refusal;
    const prepared = this.#prepare(served, call);
    return prepared instanceof ApiError
      ? ((await this.#charging.admit(call)) ?? prepared)
      : this.#charging.answer(call, served, prepared);
  }

  /** The outcome of a call that fails anyway: charged to the key's rate, or to the client's address without a key. */
  async fail(error: ApiError, request: FastifyRequest): Promise<ApiError> {
    const { call } = request;
    if (call === null) return this.keylessRefusal(request, error);
    return (await this.#refusalBefore(call)) ?? (await this.#charging.admit(call)) ?? error;
  }

  /** Takes the slot of a call that has no price. @returns the refusal, undefined when the call may go on */
  async admit(request: FastifyRequest): Promise<ApiError | undefined> {
    const { call } = request;
    if (call === null) return this.keylessRefusal(request, unauthorized());
    return this.#refusedFromMemory(call) ?? this.#charging.admit(call);
  }

  /** Answers as {@link fail} does. */
  async sendFailure(error: ApiError, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    sendError(reply, await this.fail(error, request));
  }

  /** The error for a caller without a good key, who may have made too many calls. */
  keylessRefusal(request: FastifyRequest, error: ApiError): ApiError {
    return this.tooManyKeyless(request) ?? error;
  }

  /** The refusal of a call without a key when its client's address made too many. */
  tooManyKeyless(request: FastifyRequest): ApiError | undefined {
    const waitSeconds = this.#parts.limiter.refuse(limiterSubject(request.clientAddress));
    if (waitSeconds === undefined) return undefined;
    const message = `too many calls without a good key from this address; wait ${waitSeconds} s`;
    return again("RATE_LIMIT_EXCEEDED", waitSeconds, message);
  }

  /** The refusal of a call before its input is read. */
  async #refusalBefore(call: Call): Promise<ApiError | undefined> {
    const refused = this.#refusedFromMemory(call);
    if (refused !== undefined) return refused;
    const tooMany = this.#parts.browsers.tooMany(call);
    return tooMany === undefined ? undefined : this.#charging.refuse(call, tooMany);
  }

  /** The refusal of a key that is known to be over its window. */
  #refusedFromMemory(call: Call): ApiError | undefined {
    const balance = this.#parts.meter.refusedFromMemory(call.keyId, call.operation);
    if (balance === undefined) return undefined;
    call.balance = balance;
    return rateExceeded(balance);
  }

  /** A call whose input is good, else its error: bad input is reported before any price is asked. */
  #prepare({ endpoint, readInput }: Served, call: Call): PreparedCall | ApiError {
    const { browsers, services } = this.#parts;
    const { request } = call;
    const barred = browsers.barBefore(call);
    if (barred !== undefined) return barred;
    try {
      // Nobody outside is asked for a test key, and nothing real is shown to it.
      const own = call.isTest ? this.#testServices : services;
      const prepared = endpoint.prepare(readInput(request, call.query), own, call);
      call.operation = prepared.operation;
      if (prepared.session !== undefined) call.session = sessionHash(prepared.session);
      const beyond = browsers.barAfter(call, prepared);
      if (beyond !== undefined) return beyond;
      const idempotency = idempotencyOf(call);
      if (idempotency === undefined) return prepared;
      call.idempotencyId = idempotency.id;
      if (prepared.price > 0) call.idempotency = idempotency;
      return prepared;
    } catch (error) {
      return this.#explain(error, request);
    }
  }

  #explain(error: unknown, request: FastifyRequest): ApiError {
    if (isOurs(error)) this.#parts.onError(error, request);
    return asApiError(error);
  }
}

/**
 * Reads a Bearer header: its key is undefined where the form is wrong. Undefined for a header of another scheme, such as the Basic
 * credentials that a client has for a proxy.
 */
export function bearerOf(
  authorization: string | undefined,
): { readonly key: string | undefined } | undefined {
  const found = authorization === undefined ? null : BEARER.exec(authorization);
  return found === null ? undefined : { key: found[1] };
}
