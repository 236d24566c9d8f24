import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../contract/errors.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import type { Keyring } from "../metering/keyring.ts";
import type { Meter } from "../metering/meter.ts";
import type { Ask, Balance, Decision } from "../metering/store.ts";
import type { AddressLimiter } from "./addressLimiter.ts";
import type { Delivery, KeyedEndpoint, PreparedCall, Services } from "./endpoint.ts";
import {
  JSON_TYPE,
  quotaExceeded,
  sendError,
  sendRateRefusal,
  suspended,
  tookTooLong,
  unauthorized,
} from "./errorAnswers.ts";
import { asApiError, isOurs } from "./failures.ts";
import { BALANCE_HEADERS, balanceHeaders } from "./headers.ts";
import { keyInQuery, type RawQuery, readRawQuery } from "./input/query.ts";
import type { InputReader } from "./input/read.ts";
import { SlowWork } from "./slowWork.ts";
import type { Tickets } from "./tickets.ts";

/** What is known of a call while it is answered; logs read it. */
export interface Call {
  readonly query: RawQuery;
  readonly keyId: string;
  operation: LedgerOperation;
  accountId?: string;
}

declare module "fastify" {
  interface FastifyRequest {
    /** The client's address as it is limited, read when the request begins: a connection that was reset has none. */
    limitedAs: string;
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
  /** Set when the store was asked before the work: the call has its slot in the rate window. */
  readonly before?: Balance;
}

/** A delivery whose body is written already, but for one that tells the balance. */
type Written =
  | { readonly charge: number; readonly text: string }
  | Extract<Delivery, { bodyOf: unknown } | { outside: unknown }>;
type Outside = Extract<Delivery, { outside: unknown }>;

/** Longer than any work may take: what is left over was abandoned, and its tokens are given back. */
const RESERVED_FOR_MS = 120_000;

const BEARER = /^Bearer +([^ ]+) *$/i;

/**
 * The one path of every call with a key: route → key → rate → input → tokens → work → settle. What is asked is looked
 * up in this process, which is cheap; one ask then decides rate and tokens together, and nothing leaves before its
 * charge is durable. Where looking up can be slow, the store is asked before as well: at the full price, charging nothing.
 */
export class Calls {
  readonly #meter: Meter;
  readonly #keyring: Keyring;
  readonly #limiter: AddressLimiter;
  readonly #services: Services;
  readonly #tickets: Tickets;
  readonly #slowWork = new SlowWork();
  readonly #onError: (error: unknown, request: FastifyRequest) => void;

  constructor(parts: {
    meter: Meter;
    keyring: Keyring;
    limiter: AddressLimiter;
    services: Services;
    tickets: Tickets;
    onError: (error: unknown, request: FastifyRequest) => void;
  }) {
    this.#meter = parts.meter;
    this.#keyring = parts.keyring;
    this.#limiter = parts.limiter;
    this.#services = parts.services;
    this.#tickets = parts.tickets;
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
    const found = this.#tickets.take(presented) ?? this.#keyring.find(presented);
    if (found instanceof Promise) return found.then(note);
    note(found);
    return undefined;
  }

  /** Answers a call to an endpoint that needs a key. */
  answer(served: Served, request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
    const { call } = request;
    if (call === null) return this.refuseKeyless(request, reply, unauthorized());
    const refused = this.#meter.refusedFromMemory(call.keyId, call.operation);
    if (refused !== undefined) return refuseFromMemory(reply, call, refused);
    const prepared = this.#prepare(served, call, request);
    if (prepared instanceof ApiError) {
      return this.#settle(call, { price: 0, result: prepared }, request, reply);
    }
    if (prepared.mayBeSlow) return this.#askFirst(call, prepared, request, reply);
    const worked = this.#work(prepared, request, reply);
    if (!(worked instanceof Promise)) return this.#settle(call, worked, request, reply);
    return worked.then((done) => this.#settle(call, done, request, reply));
  }

  /** Answers with an error: over the key's account when a good key was presented, else over the client's address. */
  async answerError(error: ApiError, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { call } = request;
    if (call === null) return this.refuseKeyless(request, reply, error);
    const refused = this.#meter.refusedFromMemory(call.keyId, call.operation);
    if (refused !== undefined) return refuseFromMemory(reply, call, refused);
    return this.#settle(call, { price: 0, result: error }, request, reply);
  }

  /** An error to a caller without a good key; too many of them are refused. */
  refuseKeyless(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
    return sendError(reply, this.tooManyKeyless(request) ?? error);
  }

  /** The refusal of a call without a key when its client's address made too many. */
  tooManyKeyless(request: FastifyRequest): ApiError | undefined {
    const waitSeconds = this.#limiter.refuse(request.limitedAs);
    if (waitSeconds === undefined) return undefined;
    return new ApiError(
      "RATE_LIMIT_EXCEEDED",
      `too many calls without a good key from this address; wait ${waitSeconds} s`,
      { retryAfterSeconds: waitSeconds },
    );
  }

  /** A call whose input is good, else what is wrong with it: bad input is told before any price is asked. */
  #prepare({ endpoint, readInput }: Served, call: Call, request: FastifyRequest): PreparedCall | ApiError {
    try {
      const prepared = endpoint.prepare(readInput(request, call.query), this.#services);
      call.operation = prepared.operation;
      return prepared;
    } catch (error) {
      return this.#explain(error, request);
    }
  }

  /**
   * A call whose work can be slow: the store is asked at its full price first, which takes its slot in the rate window and
   * charges nothing, so that nobody has work done who cannot pay for it or is over the rate.
   */
  async #askFirst(
    call: Call,
    prepared: PreparedCall,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { keyId } = call;
    const { operation, price } = prepared;
    const asked = await this.#ask({ kind: "call", keyId, operation, price, charge: 0 }, request);
    const before = this.#granted(asked, call, price, request, reply);
    if (before === undefined) return reply;
    try {
      const worked = await this.#slowWork.run(() => this.#work(prepared, request, reply));
      return await this.#settle(call, { ...worked, before }, request, reply);
    } catch (error) {
      return sendError(reply, this.#explain(error, request));
    }
  }

  /** The work of a call up to the bytes of its answer, so that nothing can fail after it was charged. */
  #work(
    { price, work }: PreparedCall,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Worked | Promise<Worked> {
    const done = (delivery: Delivery): Worked | Promise<Worked> => {
      if ("inSteps" in delivery) return this.#slowWork.finish(delivery.inSteps).then(done);
      if (!("body" in delivery)) return { price, result: delivery };
      return { price, result: { charge: delivery.charge, text: asText(reply, delivery.body) } };
    };
    const failed = (error: unknown): Worked => ({ price, result: this.#explain(error, request) });
    try {
      const delivery = work();
      const worked = delivery instanceof Promise ? delivery.then(done) : done(delivery);
      return worked instanceof Promise ? worked.catch(failed) : worked;
    } catch (error) {
      return failed(error);
    }
  }

  async #settle(
    call: Call,
    worked: Worked,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { result } = worked;
    if ("outside" in result) return this.#goOutside(call, worked, result, request, reply);
    const balance = await this.#charge(call, worked, request, reply);
    if (balance === undefined) return reply;
    if (result instanceof ApiError) return sendError(reply, result);
    try {
      const text = "text" in result ? result.text : asText(reply, await result.bodyOf(balance));
      return reply.header("content-type", JSON_TYPE).send(text);
    } catch (error) {
      // The call has its slot already: what handles errors in general would take another one.
      return sendError(reply, this.#explain(error, request));
    }
  }

  /** Has a call counted and charged; undefined when it was refused and answered. */
  async #charge(
    call: Call,
    { price, result, before }: Worked,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Balance | undefined> {
    const charge = "charge" in result ? result.charge : 0;
    if (before !== undefined && charge === 0) return before;
    const { keyId, operation } = call;
    const hasSlot = before !== undefined;
    const decision = await this.#ask({ kind: "call", keyId, operation, price, charge, hasSlot }, request);
    return this.#granted(decision, call, price, request, reply);
  }

  /**
   * Work that leaves the process: its full price is reserved, the work done up to the bytes of its answer, and what it
   * came to settled before the answer leaves. A caller that hangs up changes nothing of that.
   */
  async #goOutside(
    call: Call,
    { price, before: asked }: Worked,
    { outside }: Outside,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { keyId, operation } = call;
    const reservationId = randomUUID();
    const lifetimeMs = RESERVED_FOR_MS;
    const hasSlot = asked !== undefined;
    const reserved = await this.#ask(
      { kind: "reserve", keyId, operation, price, reservationId, lifetimeMs, hasSlot },
      request,
    );
    const before = this.#granted(reserved, call, price, request, reply);
    if (before === undefined) return reply;
    let charge = 0;
    let result: string | ApiError;
    try {
      const delivered = await outside(before.accountId);
      result = asText(reply, delivered.body);
      charge = delivered.charge;
    } catch (error) {
      result = this.#explain(error, request);
    }
    const settled = await this.#ask({ kind: "settle", keyId, reservationId, charge }, request);
    const after = this.#granted(settled, call, price, request, reply);
    if (after === undefined) return reply;
    if (result instanceof ApiError) return sendError(reply, result);
    return reply.header("content-type", JSON_TYPE).send(result);
  }

  /** What the store decided, or why it decided nothing: then nothing was charged. */
  async #ask(ask: Ask, request: FastifyRequest): Promise<Decision | ApiError> {
    try {
      return await this.#meter.ask(ask);
    } catch (error) {
      return this.#explain(error, request);
    }
  }

  /** The balance of a call that may go on, its headers set; undefined when the call was refused and answered. */
  #granted(
    decision: Decision | ApiError,
    call: Call,
    price: number,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Balance | undefined {
    if (decision instanceof ApiError) {
      sendError(reply, decision);
      return undefined;
    }
    if (decision.outcome === "revoked") {
      this.#keyring.forget(call.keyId);
      request.call = null;
      // There may be some of when the store was asked before the work.
      for (const name of BALANCE_HEADERS) reply.removeHeader(name);
      this.refuseKeyless(request, reply, unauthorized());
      return undefined;
    }
    const { balance } = decision;
    call.accountId = balance.accountId;
    if (decision.outcome === "rate") {
      sendRateRefusal(reply, balance);
      return undefined;
    }
    reply.headers(balanceHeaders(balance, decision.outcome === "granted" ? decision.charged : 0));
    if (decision.outcome === "granted") return balance;
    const refusals = { quota: () => quotaExceeded(price, balance), suspended, lapsed: tookTooLong };
    sendError(reply, refusals[decision.outcome]());
    return undefined;
  }

  #explain(error: unknown, request: FastifyRequest): ApiError {
    if (isOurs(error)) this.#onError(error, request);
    return asApiError(error);
  }
}

function refuseFromMemory(reply: FastifyReply, call: Call, balance: Balance): FastifyReply {
  call.accountId = balance.accountId;
  return sendRateRefusal(reply, balance);
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
