import type { MessagePort } from "node:worker_threads";
import {
  type ChargeRequest,
  type Decision,
  StoreUnavailable,
  type TellEarly,
  ValueRefused,
} from "../../metering/store.ts";
import { facetsBy } from "../facets.ts";
import type { StateStore } from "../stateStore.ts";
import { packRequests, unpackDecisions } from "./packing.ts";
import type { Answer, CallAsk, SentAsk } from "./protocol.ts";

/**
 * How a thread gives its charge requests to the state thread where that gathers what waits, from several threads or for a database: those of each
 * turn of its event loop at once, as what it holds back would miss the next transaction.
 */
export const EACH_TURN = { batchesAtOnce: 16, worthABatch: 1 } as const;

/**
 * The same for a thread that alone asks an embedded state: one batch, and the next beside it once 32 requests wait. Each is a transaction of its own
 * with a sync to disk, so it takes many to be worth one.
 */
export const GATHERED = { batchesAtOnce: 2, worthABatch: 32 } as const;

export const THREAD_ENDED = "the thread that owns it has ended; restart the program";

/**
 * The state, for whoever holds a port to the thread that owns it. When that thread ends, every call fails from then on. Closing it waits
 * for what was asked and closes the port; the thread serves others on. An open one keeps its thread from ending.
 */
export function stateOver(port: MessagePort): StateStore {
  const asks = new Asks(port);
  const facets = facetsBy(
    ({ facet, method }) =>
      (...parameters) =>
        asks.call(facet, method, parameters),
  );
  return {
    ...facets,
    metering: {
      ...facets.metering,
      apply: (requests, tellEarly) => asks.charge(requests, tellEarly),
    },
    probe: () => asks.call("state", "probe", []).then(() => undefined),
    close: () => asks.close(),
  };
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly tellEarly?: TellEarly | undefined;
}

/** Asks and their answers. */
class Asks {
  readonly #port: MessagePort;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  /** Why nothing can be asked any more. */
  #ended: string | undefined;
  #whenAnswered: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on("message", (text: string) => {
      const answers: readonly Answer[] = JSON.parse(text);
      for (const answer of answers) this.#settle(answer);
    });
    port.on("close", () => {
      this.#ended ??= THREAD_ENDED;
      for (const { reject } of this.#pending.values()) reject(new StoreUnavailable(this.#ended));
      this.#pending.clear();
      this.#whenAnswered?.();
    });
  }

  charge(requests: readonly ChargeRequest[], tellEarly: TellEarly | undefined): Promise<readonly Decision[]> {
    const id = this.#nextId++;
    return this.#ask(
      { kind: "charge", id, requests: packRequests(requests), takesEarly: tellEarly !== undefined },
      tellEarly,
    ) as Promise<readonly Decision[]>;
  }

  call(facet: CallAsk["facet"], method: string, parameters: readonly unknown[]): Promise<unknown> {
    // As JSON, what is left out would come back as null.
    const given = parameters.slice(0, parameters.findLastIndex((one) => one !== undefined) + 1);
    return this.#ask({ kind: "call", id: this.#nextId++, facet, method, parameters: given });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#ended ??= "it is closed";
    if (this.#pending.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#whenAnswered = resolve;
      await promise;
    }
    this.#port.close();
  }

  #ask(ask: SentAsk, tellEarly?: TellEarly): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(new StoreUnavailable(this.#ended));
      this.#pending.set(ask.id, { resolve, reject, tellEarly });
      this.#port.postMessage(JSON.stringify(ask));
    });
  }

  #settle(answer: Answer): void {
    const pending = this.#pending.get(answer.id);
    if (pending === undefined) return;
    if (answer.kind === "early") {
      pending.tellEarly?.(unpackDecisions(answer.decisions));
      return;
    }
    this.#pending.delete(answer.id);
    if (answer.kind === "decided") pending.resolve(unpackDecisions(answer.decisions));
    else if (answer.kind === "done") pending.resolve(answer.result);
    else if (answer.kind === "unavailable") pending.reject(new StoreUnavailable(answer.reason));
    else if (answer.kind === "refused") pending.reject(new ValueRefused(answer.sqlState));
    else pending.reject(failureOf(answer));
    if (this.#pending.size === 0) this.#whenAnswered?.();
  }
}

function failureOf({ message, stack }: Extract<Answer, { kind: "failed" }>): Error {
  const error = new Error(message);
  // Where it happened, which is in the other thread.
  if (stack !== undefined) error.stack = stack;
  return error;
}
