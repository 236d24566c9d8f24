import type { FastifyReply, FastifyRequest } from "fastify";
import type { TokenClaims } from "../accounts/browserTokens.ts";
import { ApiError } from "../contract/errors.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import type { Keyring } from "../metering/keyring.ts";
import type { Meter } from "../metering/meter.ts";
import type { Balance, FoundKey } from "../metering/store.ts";
import { sessionHash } from "../metering/typingSession.ts";
import type { BrowserCalls } from "./browserCalls.ts";
import type { Call } from "./call.ts";
import { callRequest } from "./callRequest.ts";
import type { EntityTags } from "./conditional.ts";
import { memoryOf, rememberKey } from "./connectionMemory.ts";
import type { KeyedEndpoint, PreparedCall, SandboxServices, Services } from "./endpoint.ts";
import { rateExceeded, sendError, unauthorized } from "./errorAnswers.ts";
import { keyInQuery, type RawQuery, readRawQuery } from "./input/query.ts";
import type { InputReader } from "./input/read.ts";
import type { MinuteLimiter } from "./minuteLimiter.ts";
import { repeatableOf } from "./repeating.ts";
import { asksForChange } from "./sending.ts";
import { Settling, type Worked } from "./settling.ts";
import type { Tickets } from "./tickets.ts";
import { type Rest, Working } from "./working.ts";

/** An endpoint and what reads its input. */
export interface Served {
  readonly endpoint: KeyedEndpoint;
  readonly readInput: InputReader;
}

const BEARER = /^Bearer(?: +([^ ]+) *|\s.*)?$/is;

/**
 * The one path of every call with a key: route → key → rate → input → tokens → work → settle. What is asked is looked
 * up in this process, which is cheap; one ask then decides rate and tokens together, and nothing leaves before its
 * charge is durable. Where looking up can be slow, the store is asked before as well: at the full price, charging nothing.
 */
export class Calls {
  readonly #meter: Meter;
  readonly #keyring: Keyring;
  readonly #limiter: MinuteLimiter;
  readonly #browsers: BrowserCalls;
  readonly #services: Services;
  readonly #testServices: Services;
  readonly #tickets: Tickets;
  readonly #tags: EntityTags;
  readonly #settling: Settling;
  readonly #working: Working;

  constructor(parts: {
    meter: Meter;
    keyring: Keyring;
    limiter: MinuteLimiter;
    browsers: BrowserCalls;
    services: Services;
    sandbox: SandboxServices;
    tickets: Tickets;
    tags: EntityTags;
    onError: (error: unknown, request: FastifyRequest) => void;
  }) {
    this.#meter = parts.meter;
    this.#keyring = parts.keyring;
    this.#limiter = parts.limiter;
    this.#browsers = parts.browsers;
    this.#services = parts.services;
    this.#testServices = { ...parts.services, ...parts.sandbox, isTest: true };
    this.#tickets = parts.tickets;
    this.#tags = parts.tags;
    this.#settling = new Settling({
      meter: parts.meter,
      suppressed: parts.services.suppressed,
      refuseEnded: (outcome, call, request, reply) => {
        if (outcome === "revoked") this.#keyring.forget(call.keyId);
        else this.#keyring.noteExpired(call.keyId);
        request.call = null;
        this.refuseKeyless(request, reply, unauthorized());
      },
      onError: parts.onError,
    });
    this.#working = new Working((error, request) => this.#settling.explain(error, request));
  }

  /**
   * Finds the key of a request and notes it as `request.call`; without a good one the call stays null. Done at once
   * for a key that was seen before, else when the promise is fulfilled.
   * @throws {StoreUnavailable} when the key is new here and the store is away
   */
  identify(request: FastifyRequest, operation: LedgerOperation): Promise<void> | undefined {
    const query = readRawQuery(request.raw.url ?? "");
    const { authorization } = request.headers;
    const memory = memoryOf(request.raw.socket);
    if (authorization !== undefined && authorization === memory.authorization) {
      return this.#note(memory.key, query, operation, request);
    }
    const inHeader = bearerOf(authorization);
    const presented = inHeader === undefined ? keyInQuery(query) : inHeader.key;
    if (presented === undefined) return undefined;
    const token = this.#browsers.tokenOf(presented, request);
    const noteToken = (found: TokenClaims | undefined) => {
      if (found === undefined || this.#keyring.isRefused(found.keyId)) return;
      request.call = this.#browsers.withToken(found, query, operation);
    };
    if (token instanceof Promise) return token.then(noteToken);
    if (token !== undefined) return void noteToken(token);
    const ofTicket = this.#tickets.take(presented);
    const found = ofTicket ?? this.#keyring.find(presented);
    if (found instanceof Promise) return found.then((key) => this.#note(key, query, operation, request));
    // A header of another scheme says nothing about the key in the query.
    if (found !== undefined && ofTicket === undefined && inHeader !== undefined) {
      rememberKey(memory, authorization, found);
    }
    return this.#note(found, query, operation, request);
  }

  #note(
    key: FoundKey | undefined,
    query: RawQuery,
    operation: LedgerOperation,
    request: FastifyRequest,
  ): undefined {
    if (key === undefined || this.#keyring.isRefused(key.id)) return;
    request.call = this.#browsers.withKey(key, query, operation, request);
  }

  /** Answers a call to an endpoint that needs a key. */
  answer(served: Served, request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const { call } = request;
    if (call === null) return this.refuseKeyless(request, reply, unauthorized());
    if (this.#isRefused(call, reply)) return undefined;
    const tooMany = this.#browsers.tooMany(call, request);
    if (tooMany !== undefined) return this.#settling.refuse(call, tooMany, request, reply);
    const prepared = this.#prepare(served, call, request);
    if (prepared instanceof ApiError) {
      return this.#settling.settle(call, { price: 0, result: prepared }, request, reply);
    }
    if (prepared.mayBeSlow) return this.#askFirst(call, prepared, request, reply);
    const goOn = (begun: Worked | Rest) =>
      "rest" in begun
        ? this.#askFirst(call, { ...prepared, work: () => ({ inSteps: begun.rest }) }, request, reply)
        : this.#settling.settle(call, begun, request, reply);
    const begun = this.#working.begin(prepared, request, reply);
    return begun instanceof Promise ? begun.then(goOn) : goOn(begun);
  }

  /** Answers with an error: over the key's account when a good key was presented, else over the client's address. */
  async answerError(error: ApiError, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { call } = request;
    if (call === null) return this.refuseKeyless(request, reply, error);
    if (this.#isRefused(call, reply)) return;
    const tooMany = this.#browsers.tooMany(call, request);
    if (tooMany !== undefined) return this.#settling.refuse(call, tooMany, request, reply);
    await this.#settling.settle(call, { price: 0, result: error }, request, reply);
  }

  /**
   * Takes the slot of a call that asks for nothing which has a price, filed under its operation.
   * @returns whether it may be answered; else it was, by its refusal
   */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { call } = request;
    if (call === null) {
      this.refuseKeyless(request, reply, unauthorized());
      return false;
    }
    if (this.#isRefused(call, reply)) return false;
    const asked = await this.#settling.ask(
      callRequest(call, request, { price: 0, charge: 0, hasSlot: false }),
      request,
    );
    return this.#settling.granted(asked, call, 0, request, reply) !== undefined;
  }

  /** Ends the connection of a request that can be answered no more, and tells the operator of what is ours. */
  abandon(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    this.#settling.explain(error, request);
    reply.raw.destroy();
  }

  /** An error to a caller without a good key; too many of them are refused. */
  refuseKeyless(request: FastifyRequest, reply: FastifyReply, error: ApiError): void {
    sendError(reply, this.tooManyKeyless(request) ?? error);
  }

  /** The refusal of a call without a key when its client's address made too many. */
  tooManyKeyless(request: FastifyRequest): ApiError | undefined {
    const waitSeconds = this.#limiter.refuse(request.limiterSubject);
    if (waitSeconds === undefined) return undefined;
    return new ApiError(
      "RATE_LIMIT_EXCEEDED",
      `too many calls without a good key from this address; wait ${waitSeconds} s`,
      { retryAfterSeconds: waitSeconds },
    );
  }

  /** Whether the key is known to be over its window; then the call was answered. */
  #isRefused(call: Call, reply: FastifyReply): boolean {
    const balance = this.#meter.refusedFromMemory(call.keyId, call.operation);
    if (balance === undefined) return false;
    call.balance = balance;
    sendError(reply, rateExceeded(balance));
    return true;
  }

  /** Who answers a call: of a test key the sandbox, so that nobody outside is asked and nothing real is told. */
  #servicesOf({ keyKind }: Call): Services {
    return keyKind === "test" ? this.#testServices : this.#services;
  }

  /** A call whose input is good, else what is wrong with it: bad input is told before any price is asked. */
  #prepare({ endpoint, readInput }: Served, call: Call, request: FastifyRequest): PreparedCall | ApiError {
    const barred = this.#browsers.barBefore(call, request);
    if (barred !== undefined) return barred;
    try {
      const prepared = endpoint.prepare(readInput(request, call.query), this.#servicesOf(call), call);
      call.operation = prepared.operation;
      if (prepared.session !== undefined) call.session = sessionHash(prepared.session);
      const beyond = this.#browsers.barAfter(call, prepared);
      if (beyond !== undefined) return beyond;
      this.#noteRepeated(endpoint, prepared, call, request);
      return prepared;
    } catch (error) {
      return this.#settling.explain(error, request);
    }
  }

  /** Notes what the headers of a call ask of its answer. @throws {ApiError} for an `Idempotency-Key` that is none */
  #noteRepeated(endpoint: KeyedEndpoint, { price }: PreparedCall, call: Call, request: FastifyRequest): void {
    // A tool's result is never left out: there is no 304 of it.
    if (endpoint.isConditional && call.receiver === undefined) call.tags = this.#tags;
    const once = repeatableOf(request, call);
    if (once === undefined) return;
    if (price > 0) call.once = once;
    else call.onceId = once.id;
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
  ): Promise<void> {
    // An answer that the client holds already costs nothing, so the price is asked when it turns out to be another one.
    const price = asksForChange(call, request) ? 0 : prepared.price;
    const asked = await this.#settling.ask(
      callRequest(call, request, { price, charge: 0, hasSlot: false }),
      request,
    );
    const goOn = async (before: Balance, isPaid?: true) => {
      const worked = await this.#working.whole(prepared, request, reply);
      await this.#settling.settle(call, { ...worked, before, ...(isPaid && { isPaid }) }, request, reply);
    };
    try {
      if ("outcome" in asked && asked.outcome === "repeated") {
        await this.#settling.replay(asked, call, request, reply, (before) => goOn(before, true));
        return;
      }
      const before = this.#settling.granted(asked, call, price, request, reply);
      if (before !== undefined) await goOn(before);
    } catch (error) {
      sendError(reply, this.#settling.explain(error, request));
    }
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
