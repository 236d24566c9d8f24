import { constants, fstatSync, openSync } from "node:fs";
import pino, { type Logger } from "pino";
import { withTimeout } from "../../lib/deadline.ts";
import type { Settings } from "../settings/settings.ts";
import { errorFacts } from "./errorFacts.ts";

const STDOUT = 1;
/** Lines are written when there is so much of them, else within a second. */
const GATHER_BYTES = 8_192;
const FLUSH_EVERY_MS = 1_000;
/** As much is held for a log that cannot be written. Lines beyond it are lost, and counted. */
const MAX_HELD_BYTES = 16 * 1_024 * 1_024;
/** At the end a reader that is slow, or a disk that is full, is waited for so long. */
const LAST_LINES_WITHIN_MS = 500;
/** Writes of at most this size to a pipe do not mix with those of other processes (POSIX: PIPE_BUF). */
const ATOMIC_BYTES = 4_096;

export interface Log {
  readonly logger: Logger;
  /** Starts writing what has gathered. */
  flushSoon(): void;
  /** Reports an error that nobody caught. */
  escaped(error: unknown): void;
  /** Writes what has gathered, within a second whatever stdout does; for the end of the program. */
  flush(): Promise<void>;
}

/**
 * JSON lines on stdout, gathered and written in the background: neither a call nor, for longer than a second, the end of the process waits for
 * their reader.
 * @param isShared whether other processes write to the same stdout: lines stay whole
 */
export function openLog({ LOG_LEVEL: level }: Pick<Settings, "LOG_LEVEL">, { isShared = false } = {}): Log {
  if (level === "silent") {
    const logger = pino({ level }, { write() {} });
    return { logger, escaped() {}, flush: async () => {}, flushSoon() {} };
  }
  let endsMs = Number.POSITIVE_INFINITY;
  let lost = 0;
  const output = pino.destination({
    fd: stdoutWithoutWaiting(),
    sync: false,
    minLength: isShared ? ATOMIC_BYTES / 2 : GATHER_BYTES,
    maxLength: MAX_HELD_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
    ...(isShared && { maxWrite: ATOMIC_BYTES }),
    retryEAGAIN: () => performance.now() < endsMs,
  });
  let isFailing = false;
  // A full disk, or a reader that went away: the next second tries again.
  output.on("error", () => {
    isFailing = true;
  });
  output.on("drop", () => {
    lost++;
  });
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: errorFacts } },
    output,
  );
  output.on("drain", () => {
    isFailing = false;
    if (lost === 0) return;
    const lines = lost;
    lost = 0;
    logger.warn({ lines }, "lines of the log are lost: it could not be written");
  });
  const flushSync = () => {
    endsMs = Math.min(endsMs, performance.now() + LAST_LINES_WITHIN_MS);
    try {
      // The library would write to a full disk for ever.
      if (isFailing) output.destroy();
      else output.flushSync();
    } catch {
      // Nobody takes them.
    }
  };
  // A process that ends by an error nobody caught still reports what led to it.
  process.once("exit", flushSync);
  return {
    logger,
    escaped(error) {
      logger.error({ err: error }, "nobody caught this error: the process ends");
      output.flush();
    },
    async flush() {
      await withTimeout(LAST_LINES_WITHIN_MS, new Promise<void>((resolve) => output.flush(() => resolve())));
      flushSync();
    },
    flushSoon: () => output.flush(),
  };
}

/** stdout, so that a write never waits for its reader: a pipe or a terminal is opened once more, for this process alone. */
function stdoutWithoutWaiting(): number {
  const stat = fstatSync(STDOUT);
  // Node.js opens a socket so that writes to it do not wait.
  if (stat.isSocket()) void process.stdout.writable;
  if (!stat.isFIFO() && !stat.isCharacterDevice()) return STDOUT;
  try {
    return openSync(
      `/proc/self/fd/${STDOUT}`,
      constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY,
    );
  } catch {
    // Another system, or a pipe that belongs to somebody else.
    return STDOUT;
  }
}
