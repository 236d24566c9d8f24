import { constants, fstatSync, openSync } from "node:fs";
import pino, { type Logger } from "pino";
import { withTimeout } from "../../lib/deadline.ts";
import type { Settings } from "../settings/settings.ts";
import { errorFacts } from "./errorFacts.ts";

const STDOUT = 1;
/** Lines are written in chunks of this size, or after a second. */
const GATHER_BYTES = 8_192;
const FLUSH_EVERY_MS = 1_000;
/** The buffer for a log that cannot be written. Further lines are dropped and counted. */
const MAX_BUFFERED_BYTES = 16 * 1_024 * 1_024;
/** How long the end of the process waits for a slow reader or a full disk. */
const LAST_LINES_WITHIN_MS = 500;
/** Writes of at most this size to a pipe do not mix with writes of other processes (POSIX: PIPE_BUF). */
const ATOMIC_BYTES = 4_096;

export interface Log {
  readonly logger: Logger;
  /** Starts writing the buffered lines. */
  flushSoon(): void;
  /** Logs an uncaught error. */
  escaped(error: unknown): void;
  /** Writes the buffered lines at the end of the program, within a second even if stdout is blocked. */
  flush(): Promise<void>;
}

/**
 * JSON lines on stdout, buffered and written in the background: calls do not wait for the reader, and the end of the
 * process waits a second at most.
 * @param isShared whether other processes write to the same stdout; lines then stay whole
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
    maxLength: MAX_BUFFERED_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
    ...(isShared && { maxWrite: ATOMIC_BYTES }),
    retryEAGAIN: () => performance.now() < endsMs,
  });
  let isFailing = false;
  // A full disk or a closed reader: retried after a second.
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
    logger.warn({ lines }, "log lines were lost: the log could not be written");
  });
  const flushSync = () => {
    endsMs = Math.min(endsMs, performance.now() + LAST_LINES_WITHIN_MS);
    try {
      // The library would retry forever on a full disk.
      if (isFailing) output.destroy();
      else output.flushSync();
    } catch {
      // The reader has gone.
    }
  };
  // A process that ends by an uncaught error still logs what led to it.
  process.once("exit", flushSync);
  return {
    logger,
    escaped(error) {
      logger.error({ err: error }, "uncaught error: the process exits");
      output.flush();
    },
    async flush() {
      await withTimeout(LAST_LINES_WITHIN_MS, new Promise<void>((resolve) => output.flush(() => resolve())));
      flushSync();
    },
    flushSoon: () => output.flush(),
  };
}

/** A stdout whose writes never block: a pipe or terminal is reopened for this process only. */
function stdoutWithoutWaiting(): number {
  const stat = fstatSync(STDOUT);
  // Writes to a socket opened by Node.js do not block.
  if (stat.isSocket()) void process.stdout.writable;
  if (!stat.isFIFO() && !stat.isCharacterDevice()) return STDOUT;
  try {
    return openSync(
      `/proc/self/fd/${STDOUT}`,
      constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY,
    );
  } catch {
    // Another operating system, or another user's pipe.
    return STDOUT;
  }
}
