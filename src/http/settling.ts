import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../contract/errors.ts";
import type { Meter } from "../metering/meter.ts";
import type { Balance, CallRequest, ChargeRequest, Decision } from "../metering/store.ts";
import { type Call, testMark } from "./call.ts";
import type { HandlerResult, PaidHandlerWork } from "./endpoint.ts";
import {
  JSON_TYPE,
  outside,
  quotaExceeded,
  rateExceeded,
  sendError,
  suspended,
  tookTooLong,
} from "./errorAnswers.ts";
import { asApiError, isOurs } from "./failures.ts";
import { balanceHeaders, COMMON, CROSS_ORIGIN } from "./headers.ts";
import { fixedHeaders, sendWhole } from "./wholeResponse.ts";

/** What a call came to before it is charged. */
export interface Worked {
  /** The full price, 0 when the input was bad. */
  readonly price: number;
  readonly result: Written | ApiError;
  /** Set when the store was asked before the work: the call has its slot in the rate window. */
  readonly before?: Balance;
}

/** What a handler came to, its body written already, but for one that tells the balance or is yet to be worked for. */
type Written =
  | { readonly charge: number; readonly text: string }
  | Extract<HandlerResult, { bodyOf: unknown }>
  | PaidHandlerWork;

/** Longer than any work may take: what is left over was abandoned, and its tokens are given back. */
const RESERVED_FOR_MS = 120_000;

export interface SettlingParts {
  readonly meter: Meter;
  /** Answers a call whose key the store knows as revoked, or as expired. */
  readonly refuseEnded: (
    outcome: "revoked" | "expired",
    call: Call,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => void;
  readonly onError: (error: unknown, request: FastifyRequest) => void;
}

/** What the store is asked of a call, and what its caller is answered: nothing leaves before its charge is durable. */
export class Settling {
  readonly #meter: Meter;
  readonly #refuseEnded: SettlingParts["refuseEnded"];
  readonly #onError: SettlingParts["onError"];

  constructor({ meter, refuseEnded, onError }: SettlingParts) {
    this.#meter = meter;
    this.#refuseEnded = refuseEnded;
    this.#onError = onError;
  }

  /** Charges what was worked, has paid work done, and sends the answer. */
  settle(call: Call, worked: Worked, request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const { price, result, before } = worked;
    if ("paidWork" in result) return this.#reserveAndWork(call, worked, result, request, reply);
    const charge = "charge" in result ? result.charge : 0;
    if (before !== undefined && charge === 0)
      return this.#deliver(result, price, before, call, request, reply);
    const hasSlot = before !== undefined;
    return this.#meter.decide(callRequest(call, request, { price, charge, hasSlot })).then(
      (decision) => {
        const balance = this.granted(decision, call, price, request, reply);
        return balance && this.#deliver(result, price, balance, call, request, reply);
      },
      (error: unknown) => {
        sendError(reply, this.explain(error, request));
      },
    );
  }

  /** Sends what a call came to, its charge being durable. */
  #deliver(
    result: Exclude<Worked["result"], PaidHandlerWork>,
    price: number,
    balance: Balance,
    call: Call,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void | Promise<void> {
    if (result instanceof ApiError) sendError(reply, simulatedRefusal(result, price, balance, call));
    else if ("text" in result) sendDelivered(reply, call, balance, result.text);
    else return this.#deliverBodyOf(result.bodyOf, balance, call, request, reply);
  }

  async #deliverBodyOf(
    bodyOf: (balance: Balance) => unknown,
    balance: Balance,
    call: Call,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    try {
      sendDelivered(reply, call, balance, asText(reply, await bodyOf(balance)));
    } catch (error) {
      // The call has its slot already: what handles errors in general would take another one.
      sendError(reply, this.explain(error, request));
    }
  }

  /**
   * Work that asks an upstream: its full price is reserved, the work done up to the bytes of its answer, and what it
   * came to settled before the answer leaves. A caller that hangs up changes nothing of that.
   */
  async #reserveAndWork(
    call: Call,
    { price, before: asked }: Worked,
    { paidWork }: PaidHandlerWork,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { keyId, operation } = call;
    const key = { keyId, isTest: testMark(call) };
    const session = sessionOf(call);
    const reservationId = randomUUID();
    const lifetimeMs = RESERVED_FOR_MS;
    const hasSlot = asked !== undefined;
    const address = request.clientAddress;
    const reserved = await this.ask(
      { kind: "reserve", ...key, operation, price, reservationId, lifetimeMs, hasSlot, address, ...session },
      request,
    );
    const before = this.granted(reserved, call, price, request, reply);
    if (before === undefined) return;
    let charge = 0;
    let result: string | ApiError;
    try {
      const delivered = await paidWork(before.accountId);
      result = asText(reply, delivered.body);
      charge = delivered.charge;
    } catch (error) {
      result = this.explain(error, request);
    }
    const settled = await this.ask({ kind: "settle", ...key, reservationId, charge, ...session }, request);
    const after = this.granted(settled, call, price, request, reply);
    if (after === undefined) return;
    if (result instanceof ApiError) sendError(reply, result);
    else sendDelivered(reply, call, after, result);
  }

  /** What the store decided, or why it decided nothing: then nothing was charged. */
  async ask(ask: ChargeRequest, request: FastifyRequest): Promise<Decision | ApiError> {
    try {
      return await this.#meter.decide(ask);
    } catch (error) {
      return this.explain(error, request);
    }
  }

  /** The balance of a call that may go on; undefined when the call was refused and answered. */
  granted(
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
    if (decision.outcome === "revoked" || decision.outcome === "expired") {
      this.#refuseEnded(decision.outcome, call, request, reply);
      return undefined;
    }
    const { balance } = decision;
    call.balance = balance;
    call.tokens = decision.outcome === "granted" ? decision.charged : 0;
    if (decision.outcome === "granted") return balance;
    if (decision.outcome === "repeated" || decision.outcome === "conflict" || decision.outcome === "full") {
      throw new RangeError("a request that is not known again was told what was kept");
    }
    const refusals = {
      rate: () => rateExceeded(balance),
      quota: () => quotaExceeded(price, balance),
      outside: () => outside(request.clientAddress),
      suspended,
      lapsed: tookTooLong,
    };
    sendError(reply, refusals[decision.outcome]());
    return undefined;
  }

  /** What went wrong as the caller is told it; the operator is told what is ours. */
  explain(error: unknown, request: FastifyRequest): ApiError {
    if (isOurs(error)) this.#onError(error, request);
    return asApiError(error);
  }
}

/** What the store is asked of a call whose work stays in this process. */
export function callRequest(
  call: Call,
  request: FastifyRequest,
  { price, charge, hasSlot }: { readonly price: number; readonly charge: number; readonly hasSlot: boolean },
): CallRequest {
  const { keyId, operation, session } = call;
  const isTest = testMark(call);
  const address = request.clientAddress;
  const asked: CallRequest = { kind: "call", keyId, isTest, operation, price, charge, hasSlot, address };
  return session === undefined ? asked : { ...asked, session };
}

function sessionOf({ session }: Call): { readonly session?: string } {
  return session === undefined ? {} : { session };
}

/**
 * An error as it is told. Where a test key asked for a refusal by its limits, which its balance does not know, it is told as that refusal
 * is, in words and headers; the books hold the truth all the same.
 */
function simulatedRefusal(error: ApiError, price: number, balance: Balance, call: Call): ApiError {
  if (call.keyKind !== "test") return error;
  if (error.code === "RATE_LIMIT_EXCEEDED") {
    call.balance = { ...balance, rateRemaining: 0 };
    return rateExceeded(call.balance);
  }
  if (error.code === "QUOTA_EXCEEDED") {
    call.balance = { ...balance, tokensRemaining: 0 };
    return quotaExceeded(price, call.balance);
  }
  return error;
}

const FIXED = fixedHeaders({ ...COMMON, ...CROSS_ORIGIN, "content-type": JSON_TYPE });

function sendDelivered(reply: FastifyReply, call: Call, balance: Balance, text: string): void {
  if (call.receiver !== undefined) {
    call.receiver.delivered(text);
    return;
  }
  const own = balanceHeaders(balance, call.tokens ?? 0);
  sendWhole(reply, FIXED, { "x-request-id": reply.request.id, ...own }, text);
}

/** The body as the endpoint's schema writes it. */
export function asText(reply: FastifyReply, body: unknown): string {
  const receiver = reply.request.call?.receiver;
  return receiver === undefined ? String(reply.serialize(body)) : receiver.serialize(body);
}
