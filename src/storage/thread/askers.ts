import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { unpackRequests } from "./packing.ts";
import type { Answer, Ask, CallAsk, ChargeAsk, SentAsk } from "./protocol.ts";

/** Asks that are taken out of one port before the others have their turn: a thread that asks without end holds up nobody. */
const MOST_AT_ONCE = 256;

/** An ask, and who is told what came of it. */
export interface Asked<Kind extends Ask = Ask> {
  readonly asker: Asker;
  readonly ask: Kind;
  /** When it was taken out of its port, in `performance.now()`. */
  readonly atMs: number;
}

/** A thread that asks over its port. What was taken out of the port and not begun yet waits here, in the order of the asks' ids. */
export class Asker {
  readonly #port: MessagePort;
  readonly charges: Asked<ChargeAsk>[] = [];
  readonly calls: Asked<CallAsk>[] = [];
  readonly #answers: string[] = [];

  constructor(port: MessagePort) {
    this.#port = port;
  }

  /** Takes over what waits in the port. */
  take(): void {
    for (let count = 0; count < MOST_AT_ONCE; count++) {
      const received = receiveMessageOnPort(this.#port);
      if (received === undefined) return;
      this.receive(received.message);
    }
  }

  receive(text: string): void {
    const sent: SentAsk = JSON.parse(text);
    const atMs = performance.now();
    if (sent.kind === "call") {
      this.calls.push({ asker: this, ask: sent, atMs });
      return;
    }
    const ask = { ...sent, requests: unpackRequests(sent.requests) };
    this.charges.push({ asker: this, ask, atMs });
  }

  /** Which comes first of what waits. */
  get next(): Ask["kind"] | undefined {
    const charge = this.charges[0];
    const call = this.calls[0];
    if (charge === undefined) return call?.ask.kind;
    return call === undefined || charge.ask.id < call.ask.id ? charge.ask.kind : call.ask.kind;
  }

  /** What is answered in one go leaves in one message, as each wakes the thread. Nothing comes of it when that has ended meanwhile. */
  answer(answer: Answer): void {
    // Written here: what cannot be is the failure of whoever answers.
    this.#answers.push(JSON.stringify(answer));
    if (this.#answers.length > 1) return;
    queueMicrotask(() => this.#port.postMessage(`[${this.#answers.splice(0).join()}]`));
  }

  close(): void {
    this.#port.close();
  }
}

/** All threads that ask. One whose port has closed is forgotten, with what it asked that was not begun. */
export class Askers {
  #askers: Asker[] = [];
  #isLast = false;

  /** @param onAsk called when something waits */
  add(port: MessagePort, onAsk: () => void): void {
    const asker = new Asker(port);
    this.#askers.push(asker);
    port.on("message", (text: string) => {
      if (this.#isLast) return;
      asker.receive(text);
      onAsk();
    });
    port.on("close", () => {
      this.#askers = this.#askers.filter((other) => other !== asker);
    });
  }

  /** Takes over what waits in the ports. @returns whether anything waits */
  take(): boolean {
    if (!this.#isLast) for (const asker of this.#askers) asker.take();
    return this.#askers.some(({ next }) => next !== undefined);
  }

  /** Takes over what waits in the ports for the last time. */
  takeLast(): void {
    this.take();
    this.#isLast = true;
  }

  /** Charge requests that wait. */
  get requests(): number {
    let sum = 0;
    for (const { charges } of this.#askers) for (const { ask } of charges) sum += ask.requests.length;
    return sum;
  }

  get hasCharges(): boolean {
    return this.#askers.some(({ charges }) => charges.length > 0);
  }

  get hasCalls(): boolean {
    return this.#askers.some(({ calls }) => calls.length > 0);
  }

  /**
   * Asks for charges, one of each thread after the other, until they hold so many requests; an ask is never divided.
   * @param mayTake whether a thread's turn has come
   */
  takeCharges(mostRequests: number, mayTake: (asker: Asker) => boolean = () => true): Asked<ChargeAsk>[] {
    const taken: Asked<ChargeAsk>[] = [];
    let requests = 0;
    this.#inTurn((asker) => {
      if (requests >= mostRequests || !mayTake(asker)) return false;
      const charge = asker.charges.shift();
      if (charge === undefined) return false;
      taken.push(charge);
      requests += charge.ask.requests.length;
      return true;
    });
    return taken;
  }

  /** Other calls, one of each thread after the other. */
  takeCalls(most: number): Asked<CallAsk>[] {
    const taken: Asked<CallAsk>[] = [];
    this.#inTurn((asker) => {
      const call = taken.length < most ? asker.calls.shift() : undefined;
      if (call === undefined) return false;
      taken.push(call);
      return true;
    });
    return taken;
  }

  /** The next call of each thread that comes to one now. */
  nextCalls(): Asked<CallAsk>[] {
    return this.#askers.flatMap((asker) => (asker.next === "call" ? asker.calls.splice(0, 1) : []));
  }

  /** Calls that have waited since before a moment of `performance.now()`. */
  takeCallsBefore(beforeMs: number): Asked<CallAsk>[] {
    return this.#askers.flatMap(({ calls }) => {
      const later = calls.findIndex(({ atMs }) => atMs >= beforeMs);
      return calls.splice(0, later === -1 ? calls.length : later);
    });
  }

  /** Gives each thread a turn, again and again, until none takes it. Who was first goes to the end, if anybody took one. */
  #inTurn(takeTurn: (asker: Asker) => boolean): void {
    let turn = this.#askers.filter(takeTurn);
    if (turn.length > 0) this.#askers = [...this.#askers.slice(1), ...this.#askers.slice(0, 1)];
    while (turn.length > 0) turn = turn.filter(takeTurn);
  }

  /** Tells all that nobody answers any more. */
  close(): void {
    for (const asker of this.#askers) asker.close();
  }
}
