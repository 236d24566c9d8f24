import type { MessagePort } from "node:worker_threads";
import { type PackedError, unpackError } from "./errors.ts";
import type { Ask, AskName, Asks, Said } from "./messages.ts";

/** Asks of one thread that may be under way: each belongs to a call that waits, of which there are fewer. */
const MOST_UNDER_WAY = 20_000;

interface Pending {
  readonly settle: (told: unknown) => void;
  readonly fail: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export interface AskOptions {
  /** How long an answer is waited for, milliseconds. */
  readonly withinMs: number;
  /** Ends the wait, and what was asked for with it. */
  readonly gone?: AbortSignal | undefined;
}

/** What a thread asks over its port, and what came of it. Whoever asks is told `undefined` when nobody is there to answer, or in time. */
export class Asking {
  readonly #port: MessagePort;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #isClosed = false;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  /** @throws what the other side failed with (the promise) */
  ask<Name extends AskName>(
    name: Name,
    given: Asks[Name]["given"],
    options: AskOptions,
  ): Promise<Asks[Name]["told"] | undefined> {
    return this.askAs(name, given, options).told;
  }

  /** The same, with the name of the ask, by which what it gives is given back. */
  askAs<Name extends AskName>(
    name: Name,
    given: Asks[Name]["given"],
    { withinMs, gone }: AskOptions,
  ): { readonly id: number; readonly told: Promise<Asks[Name]["told"] | undefined> } {
    const id = this.#nextId++;
    if (this.#isClosed || this.#pending.size >= MOST_UNDER_WAY || gone?.aborted === true) {
      return { id, told: Promise.resolve(undefined) };
    }
    const told = new Promise<Asks[Name]["told"] | undefined>((resolve, reject) => {
      const giveUp = () => {
        this.over(id);
        this.#settle(id, undefined);
      };
      const ended = () => {
        clearTimeout(timer);
        gone?.removeEventListener("abort", giveUp);
      };
      const timer = setTimeout(giveUp, withinMs);
      timer.unref();
      gone?.addEventListener("abort", giveUp, { once: true });
      this.#pending.set(id, {
        timer,
        settle: (answer) => {
          ended();
          resolve(answer as Asks[Name]["told"] | undefined);
        },
        fail: (error) => {
          ended();
          reject(error);
        },
      });
      // Whatever the name, what is given belongs to it; of a union that cannot be said otherwise.
      this.say({ kind: "ask", id, name, given } as Ask);
    });
    return { id, told };
  }

  /** Tells that nobody waits for an answer any more, or gives back what it gave. */
  over(id: number): void {
    this.say({ kind: "over", id });
  }

  say(said: Said): void {
    if (!this.#isClosed) this.#port.postMessage(said);
  }

  answered(id: number, told: unknown): void {
    this.#settle(id, told);
  }

  failed(id: number, error: PackedError): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.fail(unpackError(error));
  }

  /** Nobody answers any more: whoever waits is told so. */
  closed(): void {
    this.#isClosed = true;
    for (const id of [...this.#pending.keys()]) this.#settle(id, undefined);
  }

  /** How many wait for an answer. */
  get underWay(): number {
    return this.#pending.size;
  }

  #settle(id: number, told: unknown): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.settle(told);
  }
}
