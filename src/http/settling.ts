import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../contract/errors.ts";
import type { Suppressed } from "../lookup/suppression/suppressed.ts";
import { unpackAnswer } from "../metering/kept.ts";
import type { Meter } from "../metering/meter.ts";
import type { Balance, CallRequest, ChargeRequest, Decision } from "../metering/store.ts";
import { type Call, testMark } from "./call.ts";
import { callRequest, sessionOf, whereFrom } from "./callRequest.ts";
import type { Answered, HandlerResult, OwnAnswer, PaidHandlerWork } from "./endpoint.ts";
import { JSON_TYPE, sendError } from "./errorAnswers.ts";
import { asApiError, isOurs } from "./failures.ts";
import { balanceHeaders } from "./headers.ts";
import { refusalOf, simulatedRefusal } from "./refusalOf.ts";
import { cannotKeep, conflict, keeping, withdrawn } from "./repeating.ts";
import { asText, isUnchanged, sendDelivered } from "./sending.ts";

/** What a call came to before it is charged. */
export interface Worked {
  /** The full price, 0 when the input was bad. */
  readonly price: number;
  readonly result: Written | ApiError;
  /** Set when the store was asked before the work: the call has its slot in the rate window. */
  readonly before?: Balance;
  /** It was paid for once, and may be answered anew for nothing. */
  readonly isPaid?: true;
}

/** What a handler came to, its body written already, but for one that tells the balance or is yet to be worked for. */
type Written =
  | { readonly charge: number; readonly text: string; readonly isNothing?: boolean }
  | Extract<HandlerResult, { bodyOf: unknown }>
  | OwnAnswer
  | PaidHandlerWork;

/** Longer than any work may take: what is left over was abandoned, and its tokens are given back. */
const RESERVED_FOR_MS = 120_000;

export interface SettlingParts {
  readonly meter: Meter;
  readonly suppressed: Suppressed;
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
  readonly #suppressed: Suppressed;

  constructor({ meter, suppressed, refuseEnded, onError }: SettlingParts) {
    this.#meter = meter;
    this.#suppressed = suppressed;
    this.#refuseEnded = refuseEnded;
    this.#onError = onError;
  }

  /** Charges what was worked, has paid work done, and sends the answer. */
  settle(call: Call, worked: Worked, request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const { result, before } = worked;
    if ("paidWork" in result) return this.#reserveAndWork(call, worked, result, request, reply);
    const mayBeHeld = "text" in result && result.isNothing !== true;
    const isFree = worked.isPaid === true || (mayBeHeld && isUnchanged(result.text, call, request));
    const price = isFree ? 0 : worked.price;
    const charge = !isFree && "charge" in result ? result.charge : 0;
    const deliver = (balance: Balance) => this.#deliver(result, worked.price, balance, call, request, reply);
    if (before !== undefined && charge === 0) return deliver(before);
    const asked = callRequest(call, request, { price, charge, hasSlot: before !== undefined });
    const decided = (decision: Decision) => {
      if (decision.outcome === "repeated") {
        return this.replay(decision, call, request, reply, deliver);
      }
      const balance = this.granted(decision, call, price, request, reply);
      return balance && deliver(balance);
    };
    return this.#decide(asked, call, result).then(decided, (error: unknown) => {
      sendError(reply, this.explain(error, request));
    });
  }

  /** Has the store decide; what is charged under an `Idempotency-Key` is kept with it. */
  #decide(
    asked: CallRequest,
    { once }: Call,
    result: Exclude<Worked["result"], PaidHandlerWork>,
  ): Promise<Decision> {
    if (once === undefined || asked.charge === 0 || !("text" in result)) return this.#meter.decide(asked);
    return keeping(once, result.text).then((keep) => this.#meter.decide({ ...asked, keep }));
  }

  /**
   * Tells an answer again that was kept, for nothing.
   * @param anew answers in its place when it names somebody who must not be told any more
   */
  async replay(
    { kept, balance }: Extract<Decision, { outcome: "repeated" }>,
    call: Call,
    request: FastifyRequest,
    reply: FastifyReply,
    anew: (balance: Balance) => void | Promise<void>,
  ): Promise<void> {
    call.balance = balance;
    call.tokens = 0;
    const isTold = kept.names.every(
      (name) => !this.#suppressed.has(name) && !this.#suppressed.hasVatNumber(name),
    );
    if (kept.text === undefined || !isTold) return anew(balance);
    try {
      const text = await unpackAnswer(kept.text);
      isUnchanged(text, call, request);
      call.isReplayed = true;
      sendDelivered(reply, call, balance, text);
    } catch (error) {
      sendError(reply, this.explain(error, request));
    }
  }

  /** Answers a call that is one too many of its client: it is counted as refused, and takes no slot. */
  async refuse(call: Call, error: ApiError, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { keyId, operation } = call;
    const counted = await this.#meter
      .countRefusal({ keyId, isTest: testMark(call), operation })
      .catch((failure: unknown) => this.explain(failure, request));
    if (this.granted(counted, call, 0, request, reply) !== undefined) sendError(reply, error);
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
    else if ("answer" in result) return this.#deliverOwn(result, balance, call, request, reply);
    else return this.#deliverBodyOf(result.bodyOf, balance, call, request, reply);
  }

  async #deliverOwn(
    { answer }: OwnAnswer,
    balance: Balance,
    call: Call,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    let answered: Answered;
    try {
      const { keyId, onceId } = call;
      const { accountId, tierName } = balance;
      answered = await answer({ accountId, tierName, keyId, isTest: testMark(call), onceId });
    } catch (error) {
      sendError(reply, this.explain(error, request));
      return;
    }
    const { status = 200, headers = {}, body } = answered;
    reply.code(status).headers({ "content-type": JSON_TYPE, ...balanceHeaders(balance, 0), ...headers });
    if (!(body instanceof Readable)) return void reply.send(asText(reply, body));
    try {
      // Fastify reads the whole body for HEAD, to throw it away.
      if (request.method === "HEAD") body.destroy();
      // Until the last byte has left: who is told that the call is over would end it.
      await reply.send(body);
    } catch (error) {
      this.explain(error, request);
      reply.raw.destroy();
    }
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
    { price, before: asked, isPaid }: Worked,
    { paidWork }: PaidHandlerWork,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    if (isPaid) {
      sendError(reply, withdrawn());
      return;
    }
    const { keyId, operation, once } = call;
    const key = { keyId, isTest: testMark(call) };
    const where = whereFrom(call, request);
    const known = { ...sessionOf(call), ...(once !== undefined && { keep: once }) };
    const reservationId = randomUUID();
    const lifetimeMs = RESERVED_FOR_MS;
    const hasSlot = asked !== undefined;
    const reserved = await this.ask(
      { kind: "reserve", ...key, operation, price, reservationId, lifetimeMs, hasSlot, ...where, ...known },
      request,
    );
    if ("outcome" in reserved && reserved.outcome === "repeated") {
      return this.replay(reserved, call, request, reply, () => void sendError(reply, withdrawn()));
    }
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
    const keep =
      once !== undefined && charge > 0 && typeof result === "string" && (await keeping(once, result));
    const settled = await this.ask(
      { kind: "settle", ...key, reservationId, charge, ...sessionOf(call), ...(keep && { keep }) },
      request,
    );
    const tell = (balance: Balance) => {
      if (result instanceof ApiError) sendError(reply, result);
      else sendDelivered(reply, call, balance, result);
    };
    if ("outcome" in settled && settled.outcome === "repeated") {
      return this.replay(settled, call, request, reply, tell);
    }
    const after = this.granted(settled, call, price, request, reply);
    if (after !== undefined) tell(after);
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
    if (decision.outcome === "repeated") throw new RangeError("what is kept is told by `replay`");
    if (decision.outcome === "conflict" || decision.outcome === "full") {
      sendError(
        reply,
        decision.outcome === "full" ? cannotKeep(decision) : conflict(decision, RESERVED_FOR_MS),
      );
      return undefined;
    }
    sendError(reply, refusalOf(decision, price, call, request));
    return undefined;
  }

  /** What went wrong as the caller is told it; the operator is told what is ours. */
  explain(error: unknown, request: FastifyRequest): ApiError {
    if (isOurs(error)) this.#onError(error, request);
    return asApiError(error);
  }
}
