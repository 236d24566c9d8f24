import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { ApiError } from "../contract/errors.ts";
import type { KeptAnswer } from "../metering/responses.ts";
import type { Balance, CallRequest, Decision } from "../metering/store.ts";
import type { Call } from "./call.ts";
import { isHeld } from "./conditional.ts";
import type { Delivered, PaidWork, PreparedCall } from "./endpoint.ts";
import { refusalOf, simulatedRefusal } from "./errors.ts";
import { cannotStore, conflict, replayedText, storedResponse, withdrawn } from "./idempotency.ts";
import type { AppParts } from "./parts.ts";
import type { Outcome } from "./sending.ts";

/** Longer than any work may take: a reservation that is older was abandoned, and its tokens are given back. */
const RESERVED_FOR_MS = 120_000;

type ChargingParts = Pick<AppParts, "meter" | "tags" | "services"> & {
  /** The refusal of a call whose key the store knows as revoked or expired. */
  readonly refusalOfEnded: (ended: "revoked" | "expired", call: Call) => ApiError;
  /** An error as the caller may see it. Reports those that are ours. */
  readonly explain: (error: unknown, call: Call) => ApiError;
};

/** How the response to a call is written. */
export interface Written {
  /** Writes a body by the endpoint's schema. */
  readonly serialize: (body: object) => string;
  /** Whether responses have an entity tag, and one that the client holds is not sent again. */
  readonly isConditional: boolean;
}

/** The store let the call in. With `stored` the call was answered before, and nothing was charged. */
interface LetIn {
  readonly balance: Balance;
  readonly stored?: KeptAnswer;
}

/** Work that is done: its response, or the error that it failed with, which costs nothing. */
interface Done {
  readonly outcome: Outcome;
  readonly charge: number;
}

/** A call whose work has begun. */
interface Begun {
  readonly call: Call;
  readonly written: Written;
  /** The full price. */
  readonly price: number;
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
  readonly #parts: ChargingParts;

  constructor(parts: ChargingParts) {
    this.#parts = parts;
  }

  /** Does the work of a call and charges it. */
  async answer(call: Call, written: Written, { price, asksFirst, work }: PreparedCall): Promise<Outcome> {
    if (!asksFirst) return this.#work({ call, written, price }, () => work());
    // A response that the client holds costs nothing, so the price is asked when it turns out to be another one.
    const mayBeHeld = written.isConditional && call.request.headers["if-none-match"] !== undefined;
    const letIn = await this.#ask(call, { price: mayBeHeld ? 0 : price, charge: 0, hasSlot: false });
    if (letIn instanceof ApiError) return letIn;
    const { balance: before, stored } = letIn;
    const goOn = (isPaid: boolean) =>
      this.#work({ call, written, price, before, isPaid }, () => work(before));
    return stored === undefined ? goOn(false) : this.#replay(call, written, stored, () => goOn(true));
  }

  /** Takes the slot of a call that has no price. @returns the refusal, undefined when the call may go on */
  async admit(call: Call): Promise<ApiError | undefined> {
    const letIn = await this.#ask(call, { price: 0, charge: 0, hasSlot: false });
    return letIn instanceof ApiError ? letIn : undefined;
  }

  /** Counts a call that is one too many of its client; it takes no slot. */
  async refuse(call: Call, error: ApiError): Promise<ApiError> {
    const { keyId, isTest, operation } = call;
    const { meter } = this.#parts;
    const counted = await this.#decided(call, 0, () => meter.countRefusal({ keyId, isTest, operation }));
    return counted instanceof ApiError ? counted : error;
  }

  /** Does work and charges its response, or reserves the price of paid work and does that. */
  async #work(begun: Begun, work: PreparedCall["work"]): Promise<Outcome> {
    const { call, written, price, before, isPaid = false } = begun;
    const result = await this.#attempt(call, work);
    if ("paidWork" in result) return isPaid ? withdrawn() : this.#reserveAndWork(begun, result);
    const { outcome, charge: due } = this.#done(call, written, result);
    const isFree = isPaid || (!(outcome instanceof ApiError) && outcome.isUnchanged === true);
    const charge = isFree ? 0 : due;
    const outcomeAt = (balance: Balance) =>
      outcome instanceof ApiError && price > 0 ? simulatedRefusal(outcome, price, balance, call) : outcome;
    if (before !== undefined && charge === 0) return outcomeAt(before);
    const letIn = await this.#ask(call, {
      price: isFree ? 0 : price,
      charge,
      hasSlot: before !== undefined,
      ...(await kept(call, outcome, charge)),
    });
    if (letIn instanceof ApiError) return letIn;
    const { balance, stored } = letIn;
    if (stored === undefined) return outcomeAt(balance);
    return this.#replay(call, written, stored, async () => outcomeAt(balance));
  }

  async #reserveAndWork({ call, written, price, before }: Begun, { paidWork }: PaidWork): Promise<Outcome> {
    const { meter } = this.#parts;
    const reservationId = randomUUID();
    const reservation = { price, hasSlot: before !== undefined, reservationId, lifetimeMs: RESERVED_FOR_MS };
    const reserved = await this.#decided(call, price, () =>
      meter.decide({ kind: "reserve", ...askedOf(call), ...reservation }),
    );
    if (reserved instanceof ApiError) return reserved;
    if (reserved.stored !== undefined) {
      return this.#replay(call, written, reserved.stored, async () => withdrawn());
    }
    const result = await this.#attempt(call, () => paidWork(reserved.balance.accountId));
    const { outcome, charge } = this.#done(call, written, result);
    const keep = await kept(call, outcome, charge);
    const { keyId, isTest, session } = call;
    const ofSession = session !== undefined && { session };
    const settled = await this.#decided(call, price, () =>
      meter.decide({ kind: "settle", keyId, isTest, reservationId, charge, ...ofSession, ...keep }),
    );
    if (settled instanceof ApiError) return settled;
    // It was paid for, so it is sent also where the client holds it.
    const paid = outcome instanceof ApiError ? outcome : { ...outcome, isUnchanged: false };
    const { stored } = settled;
    return stored === undefined ? paid : this.#replay(call, written, stored, async () => paid);
  }

  /** Does work. What it throws is its result. */
  async #attempt<T>(call: Call, work: () => T | Promise<T>): Promise<T | ApiError> {
    try {
      return await work();
    } catch (error) {
      return this.#parts.explain(error, call);
    }
  }

  /** A result as it is sent: written before it is charged, so that nothing can fail afterwards. */
  #done(call: Call, written: Written, result: Delivered | ApiError): Done {
    if (result instanceof ApiError) return { outcome: result, charge: 0 };
    const { status = 200, headers, body, isNothing, charge } = result;
    const plain = { status, ...(headers && { headers }) };
    if (body instanceof Readable) return { outcome: { ...plain, body }, charge };
    try {
      const tagged = this.#tagged(call, written, written.serialize(body), isNothing);
      return { outcome: { ...plain, ...tagged }, charge };
    } catch (error) {
      return { outcome: this.#parts.explain(error, call), charge: 0 };
    }
  }

  /** A body with its entity tag, and whether the client holds it. */
  #tagged({ request }: Call, { isConditional }: Written, body: string, isNothing = false) {
    const tag = isConditional ? this.#parts.tags.of(body) : undefined;
    if (tag === undefined) return { body };
    return { body, tag, isUnchanged: !isNothing && isHeld(request.headers["if-none-match"], tag) };
  }

  /** Sends a stored response; `otherwise` where it shows somebody who is now suppressed. */
  async #replay(
    call: Call,
    written: Written,
    stored: KeptAnswer,
    otherwise: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const text = await this.#attempt(call, () => replayedText(stored, this.#parts.services.suppressed));
    if (text === undefined) return otherwise();
    if (text instanceof ApiError) return text;
    return { status: 200, ...this.#tagged(call, written, text), isReplayed: true };
  }

  /** Asks the store about a call that is answered from this process. */
  #ask(
    call: Call,
    amounts: Pick<CallRequest, "price" | "charge" | "hasSlot" | "keep">,
  ): Promise<LetIn | ApiError> {
    return this.#decided(call, amounts.price, () =>
      this.#parts.meter.decide({ kind: "call", ...askedOf(call), ...amounts }),
    );
  }

  /** The store's decision, noted with the call: it is let in, or refused. */
  async #decided(call: Call, price: number, decide: () => Promise<Decision>): Promise<LetIn | ApiError> {
    const decision = await this.#attempt(call, decide);
    if (decision instanceof ApiError) return decision;
    if (decision.outcome === "revoked" || decision.outcome === "expired") {
      return this.#parts.refusalOfEnded(decision.outcome, call);
    }
    const { balance } = decision;
    call.balance = balance;
    call.tokens = decision.outcome === "granted" ? decision.charged : 0;
    if (decision.outcome === "granted") return { balance };
    if (decision.outcome === "repeated") return { balance, stored: decision.kept };
    if (decision.outcome === "conflict") return conflict(decision, RESERVED_FOR_MS);
    if (decision.outcome === "full") return cannotStore(decision);
    return refusalOf(decision, price, call);
  }
}

/** The response that the store keeps with a charge, for a call with an `Idempotency-Key`. */
async function kept({ idempotency }: Call, outcome: Outcome, charge: number) {
  if (idempotency === undefined || charge === 0 || outcome instanceof ApiError) return undefined;
  return typeof outcome.body === "string"
    ? { keep: await storedResponse(idempotency, outcome.body) }
    : undefined;
}

/** A call as the store is asked about it. The networks that a key allows bind the server that makes tokens, not the pages that use them. */
function askedOf({ keyId, isTest, operation, request, browser, token, session, idempotency }: Call) {
  return {
    keyId,
    isTest,
    operation,
    address: request.clientAddress,
    browser,
    ...(token !== undefined && { skipIpCheck: true }),
    ...(session !== undefined && { session }),
    ...(idempotency !== undefined && { keep: idempotency }),
  };
}
