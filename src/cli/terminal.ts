/** Where commands print, and what they read. */

/** The destination of stdout. */
export interface Screen {
  /** Width of the terminal; undefined for a file or a pipe, where nothing is truncated. */
  readonly columns: number | undefined;
  readonly hasColours: boolean;
}

/** The source of stdin. */
export interface Stdin {
  readonly isTerminal: boolean;
  lines(): AsyncIterable<string>;
}

export interface Terminal {
  /** A line on stdout: results only, so that output can be piped. */
  out(line: string): void;
  /** A line on stderr: progress, hints, reasons. */
  err(line: string): void;
  readonly stderrIsTerminal: boolean;
  /** By default a file or a pipe. */
  readonly screen?: Screen;
  /** By default at its end. */
  readonly input?: Stdin;
}

export const NO_SCREEN: Screen = { columns: undefined, hasColours: false };
export const NO_INPUT: Stdin = { isTerminal: true, async *lines() {} };

async function* ownLines(): AsyncGenerator<string> {
  const { createInterface } = await import("node:readline");
  yield* createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
}

let isOutWatched = false;

/** A reader that stops (`| head`) is not a failure: the rest is discarded. */
function ownOut(line: string): void {
  if (!isOutWatched) {
    isOutWatched = true;
    process.stdout.on("error", (error) => {
      if (!("code" in error && error.code === "EPIPE")) throw error;
    });
  }
  process.stdout.write(`${line}\n`);
}

/** The terminal of this process. */
export const PROCESS_TERMINAL: Terminal = {
  out: ownOut,
  err: (line) => process.stderr.write(`${line}\n`),
  stderrIsTerminal: process.stderr.isTTY === true,
  // Opened when a command uses them: an open stdin keeps the process alive.
  get screen() {
    const { stdout } = process;
    return stdout.isTTY === true ? { columns: stdout.columns, hasColours: stdout.hasColors() } : NO_SCREEN;
  },
  get input() {
    return { isTerminal: process.stdin.isTTY === true, lines: ownLines };
  },
};
