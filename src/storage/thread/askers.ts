import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { Answer, Ask } from "./protocol.ts";

/** Asks that are taken out of one port before the others have their turn: a thread that asks without end holds up nobody. */
const MOST_AT_ONCE = 256;

/** A thread that asks over its port. */
export class Asker {
  readonly #port: MessagePort;
  /** Taken out of the port, and not begun yet. */
  readonly waiting: Ask[] = [];

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
    this.waiting.push(JSON.parse(text));
  }

  /** Nothing comes of it when the thread has ended meanwhile. */
  answer(answer: Answer): void {
    this.#port.postMessage(JSON.stringify(answer));
  }

  close(): void {
    this.#port.close();
  }
}

/** An ask, and who is told what came of it. */
export interface Asked<Kind extends Ask = Ask> {
  readonly asker: Asker;
  readonly ask: Kind;
}

/** All threads that ask. One whose port has closed is forgotten, with what it asked that was not begun. */
export class Askers {
  #askers: Asker[] = [];
  /** Who has the first turn: everybody once. */
  #first = 0;
  #isLast = false;

  /** @param onAsk called when something waits */
  add(port: MessagePort, onAsk: () => void): void {
    const asker = new Asker(port);
    this.#askers.push(asker);
    port.on("message", (text: string) => {
      asker.receive(text);
      onAsk();
    });
    port.on("close", () => {
      this.#askers = this.#askers.filter((other) => other !== asker);
    });
  }

  /** Takes over what waits in the ports. @returns whether anything waits */
  take(): boolean {
    let isAsked = false;
    for (const asker of this.#askers) {
      if (!this.#isLast) asker.take();
      isAsked ||= asker.waiting.length > 0;
    }
    return isAsked;
  }

  /** Takes over what waits in the ports for the last time. */
  takeLast(): void {
    this.take();
    this.#isLast = true;
  }

  /** Everybody, another one first each time. */
  inTurn(): Asker[] {
    this.#first = (this.#first + 1) % Math.max(1, this.#askers.length);
    return [...this.#askers.slice(this.#first), ...this.#askers.slice(0, this.#first)];
  }

  /** Tells all that nobody answers any more. */
  close(): void {
    for (const asker of this.#askers) asker.close();
  }
}
