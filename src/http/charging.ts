import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../contract/errors.ts";
import { known } from "../lib/values.ts";
import type { WhenPaid } from "../lookup/answer.ts";
import type { ReplayedResponse } from "../metering/responses.ts";
import type { Balance, CallRequest, Decision } from "../metering/store.ts";
import type { Call } from "./call.ts";
import { matchesTag, tagsIn } from "./conditional.ts";
import type { Delivered, PreparedCall } from "./endpoint.ts";
import { asApiError, isOurs, refusalOf, simulatedRefusal } from "./errors.ts";
import {
  cannotStore,
  conflict,
  replayedText,
  requestHash,
  storedResponse,
  withdrawn,
} from "./idempotency.ts";
import type { AppParts } from "./parts.ts";
import type { Outcome, Response } from "./sending.ts";

/** Longer than any work may take. An older reservation was abandoned, and its tokens are released. */
const RESERVATION_LIFETIME_MS = 120_000;

type ChargingParts = Pick<AppParts, "meter" | "tags" | "services"> & {
  readonly onError: (error: unknown, request: FastifyRequest) => void;
};

/** The key of a call is revoked or expired in the store. */
export class KeyEnded extends Error {
  readonly ended: "revoked" | "expired";

  constructor(ended: KeyEnded["ended"]) {
    super(`the key is ${ended}`);
    this.name = "KeyEnded";
    this.ended = ended;
  }
}

/** How the response of an endpoint is written. */
export interface ResponseFormat {
  /** Writes a body by the endpoint's schema. */
  readonly serialize: (body: object) => string;
  /** Whether responses have an entity tag and an unchanged one gets 304. */
  readonly isConditional: boolean;
  /** Headers of every successful response. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A call whose work begins. */
interface StartedCall {
  readonly call: Call;
  readonly format: ResponseFormat;
  /** The full price. */
  readonly price: number;
  /** The balance if the store was asked before the work. The call is then already counted in the rate window. */
  readonly balanceBefore?: Balance;
  /** An earlier call with the same `Idempotency-Key` was charged, so this one is free. */
  readonly isPaid?: boolean;
}

/** Finished work: a serialised response, or an error, which is free. */
interface Finished {
  readonly outcome: Outcome;
  readonly charge: number;
}

/**
 * The store allowed the call. With `stored` an earlier call was charged, and its response is replayed free of charge.
 */
interface Allowed {
  readonly balance: Balance;
  readonly stored?: ReplayedResponse;
}

/**
 * Charges calls. Nothing is sent before its charge is durable. The kind of work decides the order:
 * - Fast work is done first. Then one request to the store decides the call and charges it.
 * - For slow work and free calls (`checksFirst`), the store first checks that the price is covered. The charge follows
 * the work.
 * - For paid work (calls to an upstream, corrections of several words), the price is reserved first and settled after
 * the work.
 *
 * Every method that asks the store throws (rejects with) an {@link ApiError} or {@link KeyEnded} when the store refuses
 * the call, or its error.
 */
export class Charging {
  readonly #parts: ChargingParts;

  constructor(parts: ChargingParts) {
    this.#parts = parts;
  }

  /** Does the work of a call and charges it. */
  async answer(
    call: Call,
    format: ResponseFormat,
    { price, checksFirst, work }: PreparedCall,
  ): Promise<Outcome> {
    if (!checksFirst) return this.#workThenCharge({ call, format, price }, work);
    // An unchanged response is free, so the price is only required if the response is different.
    const mayBeUnchanged = format.isConditional && tagsIn(call.request.headers["if-none-match"]).length > 0;
    const covered = mayBeUnchanged ? 0 : price;
    const { balance, stored } = await this.#decideCall(call, { price: covered, charge: 0, isCounted: false });
    const started = { call, format, price, balanceBefore: balance, isPaid: stored !== undefined };
    return (await this.#replayed(started, stored)) ?? this.#workThenCharge(started, () => work(balance));
  }

  /** Counts a free call towards the rate limit. */
  async admit(call: Call): Promise<void> {
    await this.#decideCall(call, { price: 0, charge: 0, isCounted: false });
  }

  /** Records the refusal of a client over its limit, without counting it in the key's rate window. */
  async recordRefusal(call: Call): Promise<void> {
    const { keyId, isTest, operation } = call;
    await this.#decide(call, 0, this.#parts.meter.countRefusal({ keyId, isTest, operation }));
  }

  /** Returns an error as the caller may see it, and reports it if it is the service's fault. */
  explain(error: unknown, { request }: Call): ApiError {
    if (isOurs(error)) this.#parts.onError(error, request);
    return asApiError(error);
  }

  /** Runs the handler and charges its response, or pays for its work. */
  async #workThenCharge(started: StartedCall, work: PreparedCall["work"]): Promise<Outcome> {
    const result = await this.#attempt(started.call, work);
    if (!("whenPaid" in result)) return this.#charge(started, this.#finish(started, result));
    return started.isPaid ? withdrawn() : this.#reserveAndSettle(started, result);
  }

  /** Charges finished work, unless it is free. */
  async #charge(started: StartedCall, { outcome, charge: fullCharge }: Finished): Promise<Outcome> {
    const { call, price, balanceBefore, isPaid = false } = started;
    const isFree = isPaid || (!(outcome instanceof ApiError) && outcome.isUnchanged === true);
    const charge = isFree ? 0 : fullCharge;
    const outcomeAt = (balance: Balance) =>
      outcome instanceof ApiError && price > 0 ? simulatedRefusal(outcome, price, balance, call) : outcome;
    if (balanceBefore !== undefined && charge === 0) return outcomeAt(balanceBefore);
    const { balance, stored } = await this.#decideCall(call, {
      price: isFree ? 0 : price,
      charge,
      isCounted: balanceBefore !== undefined,
      ...(await responseToStore(call, outcome, charge)),
    });
    return (await this.#replayed(started, stored)) ?? outcomeAt(balance);
  }

  /** Reserves the price, does paid work and settles. */
  async #reserveAndSettle(started: StartedCall, { whenPaid }: WhenPaid<Delivered>): Promise<Outcome> {
    const { call, price, balanceBefore } = started;
    const { meter } = this.#parts;
    const reservationId = randomUUID();
    const reservation = {
      price,
      isCounted: balanceBefore !== undefined,
      reservationId,
      lifetimeMs: RESERVATION_LIFETIME_MS,
    };
    const reserved = await this.#decide(
      call,
      price,
      meter.decide({ kind: "reserve", ...requestOf(call), ...reservation }),
    );
    if (reserved.stored !== undefined) return (await this.#replayed(started, reserved.stored)) ?? withdrawn();
    const result = await this.#attempt(call, () => whenPaid(reserved.balance));
    const { outcome, charge } = this.#finish(started, result);
    const { keyId, isTest, session } = call;
    const settlement = { keyId, isTest, reservationId, charge, ...known("session", session) };
    const toStore = await responseToStore(call, outcome, charge);
    const settled = await this.#decide(
      call,
      price,
      meter.decide({ kind: "settle", ...settlement, ...toStore }),
    );
    // It has been paid for, so it is sent even if the client already has it.
    const paid = outcome instanceof ApiError ? outcome : { ...outcome, isUnchanged: false };
    return (await this.#replayed(started, settled.stored)) ?? paid;
  }

  /** Does work and returns its error as a result. */
  async #attempt<T>(call: Call, work: () => T | Promise<T>): Promise<T | ApiError> {
    try {
      return await work();
    } catch (error) {
      return this.explain(error, call);
    }
  }

  /** Serialises a result before it is charged, so that nothing can fail after the charge. */
  #finish(started: StartedCall, result: Delivered | ApiError): Finished {
    if (result instanceof ApiError) return { outcome: result, charge: 0 };
    const { status = 200, headers, body, isUnchanged, charge } = result;
    const response = { status, headers: { ...started.format.headers, ...headers } };
    if (isUnchanged) return { outcome: { ...response, body: "", isUnchanged }, charge };
    if (body instanceof Readable) return { outcome: { ...response, body }, charge };
    try {
      const text = started.format.serialize(body);
      return { outcome: { ...response, ...this.#tagged(started, text) }, charge };
    } catch (error) {
      return { outcome: this.explain(error, started.call), charge: 0 };
    }
  }

  /** Adds the entity tag of a body, and whether the client already has that body. */
  #tagged({ call, format }: StartedCall, body: string) {
    if (!format.isConditional) return { body };
    const tag = this.#parts.tags.tagOf(call.keyId + requestHash(call), body);
    if (tag === undefined) return { body };
    return { body, tag, isUnchanged: matchesTag(call.request.headers["if-none-match"], tag) };
  }

  /** Returns a stored response; undefined without one, or when it contains a company that is now suppressed. */
  async #replayed(started: StartedCall, stored: ReplayedResponse | undefined): Promise<Response | undefined> {
    const text = stored && (await replayedText(stored, this.#parts.services.suppressed));
    if (text === undefined) return undefined;
    const { headers } = started.format;
    return { status: 200, ...(headers && { headers }), ...this.#tagged(started, text), isReplayed: true };
  }

  /** Decides a call in one request, without a reservation. */
  #decideCall(
    call: Call,
    amounts: Pick<CallRequest, "price" | "charge" | "isCounted" | "idempotency">,
  ): Promise<Allowed> {
    return this.#decide(
      call,
      amounts.price,
      this.#parts.meter.decide({ kind: "call", ...requestOf(call), ...amounts }),
    );
  }

  /** Waits for a decision of the store, and notes its balance and charge in the call. */
  async #decide(call: Call, price: number, decided: Promise<Decision>): Promise<Allowed> {
    const decision = await decided;
    if (decision.outcome === "revoked" || decision.outcome === "expired")
      throw new KeyEnded(decision.outcome);
    const { balance } = decision;
    call.balance = balance;
    call.tokens = decision.outcome === "granted" ? decision.charged : 0;
    switch (decision.outcome) {
      case "granted":
        return { balance };
      case "repeated":
        return { balance, stored: decision.response };
      case "conflict":
        throw conflict(decision, RESERVATION_LIFETIME_MS);
      case "full":
        throw cannotStore(decision);
      default:
        throw refusalOf(decision, price, call);
    }
  }
}

/** Returns the response to store with the charge, for a call with an `Idempotency-Key`. */
async function responseToStore({ idempotency }: Call, outcome: Outcome, charge: number) {
  if (idempotency === undefined || charge === 0 || outcome instanceof ApiError) return undefined;
  return typeof outcome.body === "string"
    ? { idempotency: await storedResponse(idempotency, outcome.body) }
    : undefined;
}

/**
 * Returns the fields of a call for the store. A key's IP restriction applies to the server that creates tokens, not to
 * the browsers that use them.
 */
function requestOf({ keyId, isTest, operation, request, browser, token, session, idempotency }: Call) {
  return {
    keyId,
    isTest,
    operation,
    address: request.clientAddress,
    browser,
    ...(token !== undefined && { skipIpCheck: true }),
    ...known("session", session),
    ...known("idempotency", idempotency),
  };
}
