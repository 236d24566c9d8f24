import type { MessagePort } from "node:worker_threads";
import type { Taker } from "../../lib/places.ts";
import type { Turn } from "../../lib/turns.ts";
import { packError } from "./errors.ts";
import type { House } from "./house.ts";
import type { Ask, Said, Told } from "./messages.ts";

export interface GuestParts {
  readonly port: MessagePort;
  readonly house: House;
  /** Called when an ask has ended, before its answer is told. */
  readonly onAnswer: () => void;
  /** Told of what the thread says beside its asks. */
  readonly onSaid: (said: Exclude<Said, { kind: "ask" | "over" }>) => void;
  /** The thread has ended, or closed its side. */
  readonly onGone: () => void;
}

/**
 * A thread that asks over its port. What it asks is done to its end also when it has gone, as others may wait for the same; a turn that it
 * had, or waits for, goes to the next.
 */
export class Guest {
  readonly #parts: GuestParts;
  /** Waits for turns that it may give up. */
  readonly #waits = new Map<number, AbortController>();
  readonly #turns = new Map<number, Turn>();
  /** Asks of which the answer is of no use any more. */
  readonly #underWay = new Set<number>();
  #isGone = false;

  constructor(parts: GuestParts) {
    this.#parts = parts;
    parts.port.on("message", (said: Said) => this.#hear(said));
    parts.port.once("close", () => this.#leave());
  }

  tell(told: Told): void {
    if (!this.#isGone) this.#parts.port.postMessage(told);
  }

  /** Closes its port: what waits there is told that nobody answers. */
  close(): void {
    this.#leave();
    this.#parts.port.close();
  }

  #hear(said: Said): void {
    if (said.kind === "over") this.#over(said.id);
    else if (said.kind === "ask") this.#begin(said);
    else this.#parts.onSaid(said);
  }

  #begin(said: Ask): void {
    this.#underWay.add(said.id);
    this.#do(said)
      .then((told) => this.#answer({ kind: "answer", id: said.id, told }))
      // An answer that cannot be sent is a failure too: it must not end the thread that keeps the house.
      .catch((error: unknown) => this.#answer({ kind: "failed", id: said.id, error: packError(error) }));
  }

  #answer(answer: Extract<Told, { id: number }>): void {
    this.#parts.onAnswer();
    if (!this.#underWay.has(answer.id)) return;
    this.tell(answer);
    this.#underWay.delete(answer.id);
  }

  async #do(ask: Ask): Promise<unknown> {
    const { vies, live, leftOut } = this.#parts.house;
    switch (ask.name) {
      case "verdict":
        return vies.flights.fly(
          ask.given.number,
          ask.given.deadlineMs,
          ask.given.consulting,
          ask.given.knownAtMs,
        );
      case "company":
        return live?.companies.company(ask.given.kvkNumber, ask.given.asking);
      case "branches":
        return live?.companies.branches(ask.given.kvkNumber, ask.given.asking);
      case "search":
        return live?.searches.search(ask.given.criteria, ask.given.accountId);
      case "viesHealth":
        return vies.health();
      case "viesDay":
        return vies.day();
      case "hashingTurn":
        return this.#take(ask.id, ask.given);
      case "leftOut":
        return leftOut.of(ask.given);
    }
  }

  async #take(id: number, taker: Taker): Promise<boolean> {
    const wait = new AbortController();
    this.#waits.set(id, wait);
    const turn = await this.#parts.house.hashing.take({ ...taker, gone: wait.signal });
    this.#waits.delete(id);
    if (turn === undefined) return false;
    // It may have gone in the moment in which its turn came.
    if (wait.signal.aborted) turn.end();
    else this.#turns.set(id, turn);
    return true;
  }

  #over(id: number): void {
    this.#underWay.delete(id);
    this.#waits.get(id)?.abort();
    this.#turns.get(id)?.end();
    this.#turns.delete(id);
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    for (const id of [...this.#waits.keys(), ...this.#turns.keys(), ...this.#underWay]) this.#over(id);
    this.#parts.onGone();
  }
}
