import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError, errorBody } from "../contract/errors.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import type { Keyring } from "../metering/keyring.ts";
import type { Meter } from "../metering/meter.ts";
import type { Balance, Decision } from "../metering/store.ts";
import type { AddressLimiter } from "./addressLimiter.ts";
import type { Delivery, KeyedEndpoint, Services } from "./endpoint.ts";
import { asApiError, isOurs } from "./failures.ts";
import { balanceHeaders, secondsUntil } from "./headers.ts";
import { keyInQuery, type RawQuery, readRawQuery } from "./input/query.ts";
import type { InputReader } from "./input/read.ts";

/** What is known of a call while it is answered; logs read it. */
export interface Call {
  readonly query: RawQuery;
  readonly keyId: string;
  operation: LedgerOperation;
  accountId?: string;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set as soon as a good key was presented. */
    call: Call | null;
  }
}

/** An endpoint and what reads its input. */
export interface Served {
  readonly endpoint: KeyedEndpoint;
  readonly readInput: InputReader;
}

interface Worked {
  /** The full price, 0 when the input was bad. */
  readonly price: number;
  readonly result: Written | ApiError;
}

/** A delivery whose body is written already, but for one that tells the balance. */
type Written = { readonly charge: number; readonly text: string } | Extract<Delivery, { bodyOf: unknown }>;

const JSON_TYPE = "application/json; charset=utf-8";
const BEARER = /^Bearer +([^ ]+) *$/i;

/**
 * The one path of every call with a key: route → key → rate → input → tokens → work → settle. What is asked is looked
 * up in this process, which is cheap; one ask then decides rate and tokens together, and nothing leaves before its
 * charge is durable.
 */
export class Calls {
  readonly #meter: Meter;
  readonly #keyring: Keyring;
  readonly #limiter: AddressLimiter;
  readonly #services: Services;
  readonly #onError: (error: unknown, request: FastifyRequest) => void;

  constructor(parts: {
    meter: Meter;
    keyring: Keyring;
    limiter: AddressLimiter;
    services: Services;
    onError: (error: unknown, request: FastifyRequest) => void;
  }) {
    this.#meter = parts.meter;
    this.#keyring = parts.keyring;
    this.#limiter = parts.limiter;
    this.#services = parts.services;
    this.#onError = parts.onError;
  }

  /**
   * Finds the key of a request and notes it as `request.call`; without a good one the call stays null. Done at once
   * for a key that was seen before, else when the promise is fulfilled.
   * @throws {StoreUnavailable} when the key is new here and the store is away
   */
  identify(request: FastifyRequest, operation: LedgerOperation): Promise<void> | undefined {
    const query = readRawQuery(request.raw.url ?? "");
    const presented = presentedKey(request, query);
    if (presented === undefined) return undefined;
    const note = (keyId: string | undefined) => {
      if (keyId !== undefined && !this.#keyring.isRevoked(keyId)) request.call = { query, keyId, operation };
    };
    const found = this.#keyring.find(presented);
    if (found instanceof Promise) return found.then(note);
    note(found);
    return undefined;
  }

  /** Answers a call to an endpoint that needs a key. */
  answer(served: Served, request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
    const { call } = request;
    if (call === null) return this.refuseKeyless(request, reply, unauthorized());
    const refused = this.#meter.refusedFromMemory(call.keyId, call.operation);
    if (refused !== undefined) return sendRateRefusal(reply, call, refused);
    const worked = this.#work(served, call, request, reply);
    if (!(worked instanceof Promise)) return this.#settle(call, worked, request, reply);
    return worked.then((done) => this.#settle(call, done, request, reply));
  }

  /** Answers with an error: over the key's account when a good key was presented, else over the client's address. */
  async answerError(error: ApiError, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { call } = request;
    if (call === null) return this.refuseKeyless(request, reply, error);
    const refused = this.#meter.refusedFromMemory(call.keyId, call.operation);
    if (refused !== undefined) return sendRateRefusal(reply, call, refused);
    return this.#settle(call, { price: 0, result: error }, request, reply);
  }

  /** An error to a caller without a good key; too many of them are refused. */
  refuseKeyless(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
    return sendError(reply, this.tooManyKeyless(request) ?? error);
  }

  /** The refusal of a call without a key when its client's address made too many. */
  tooManyKeyless(request: FastifyRequest): ApiError | undefined {
    const waitSeconds = this.#limiter.refuse(request.ip);
    if (waitSeconds === undefined) return undefined;
    return new ApiError(
      "RATE_LIMIT_EXCEEDED",
      `too many calls without a good key from this address; wait ${waitSeconds} s`,
      { retryAfterSeconds: waitSeconds },
    );
  }

  /** The work of a call up to the bytes of its answer, so that nothing can fail after it was charged. */
  #work(
    { endpoint, readInput }: Served,
    call: Call,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Worked | Promise<Worked> {
    let price = 0;
    const done = (delivery: Delivery): Worked => ({
      price,
      result: "body" in delivery ? { charge: delivery.charge, text: asText(reply, delivery.body) } : delivery,
    });
    const failed = (error: unknown): Worked => ({ price, result: this.#explain(error, request) });
    try {
      const input = readInput(request, call.query);
      const cost = endpoint.cost(input);
      price = cost.price;
      call.operation = cost.operation;
      const delivery = endpoint.handler(input, this.#services);
      return delivery instanceof Promise ? delivery.then(done).catch(failed) : done(delivery);
    } catch (error) {
      return failed(error);
    }
  }

  async #settle(
    call: Call,
    { price, result }: Worked,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const charge = result instanceof ApiError ? 0 : result.charge;
    let decision: Decision;
    try {
      decision = await this.#meter.ask({
        kind: "call",
        keyId: call.keyId,
        operation: call.operation,
        price,
        charge,
      });
    } catch (error) {
      return sendError(reply, this.#explain(error, request));
    }
    if (decision.outcome === "revoked") {
      this.#keyring.forget(call.keyId);
      request.call = null;
      return this.refuseKeyless(request, reply, unauthorized());
    }
    const { balance } = decision;
    call.accountId = balance.accountId;
    if (decision.outcome === "rate") return sendRateRefusal(reply, call, balance);
    reply.headers(balanceHeaders(balance, decision.outcome === "granted" ? decision.charged : 0));
    if (decision.outcome === "quota") return sendError(reply, quotaExceeded(price, balance));
    if (decision.outcome !== "granted") return sendError(reply, suspended());
    if (result instanceof ApiError) return sendError(reply, result);
    try {
      const text = "text" in result ? result.text : asText(reply, await result.bodyOf(balance));
      return reply.header("content-type", JSON_TYPE).send(text);
    } catch (error) {
      // The call has its slot already: what handles errors in general would take another one.
      return sendError(reply, this.#explain(error, request));
    }
  }

  #explain(error: unknown, request: FastifyRequest): ApiError {
    if (isOurs(error)) this.#onError(error, request);
    return asApiError(error);
  }
}

/** The body as the endpoint's schema writes it. */
function asText(reply: FastifyReply, body: unknown): string {
  return String(reply.serialize(body));
}

/** The key that a request presents: the header wins when both are there. */
function presentedKey(request: FastifyRequest, query: RawQuery): string | undefined {
  const header = request.headers.authorization;
  if (header !== undefined) return BEARER.exec(header)?.[1];
  return keyInQuery(query);
}

/** Sends an error in the one form that all errors have. */
export function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
  if (error.allow !== undefined) reply.header("allow", error.allow);
  if (error.code === "UNAUTHORIZED") reply.header("www-authenticate", "Bearer");
  return reply
    .code(error.status)
    .header("content-type", JSON_TYPE)
    .send(JSON.stringify(errorBody(error.code, error.message)));
}

function sendRateRefusal(reply: FastifyReply, call: Call, balance: Balance): FastifyReply {
  call.accountId = balance.accountId;
  const waitSeconds = secondsUntil(balance.rateResetSeconds, Math.max(balance.nowMs, Date.now()));
  reply.headers(balanceHeaders(balance, 0));
  return sendError(
    reply,
    new ApiError(
      "RATE_LIMIT_EXCEEDED",
      `this key may make ${balance.rateLimit} calls a minute; wait ${waitSeconds} s`,
      { retryAfterSeconds: waitSeconds },
    ),
  );
}

function unauthorized(): ApiError {
  return new ApiError(
    "UNAUTHORIZED",
    "a good API key is needed: send it as `Authorization: Bearer <key>` or as `?apikey=<key>`",
  );
}

function suspended(): ApiError {
  return new ApiError("FORBIDDEN", "this account is suspended; ask the operator of this service");
}

function quotaExceeded(price: number, balance: Balance): ApiError {
  const resetsAt = new Date(balance.tokensResetSeconds * 1_000).toISOString();
  return new ApiError(
    "QUOTA_EXCEEDED",
    `this call costs up to ${price} tokens and ${balance.tokensRemaining} are left until ${resetsAt}; nothing was charged`,
    { retryAfterSeconds: secondsUntil(balance.tokensResetSeconds, balance.nowMs) },
  );
}
