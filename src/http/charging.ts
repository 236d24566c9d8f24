import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../contract/errors.ts";
import type { Suppressed } from "../lookup/suppression/suppressed.ts";
import type { Meter } from "../metering/meter.ts";
import type { KeptAnswer } from "../metering/responses.ts";
import type { Balance, CallRequest, ChargeRequest } from "../metering/store.ts";
import { type Call, testMark } from "./call.ts";
import { type EntityTags, isHeld } from "./conditional.ts";
import type { Delivered, HandlerResult, PaidWork, PreparedCall } from "./endpoint.ts";
import { refusalOf, simulatedRefusal } from "./errors.ts";
import { cannotStore, conflict, replayedText, storedResponse, withdrawn } from "./idempotency.ts";
import type { Outcome, Response } from "./sending.ts";

/** Longer than any work may take: a reservation that is older was abandoned, and its tokens are given back. */
const RESERVED_FOR_MS = 120_000;

export interface ChargingParts {
  readonly meter: Meter;
  readonly suppressed: Suppressed;
  /** The refusal of a call whose key the store knows as revoked or expired. */
  readonly refusalOfEnded: (ended: "revoked" | "expired", call: Call, request: FastifyRequest) => ApiError;
  /** An error as the caller may see it. Reports those that are ours. */
  readonly explain: (error: unknown, request: FastifyRequest) => ApiError;
}

/** A call, its request, and how its response is written. */
export interface Charged {
  readonly call: Call;
  readonly request: FastifyRequest;
  /** Writes a body by the endpoint's schema. */
  readonly serialize: (body: object) => string;
  /** Makes the entity tag of the response; absent where it has none. */
  readonly tags: EntityTags | undefined;
}

/** The store let the call in. With `stored` the call was answered before, and nothing was charged. */
interface LetIn {
  readonly balance: Balance;
  readonly stored?: KeptAnswer;
}

/** The work of a call, and what is known of its charge. */
interface Worked {
  /** The full price, 0 when the input was bad. */
  readonly price: number;
  readonly result: HandlerResult | ApiError;
  /** The store was asked before the work: the call has its slot in the rate window. */
  readonly before?: Balance;
  /** It was paid for once, and may be answered again for nothing. */
  readonly isPaid?: boolean;
}

/**
 * Charges calls. Nothing is delivered before its charge is durable:
 * - An answer from this process is made first; one request to the store then decides rate and tokens together.
 * - Where making it can be slow, and for free calls, the store is asked before: at the full price, charging nothing.
 * - Work that asks an upstream begins when its full price is reserved, and is settled before the answer leaves.
 */
export class Charging {
  readonly #meter: Meter;
  readonly #suppressed: Suppressed;
  readonly #refusalOfEnded: ChargingParts["refusalOfEnded"];
  readonly #explain: ChargingParts["explain"];

  constructor({ meter, suppressed, refusalOfEnded, explain }: ChargingParts) {
    this.#meter = meter;
    this.#suppressed = suppressed;
    this.#refusalOfEnded = refusalOfEnded;
    this.#explain = explain;
  }

  /** Does the work of a call and charges it. */
  async answer(charged: Charged, prepared: PreparedCall): Promise<Outcome> {
    if (prepared.asksFirst) return this.#admitAndWork(charged, prepared);
    const result = await this.#work(charged, () => prepared.work());
    return this.#settle(charged, { price: prepared.price, result });
  }

  /** Takes the slot of a call that fails before any work. */
  async fail(charged: Charged, error: ApiError): Promise<Outcome> {
    return this.#settle(charged, { price: 0, result: error });
  }

  /** Takes the slot of a call that has no price. @returns the refusal, undefined when the call may go on */
  async admit(call: Call, request: FastifyRequest): Promise<ApiError | undefined> {
    const asked = callRequest(call, request, { price: 0, charge: 0, hasSlot: false });
    const letIn = await this.#ask(call, request, 0, asked);
    return letIn instanceof ApiError ? letIn : undefined;
  }

  /** Counts a call that is one too many of its client; it takes no slot. */
  async refuse(call: Call, request: FastifyRequest, error: ApiError): Promise<ApiError> {
    const { keyId, operation } = call;
    const counted = await this.#decided(call, request, 0, () =>
      this.#meter.countRefusal({ keyId, isTest: testMark(call), operation }),
    );
    return counted instanceof ApiError ? counted : error;
  }

  async #admitAndWork(charged: Charged, { price, work }: PreparedCall): Promise<Outcome> {
    const { call, request } = charged;
    // An answer that the client holds costs nothing, so the price is asked when it turns out to be another one.
    const covered = asksForChange(charged) ? 0 : price;
    const asked = callRequest(call, request, { price: covered, charge: 0, hasSlot: false });
    const letIn = await this.#ask(call, request, covered, asked);
    if (letIn instanceof ApiError) return letIn;
    const { balance: before } = letIn;
    const goOn = async (isPaid: boolean) => {
      const admitted = { balance: before, idempotencyId: call.idempotencyId };
      const result = await this.#work(charged, () => work(admitted));
      return this.#settle(charged, { price, result, before, isPaid });
    };
    return letIn.stored === undefined ? goOn(false) : this.#replay(charged, letIn.stored, () => goOn(true));
  }

  /** Does work. What it throws is its result. */
  async #work<T>({ request }: Pick<Charged, "request">, work: () => T | Promise<T>): Promise<T | ApiError> {
    try {
      return await work();
    } catch (error) {
      return this.#explain(error, request);
    }
  }

  /** Charges an answer, or reserves and does paid work. */
  async #settle(charged: Charged, worked: Worked): Promise<Outcome> {
    const { call, request } = charged;
    const { price, result, before, isPaid = false } = worked;
    if ("paidWork" in result) return isPaid ? withdrawn() : this.#reserveAndWork(charged, worked, result);
    const outcome = result instanceof ApiError ? result : this.#written(charged, result);
    const isUnchanged = !(outcome instanceof ApiError) && outcome.isUnchanged === true;
    const isFree = isPaid || isUnchanged;
    const charge = isFree || outcome instanceof ApiError || result instanceof ApiError ? 0 : result.charge;
    const outcomeAt = (balance: Balance) =>
      outcome instanceof ApiError && price > 0 ? simulatedRefusal(outcome, price, balance, call) : outcome;
    if (before !== undefined && charge === 0) return outcomeAt(before);
    const covered = isFree ? 0 : price;
    const asked = callRequest(call, request, { price: covered, charge, hasSlot: before !== undefined });
    const keep = await this.#toStore(call, outcome, charge);
    const letIn = await this.#ask(call, request, covered, { ...asked, ...(keep && { keep }) });
    if (letIn instanceof ApiError) return letIn;
    const { balance, stored } = letIn;
    return stored === undefined
      ? outcomeAt(balance)
      : this.#replay(charged, stored, async () => outcomeAt(balance));
  }

  async #reserveAndWork(
    charged: Charged,
    { price, before }: Worked,
    { paidWork }: PaidWork,
  ): Promise<Outcome> {
    const { call, request } = charged;
    const { keyId, operation, idempotency } = call;
    const key = { keyId, isTest: testMark(call) };
    const reservationId = randomUUID();
    const reserved = await this.#ask(call, request, price, {
      kind: "reserve",
      ...key,
      operation,
      price,
      reservationId,
      lifetimeMs: RESERVED_FOR_MS,
      hasSlot: before !== undefined,
      ...originOf(call, request),
      ...(idempotency !== undefined && { keep: idempotency }),
    });
    if (reserved instanceof ApiError) return reserved;
    if (reserved.stored !== undefined) {
      return this.#replay(charged, reserved.stored, async () => withdrawn());
    }
    const result = await this.#work(charged, () => paidWork(reserved.balance.accountId));
    const outcome = result instanceof ApiError ? result : this.#written(charged, result);
    const charge = outcome instanceof ApiError || result instanceof ApiError ? 0 : result.charge;
    const keep = await this.#toStore(call, outcome, charge);
    const { session } = call;
    const settled = await this.#ask(call, request, price, {
      kind: "settle",
      ...key,
      reservationId,
      charge,
      ...(session !== undefined && { session }),
      ...(keep && { keep }),
    });
    if (settled instanceof ApiError) return settled;
    const { stored } = settled;
    // It was paid for, so it is sent also where the client holds it.
    const paid = outcome instanceof ApiError ? outcome : { ...outcome, isUnchanged: false };
    return stored === undefined ? paid : this.#replay(charged, stored, async () => paid);
  }

  /** An answer as it is sent: written before it is charged, so that nothing can fail afterwards. */
  #written(charged: Charged, { status = 200, headers, body, isNothing }: Delivered): Outcome {
    const plain = { status, ...(headers && { headers }) };
    if (body instanceof Readable) return { ...plain, body };
    try {
      return { ...plain, ...tagged(charged, charged.serialize(body), isNothing) };
    } catch (error) {
      return this.#explain(error, charged.request);
    }
  }

  /** The response that the store keeps with a charge, for a call with an `Idempotency-Key`. */
  async #toStore({ idempotency }: Call, outcome: Outcome, charge: number) {
    if (idempotency === undefined || charge === 0 || outcome instanceof ApiError) return undefined;
    return typeof outcome.body === "string" ? storedResponse(idempotency, outcome.body) : undefined;
  }

  /** Answers with a stored response; `otherwise` where it shows somebody who is now suppressed. */
  async #replay(charged: Charged, stored: KeptAnswer, otherwise: () => Promise<Outcome>): Promise<Outcome> {
    const text = await this.#work(charged, () => replayedText(stored, this.#suppressed));
    if (text === undefined) return otherwise();
    if (text instanceof ApiError) return text;
    return { status: 200, ...tagged(charged, text), isReplayed: true };
  }

  #ask(call: Call, request: FastifyRequest, price: number, ask: ChargeRequest): Promise<LetIn | ApiError> {
    return this.#decided(call, request, price, () => this.#meter.decide(ask));
  }

  /** The store's decision, noted with the call: it is let in, or refused. */
  async #decided(
    call: Call,
    request: FastifyRequest,
    price: number,
    decide: () => ReturnType<Meter["decide"]>,
  ): Promise<LetIn | ApiError> {
    const decision = await this.#work({ request }, decide);
    if (decision instanceof ApiError) return decision;
    if (decision.outcome === "revoked" || decision.outcome === "expired") {
      return this.#refusalOfEnded(decision.outcome, call, request);
    }
    const { balance } = decision;
    call.balance = balance;
    call.tokens = decision.outcome === "granted" ? decision.charged : 0;
    if (decision.outcome === "granted") return { balance };
    if (decision.outcome === "repeated") return { balance, stored: decision.kept };
    if (decision.outcome === "conflict") return conflict(decision, RESERVED_FOR_MS);
    if (decision.outcome === "full") return cannotStore(decision);
    return refusalOf(decision, price, call, request);
  }
}

/** Whether the caller wants the answer only when it is another one than it holds. */
function asksForChange({ tags, request }: Charged): boolean {
  return tags !== undefined && request.headers["if-none-match"] !== undefined;
}

/** A body with its entity tag, and whether the client holds it. */
function tagged(
  { tags, request }: Charged,
  body: string,
  isNothing?: boolean,
): Pick<Response, "body"> & Partial<Response> {
  const tag = tags?.of(body);
  if (tag === undefined) return { body };
  return { body, tag, isUnchanged: isNothing !== true && isHeld(request.headers["if-none-match"], tag) };
}

/** A request to the store for a call that is answered from this process. */
function callRequest(
  call: Call,
  request: FastifyRequest,
  amounts: Pick<CallRequest, "price" | "charge" | "hasSlot">,
): CallRequest {
  const { keyId, operation, idempotency } = call;
  return {
    kind: "call",
    keyId,
    isTest: testMark(call),
    operation,
    ...amounts,
    ...originOf(call, request),
    ...(idempotency !== undefined && { keep: idempotency }),
  };
}

/** Where a call comes from. The networks that a key allows bind the server that makes tokens, not the pages that use them. */
function originOf(
  { browser, token, session }: Call,
  { clientAddress: address }: FastifyRequest,
): Pick<CallRequest, "address" | "browser" | "skipIpCheck" | "session"> {
  return {
    address,
    browser,
    ...(token !== undefined && { skipIpCheck: true }),
    ...(session !== undefined && { session }),
  };
}
