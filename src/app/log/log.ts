import pino, { type Logger } from "pino";
import type { Settings } from "../settings/settings.ts";
import { errorFacts } from "./errorFacts.ts";
import { LogOutput } from "./output.ts";

/** A line is written at once when so much has gathered, else within a second: a write for each would cost a call. */
const GATHER_LENGTH = 32_768;
const STDOUT = 1;

export interface Log {
  readonly logger: Logger;
  /** Writes soon what has gathered, without waiting for more. */
  flushSoon(): void;
  /** Logs at once an error that nobody caught. */
  escaped(error: unknown): void;
  /** Writes what has gathered before it is fulfilled, within a second whatever stdout does; for the end of the program. */
  flush(): Promise<void>;
}

/**
 * JSON lines on stdout.
 * @param isShared whether other processes write to the same stdout: lines stay whole
 */
export function openLog({ LOG_LEVEL: level }: Pick<Settings, "LOG_LEVEL">, { isShared = false } = {}): Log {
  if (level === "silent") {
    const logger = pino({ level }, { write() {} });
    return { logger, escaped() {}, flush: async () => {}, flushSoon() {} };
  }
  const output = new LogOutput({
    fd: STDOUT,
    gatherLength: GATHER_LENGTH,
    isShared,
    onLost: (lines) => logger.warn({ lines }, "lines of the log are lost: it could not be written"),
  });
  const logger: Logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: errorFacts } },
    output,
  );
  // A process that ends by an error nobody caught still tells what led to it.
  process.once("exit", () => output.flushSync());
  return {
    logger,
    escaped(error) {
      logger.error({ err: error }, "nobody caught this error: the process ends");
      output.hand();
    },
    flush: () => output.flush(),
    flushSoon: () => output.hand(),
  };
}
