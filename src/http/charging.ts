import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { ApiError } from "../contract/errors.ts";
import type { ReplayedResponse } from "../metering/responses.ts";
import type { Balance, CallRequest, Decision } from "../metering/store.ts";
import type { Call } from "./call.ts";
import { matchesTag } from "./conditional.ts";
import type { Delivered, PaidWork, PreparedCall } from "./endpoint.ts";
import { refusalOf, simulatedRefusal } from "./errors.ts";
import { cannotStore, conflict, replayedText, storedResponse, withdrawn } from "./idempotency.ts";
import type { AppParts } from "./parts.ts";
import type { Outcome } from "./sending.ts";

/** Longer than any work may take. An older reservation was abandoned, and its tokens are released. */
const RESERVED_FOR_MS = 120_000;

type ChargingParts = Pick<AppParts, "meter" | "tags" | "services"> & {
  /** Returns the error for a key that is revoked or expired in the store. */
  readonly refusalOfEnded: (ended: "revoked" | "expired", call: Call) => ApiError;
  /** Returns an error as the caller may see it, and reports it if it is the service's fault. */
  readonly explain: (error: unknown, call: Call) => ApiError;
};

/** How the response of an endpoint is written. */
export interface ResponseFormat {
  /** Writes a body by the endpoint's schema. */
  readonly serialize: (body: object) => string;
  /** Whether responses have an entity tag and an unchanged one gets 304. */
  readonly isConditional: boolean;
}

/** The store allowed the call. With `stored` it is a replay and nothing was charged. */
interface Allowed {
  readonly balance: Balance;
  readonly stored?: ReplayedResponse;
}

/** Finished work: its response, or its error, which is free. */
interface Finished {
  readonly outcome: Outcome;
  readonly charge: number;
}

/** A call whose work has begun. */
interface StartedCall {
  readonly call: Call;
  readonly format: ResponseFormat;
  /** The full price. */
  readonly price: number;
  /** Set if the store was asked before the work: the call is already counted in the rate window. */
  readonly balanceBefore?: Balance;
  /** The call was paid for before, so it may be answered again free of charge. */
  readonly isPaid?: boolean;
}

/**
 * Charges calls. Nothing is delivered before its charge is durable:
 * - If this process can answer quickly, it makes the response first. One request to the store then decides rate and tokens together.
 * - For slow work and free calls (`checksFirst`), the store first checks that the full price is covered; the charge follows after the work.
 * - For paid work, which needs an upstream or takes long, the full price is reserved first and settled before the response is sent.
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
    if (!checksFirst) return this.#work({ call, format, price }, () => work());
    // An unchanged response is free, so the price is only required if the response is different.
    const mayBeCached = format.isConditional && call.request.headers["if-none-match"] !== undefined;
    const allowed = await this.#decideCall(call, {
      price: mayBeCached ? 0 : price,
      charge: 0,
      isCounted: false,
    });
    if (allowed instanceof ApiError) return allowed;
    const { balance: balanceBefore, stored } = allowed;
    const proceed = (isPaid: boolean) =>
      this.#work({ call, format, price, balanceBefore, isPaid }, () => work(balanceBefore));
    return stored === undefined ? proceed(false) : this.#replay(call, format, stored, () => proceed(true));
  }

  /** Counts a free call towards the rate limit. @returns the refusal; undefined if the call may proceed */
  async admit(call: Call): Promise<ApiError | undefined> {
    const allowed = await this.#decideCall(call, { price: 0, charge: 0, isCounted: false });
    return allowed instanceof ApiError ? allowed : undefined;
  }

  /** Records the refusal of a client over its limit, without counting it in the key's rate window. */
  async refuse(call: Call, error: ApiError): Promise<ApiError> {
    const { keyId, isTest, operation } = call;
    const { meter } = this.#parts;
    const counted = await this.#decided(call, 0, () => meter.countRefusal({ keyId, isTest, operation }));
    return counted instanceof ApiError ? counted : error;
  }

  /** Runs the handler. Charges its response; if it returns paid work, reserves the price, runs that work and settles. */
  async #work(started: StartedCall, work: PreparedCall["work"]): Promise<Outcome> {
    const { call, format, price, balanceBefore, isPaid = false } = started;
    const result = await this.#attempt(call, work);
    if ("paidWork" in result) return isPaid ? withdrawn() : this.#reserveAndWork(started, result);
    const { outcome, charge: fullCharge } = this.#finish(call, format, result);
    const isFree = isPaid || (!(outcome instanceof ApiError) && outcome.isUnchanged === true);
    const charge = isFree ? 0 : fullCharge;
    const outcomeAt = (balance: Balance) =>
      outcome instanceof ApiError && price > 0 ? simulatedRefusal(outcome, price, balance, call) : outcome;
    if (balanceBefore !== undefined && charge === 0) return outcomeAt(balanceBefore);
    const allowed = await this.#decideCall(call, {
      price: isFree ? 0 : price,
      charge,
      isCounted: balanceBefore !== undefined,
      ...(await responseToStore(call, outcome, charge)),
    });
    if (allowed instanceof ApiError) return allowed;
    const { balance, stored } = allowed;
    if (stored === undefined) return outcomeAt(balance);
    return this.#replay(call, format, stored, async () => outcomeAt(balance));
  }

  async #reserveAndWork(
    { call, format, price, balanceBefore }: StartedCall,
    { paidWork }: PaidWork,
  ): Promise<Outcome> {
    const { meter } = this.#parts;
    const reservationId = randomUUID();
    const reservation = {
      price,
      isCounted: balanceBefore !== undefined,
      reservationId,
      lifetimeMs: RESERVED_FOR_MS,
    };
    const reserved = await this.#decided(call, price, () =>
      meter.decide({ kind: "reserve", ...requestOf(call), ...reservation }),
    );
    if (reserved instanceof ApiError) return reserved;
    if (reserved.stored !== undefined) {
      return this.#replay(call, format, reserved.stored, async () => withdrawn());
    }
    const result = await this.#attempt(call, () => paidWork(reserved.balance.accountId));
    const { outcome, charge } = this.#finish(call, format, result);
    const toStore = await responseToStore(call, outcome, charge);
    const { keyId, isTest, session } = call;
    const ofSession = session !== undefined && { session };
    const settled = await this.#decided(call, price, () =>
      meter.decide({ kind: "settle", keyId, isTest, reservationId, charge, ...ofSession, ...toStore }),
    );
    if (settled instanceof ApiError) return settled;
    // It has been paid for, so it is sent even if the client already has it.
    const paid = outcome instanceof ApiError ? outcome : { ...outcome, isUnchanged: false };
    const { stored } = settled;
    return stored === undefined ? paid : this.#replay(call, format, stored, async () => paid);
  }

  /** Does work and returns its error as a result. */
  async #attempt<T>(call: Call, work: () => T | Promise<T>): Promise<T | ApiError> {
    try {
      return await work();
    } catch (error) {
      return this.#parts.explain(error, call);
    }
  }

  /** Serialises a result before it is charged, so that nothing can fail after the charge. */
  #finish(call: Call, format: ResponseFormat, result: Delivered | ApiError): Finished {
    if (result instanceof ApiError) return { outcome: result, charge: 0 };
    const { status = 200, headers, body, isNothing, charge } = result;
    const plain = { status, ...(headers && { headers }) };
    if (body instanceof Readable) return { outcome: { ...plain, body }, charge };
    try {
      const tagged = this.#tagged(call, format, format.serialize(body), isNothing);
      return { outcome: { ...plain, ...tagged }, charge };
    } catch (error) {
      return { outcome: this.#parts.explain(error, call), charge: 0 };
    }
  }

  /** Adds the entity tag of a body, and whether the client already has that body. */
  #tagged({ request }: Call, { isConditional }: ResponseFormat, body: string, isNothing = false) {
    const tag = isConditional ? this.#parts.tags.tagOf(body) : undefined;
    if (tag === undefined) return { body };
    return { body, tag, isUnchanged: !isNothing && matchesTag(request.headers["if-none-match"], tag) };
  }

  /** Returns a stored response, or the result of `otherwise` when it contains a company that is now suppressed. */
  async #replay(
    call: Call,
    format: ResponseFormat,
    stored: ReplayedResponse,
    otherwise: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const text = await this.#attempt(call, () => replayedText(stored, this.#parts.services.suppressed));
    if (text === undefined) return otherwise();
    if (text instanceof ApiError) return text;
    return { status: 200, ...this.#tagged(call, format, text), isReplayed: true };
  }

  /** Gets the decision on a call that this process answers itself. */
  #decideCall(
    call: Call,
    amounts: Pick<CallRequest, "price" | "charge" | "isCounted" | "idempotency">,
  ): Promise<Allowed | ApiError> {
    return this.#decided(call, amounts.price, () =>
      this.#parts.meter.decide({ kind: "call", ...requestOf(call), ...amounts }),
    );
  }

  /** Gets the store's decision and records it with the call. */
  async #decided(call: Call, price: number, decide: () => Promise<Decision>): Promise<Allowed | ApiError> {
    const decision = await this.#attempt(call, decide);
    if (decision instanceof ApiError) return decision;
    if (decision.outcome === "revoked" || decision.outcome === "expired") {
      return this.#parts.refusalOfEnded(decision.outcome, call);
    }
    const { balance } = decision;
    call.balance = balance;
    call.tokens = decision.outcome === "granted" ? decision.charged : 0;
    if (decision.outcome === "granted") return { balance };
    if (decision.outcome === "repeated") return { balance, stored: decision.response };
    if (decision.outcome === "conflict") return conflict(decision, RESERVED_FOR_MS);
    if (decision.outcome === "full") return cannotStore(decision);
    return refusalOf(decision, price, call);
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
 * Returns the fields of a call for the store. A key's IP restriction applies to the server that creates tokens, not to the
 * browsers that use them.
 */
function requestOf({ keyId, isTest, operation, request, browser, token, session, idempotency }: Call) {
  return {
    keyId,
    isTest,
    operation,
    address: request.clientAddress,
    browser,
    ...(token !== undefined && { skipIpCheck: true }),
    ...(session !== undefined && { session }),
    ...(idempotency !== undefined && { idempotency }),
  };
}
