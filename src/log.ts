import pino, { type Logger } from "pino";
import type { Settings } from "./config.ts";

/** A line is written at once when so much has gathered, else within a second: a write for each would cost a call. */
const GATHER_BYTES = 32_768;
const FLUSH_EVERY_MS = 1_000;
/** POSIX: what several processes write to one pipe is not mixed up to this size (PIPE_BUF of Linux). */
const WHOLE_BYTES = 4_096;

export interface Log {
  readonly logger: Logger;
  /** Writes soon what has gathered, without waiting for more. */
  flushSoon(): void;
  /** Writes what has gathered before it returns; for the end of the program. */
  flush(): void;
}

/** JSON lines on stdout, which the workers of a service share. */
export function openLog({ LOG_LEVEL: level, WORKERS }: Pick<Settings, "LOG_LEVEL" | "WORKERS">): Log {
  const gatherBytes = WORKERS > 1 ? WHOLE_BYTES / 2 : GATHER_BYTES;
  const destination = pino.destination({ fd: 1, sync: false, maxWrite: 2 * gatherBytes });
  // The reader of the log went away: the service goes on without it.
  destination.on("error", () => {});
  const lines = new GatheredLines(gatherBytes, (text) => destination.write(text));
  const logger = pino({ level, base: null, timestamp: isoTime() }, lines);
  const flush = () => {
    try {
      destination.flushSync();
      // Not by the destination, whose own writes are done later: a process that ends does not wait for them.
      pino.destination({ fd: 1, sync: true }).write(lines.take());
    } catch {
      // Nothing to flush, or nobody reads: neither may stop a shutdown.
    }
  };
  // A process that ends by an error nobody caught still tells what led to it.
  if (level !== "silent") process.once("exit", flush);
  return { logger, flush, flushSoon: () => lines.hand() };
}

/**
 * Lines that are handed on together, when there is so much of them or every second. Not the destination's own gathering: it
 * measures all that it holds with each line, so that a line came to cost as much as everything before it.
 */
class GatheredLines {
  readonly #enough: number;
  readonly #handOn: (text: string) => void;
  #lines: string[] = [];
  #length = 0;

  /** @param enough of characters: our lines are ASCII but for what an error says */
  constructor(enough: number, handOn: (text: string) => void) {
    this.#enough = enough;
    this.#handOn = handOn;
    setInterval(() => this.hand(), FLUSH_EVERY_MS).unref();
  }

  write(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= this.#enough) this.hand();
  }

  hand(): void {
    if (this.#lines.length > 0) this.#handOn(this.take());
  }

  /** What has gathered since it was last handed on or taken; "" when that is nothing. */
  take(): string {
    const text = this.#lines.join("");
    this.#lines = [];
    this.#length = 0;
    return text;
  }
}

/** The time as ISO 8601; written once a millisecond, in which a busy service logs dozens of lines. */
function isoTime(): () => string {
  let writtenMs = 0;
  let written = "";
  return () => {
    const nowMs = Date.now();
    if (nowMs !== writtenMs) {
      writtenMs = nowMs;
      written = `,"time":"${new Date(nowMs).toISOString()}"`;
    }
    return written;
  };
}
