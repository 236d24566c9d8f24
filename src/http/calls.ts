import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError, retryLater } from "../contract/errors.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import { limiterSubject } from "../lib/minuteLimiter.ts";
import { sessionHash } from "../metering/typingSession.ts";
import type { BrowserCalls } from "./browserCalls.ts";
import type { Call } from "./call.ts";
import { Charging, KeyEnded, type ResponseFormat } from "./charging.ts";
import type { KeyedEndpoint, PreparedCall, Services } from "./endpoint.ts";
import { rateExceeded, unauthorized } from "./errors.ts";
import { idempotencyOf } from "./idempotency.ts";
import { type InputReader, keyInQuery, readRawQuery } from "./input/read.ts";
import type { AppParts } from "./parts.ts";
import { type Outcome, sendError } from "./sending.ts";

/** An endpoint with the reader of its input and the writer of its responses. */
export interface Served extends ResponseFormat {
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

/** The path of every call with a key: key, rate, input, then work and charge (see charging.ts). */
export class Calls {
  readonly #parts: CallsParts;
  readonly #testServices: Services;
  readonly #charging: Charging;

  constructor(parts: CallsParts) {
    this.#parts = parts;
    this.#testServices = { ...parts.services, ...parts.sandbox, isTest: true };
    this.#charging = new Charging(parts);
  }

  /**
   * Finds the key of a request and sets `request.call`, which stays null without a valid key.
   * @throws {StoreUnavailable} (the promise) when the key is not cached and the store is unavailable
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

  /** Answers a call to an endpoint that needs a key. */
  async answer(served: Served, request: FastifyRequest): Promise<Outcome> {
    return this.#orRefusal(request, async (call) => {
      await this.#checkLimits(call);
      const prepared = this.#prepare(served, call);
      if (!(prepared instanceof ApiError)) return this.#charging.answer(call, served, prepared);
      await this.#charging.admit(call);
      return prepared;
    });
  }

  /**
   * Returns the outcome of a call that fails anyway. It counts towards the rate of the key, or of the client's address
   * without one.
   */
  async fail(error: ApiError, request: FastifyRequest): Promise<ApiError> {
    if (request.call === null) return this.keylessRefusal(request, error);
    return this.#orRefusal(request, async (call) => {
      await this.#checkLimits(call);
      await this.#charging.admit(call);
      return error;
    });
  }

  /** Counts a free call towards the rate limit. @returns the refusal; undefined if the call may proceed */
  async admit(request: FastifyRequest): Promise<ApiError | undefined> {
    return this.#orRefusal(request, async (call) => {
      this.#checkMemory(call);
      await this.#charging.admit(call);
      return undefined;
    });
  }

  /** Sends the outcome of {@link fail}. */
  async sendFailure(error: ApiError, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    sendError(reply, await this.fail(error, request));
  }

  /** Returns the error for a caller without a valid key: `error`, or the refusal after too many such calls. */
  keylessRefusal(request: FastifyRequest, error: ApiError): ApiError {
    return this.tooManyKeyless(request) ?? error;
  }

  /** Returns an error when the client's address made too many calls without a valid key. */
  tooManyKeyless(request: FastifyRequest): ApiError | undefined {
    const waitSeconds = this.#parts.limiter.refuse(limiterSubject(request.clientAddress));
    if (waitSeconds === undefined) return undefined;
    const message = `too many calls without a valid key from this address; wait ${waitSeconds} s`;
    return retryLater("RATE_LIMIT_EXCEEDED", waitSeconds, message);
  }

  /** Runs a step of a call with a key. @returns its result, or the error that it throws */
  async #orRefusal<T>(request: FastifyRequest, step: (call: Call) => Promise<T>): Promise<T | ApiError> {
    const { call } = request;
    if (call === null) return this.keylessRefusal(request, unauthorized());
    try {
      return await step(call);
    } catch (error) {
      if (!(error instanceof KeyEnded)) return this.#charging.explain(error, call);
      const { keyring } = this.#parts;
      if (error.ended === "revoked") keyring.recordRevoked(call.keyId);
      else keyring.recordExpired(call.keyId);
      request.call = null;
      return this.keylessRefusal(request, unauthorized());
    }
  }

  /** Refuses a call over a limit before its input is read. @throws {ApiError} (the promise) */
  async #checkLimits(call: Call): Promise<void> {
    this.#checkMemory(call);
    const tooMany = this.#parts.browsers.tooMany(call);
    if (tooMany === undefined) return;
    await this.#charging.recordRefusal(call);
    throw tooMany;
  }

  /** @throws {ApiError} for a key that is known to be over its limit */
  #checkMemory(call: Call): void {
    const balance = this.#parts.meter.refusedFromMemory(call.keyId, call.operation);
    if (balance === undefined) return;
    call.balance = balance;
    throw rateExceeded(balance);
  }

  /** Reads the input of a call. Invalid input is reported before the price is checked. */
  #prepare({ endpoint, readInput }: Served, call: Call): PreparedCall | ApiError {
    const { browsers, services } = this.#parts;
    const denial = browsers.denialOfOrigin(call);
    if (denial !== undefined) return denial;
    try {
      // Test keys never reach an upstream or real data.
      const own = call.isTest ? this.#testServices : services;
      const prepared = endpoint.prepare(readInput(call.request, call.query), own, call);
      call.operation = prepared.operation;
      if (prepared.session !== undefined) call.session = sessionHash(prepared.session);
      const notAllowed = browsers.denialOfOperation(call, prepared);
      if (notAllowed !== undefined) return notAllowed;
      const idempotency = idempotencyOf(call);
      if (idempotency === undefined) return prepared;
      call.idempotencyId = idempotency.id;
      if (prepared.price > 0) call.idempotency = idempotency;
      return prepared;
    } catch (error) {
      return this.#charging.explain(error, call);
    }
  }
}

/**
 * Parses a Bearer header; its key is undefined when it is malformed. Returns undefined for another scheme, such as
 * Basic credentials for a proxy.
 */
export function bearerOf(
  authorization: string | undefined,
): { readonly key: string | undefined } | undefined {
  const found = authorization === undefined ? null : BEARER.exec(authorization);
  return found === null ? undefined : { key: found[1] };
}
