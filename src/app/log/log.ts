import pino, { type Logger } from "pino";
import type { Settings } from "../settings/settings.ts";
import { errorFacts } from "./errorFacts.ts";
import { LogOutput } from "./output.ts";
import { plainFacts } from "./plainFacts.ts";

/** A line is written at once when so much has gathered, else within a second: a write for each would cost a call. */
const GATHER_LENGTH = 32_768;
const STDOUT = 1;

export interface Log {
  readonly logger: Logger;
  /** Writes soon what has gathered, without waiting for more. */
  flushSoon(): void;
  /** Tells at once of an error that nobody caught. */
  escaped(error: unknown): void;
  /** Writes what has gathered before it is fulfilled, within a second whatever stdout does; for the end of the program. */
  flush(): Promise<void>;
}

/** Where lines go. */
export interface LineOutput {
  /** Takes a line, which ends in a line end. */
  write(line: string): void;
  hand(): void;
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
    onLost: (lines) => log.logger.warn({ lines }, "lines of the log are lost: it could not be written"),
  });
  const log = logTo(output, level, "nobody caught this error: the process ends");
  // A process that ends by an error nobody caught still tells what led to it.
  process.once("exit", () => output.flushSync());
  return log;
}

/** A log whose lines go to `output`. @param escaped what an error that nobody caught comes to */
export function logTo(output: LineOutput, level: Settings["LOG_LEVEL"], escaped: string): Log {
  const timestamp = isoTime();
  const logger = pino(
    {
      level,
      base: null,
      timestamp,
      serializers: { err: errorFacts },
      hooks: { logMethod: plainFacts(timestamp, (line) => output.write(line)) },
    },
    output,
  );
  return {
    logger,
    escaped(error) {
      logger.error({ err: error }, escaped);
      output.hand();
    },
    flush: () => output.flush(),
    flushSoon: () => output.hand(),
  };
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
