import { type Log, logTo } from "../log/log.ts";
import type { Settings } from "../settings/settings.ts";

/** Lines are handed over when there is so much of them, else with the next look: a message for each would cost a call. */
const GATHER_LENGTH = 65_536;
const HAND_EVERY_MS = 250;
/** So much may be on its way; lines beyond it are lost, and counted. */
const MOST_ON_ITS_WAY = 4 * 1_024 * 1_024;

/**
 * The lines of a thread on their way to the main thread, which alone writes the log. Nothing waits for it: what it does not take in time is
 * lost, and told when it takes some again.
 */
export class HandedLines {
  readonly #hand: (text: string, lines: number) => void;
  readonly #onLost: (lines: number) => void;
  #lines: string[] = [];
  #length = 0;
  #onItsWay = 0;
  #lost = 0;

  /** @param hand sends whole lines, each with its end */
  constructor(hand: (text: string, lines: number) => void, onLost: (lines: number) => void) {
    this.#hand = hand;
    this.#onLost = onLost;
    setInterval(() => this.hand(), HAND_EVERY_MS).unref();
  }

  write(line: string): void {
    if (this.#length + this.#onItsWay >= MOST_ON_ITS_WAY) {
      this.#lost += 1;
      return;
    }
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= GATHER_LENGTH) this.hand();
  }

  /** Hands over what has gathered. */
  hand(): void {
    if (this.#lines.length === 0) return;
    const [text, lines] = [this.#lines.join(""), this.#lines.length];
    this.#lines = [];
    this.#onItsWay += this.#length;
    this.#length = 0;
    this.#hand(text, lines);
  }

  /** So many characters were taken. */
  taken(length: number): void {
    this.#onItsWay -= length;
    this.#tellLost();
  }

  /** Hands over what has gathered, and how much was lost, at the end of a thread: nothing will be told as taken after it. */
  close(): void {
    this.#onItsWay = 0;
    this.#tellLost();
    this.hand();
  }

  #tellLost(): void {
    if (this.#lost === 0) return;
    const lost = this.#lost;
    this.#lost = 0;
    this.#onLost(lost);
  }
}

/** The log of a thread. @param hand sends lines to the main thread */
export function openThreadLog(
  { LOG_LEVEL }: Pick<Settings, "LOG_LEVEL">,
  hand: (text: string, lines: number) => void,
): { readonly log: Log; taken(length: number): void } {
  const lines = new HandedLines(hand, (lost) =>
    log.logger.warn({ lines: lost }, "lines of the log are lost: the main thread did not take them in time"),
  );
  const log = logTo(
    { write: (line) => lines.write(line), hand: () => lines.hand(), flush: async () => lines.hand() },
    LOG_LEVEL,
    "nobody caught this error: the thread is replaced",
  );
  process.once("exit", () => lines.close());
  return { log, taken: (length) => lines.taken(length) };
}
