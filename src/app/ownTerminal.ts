/** The terminal of this process, as its commands know it. */
import type { Input, Screen } from "../cli/command.ts";

/** Where a command writes its lines. */
export interface Terminal {
  /** A line on stdout. */
  out(line: string): void;
  /** A line on stderr. */
  err(line: string): void;
  readonly stderrIsTerminal: boolean;
  /** A file or a pipe, unless given. */
  readonly screen?: Screen;
  /** Ended, unless given. */
  readonly input?: Input;
}

export const NO_SCREEN: Screen = { columns: undefined, hasColours: false };
export const NO_INPUT: Input = { isTerminal: true, async *lines() {} };

async function* ownLines(): AsyncGenerator<string> {
  const { createInterface } = await import("node:readline");
  yield* createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
}

let isOutWatched = false;

/** A reader that has enough (`| head`) is no failure: what it does not read goes nowhere. */
function ownOut(line: string): void {
  if (!isOutWatched) {
    isOutWatched = true;
    process.stdout.on("error", (error) => {
      if (!("code" in error && error.code === "EPIPE")) throw error;
    });
  }
  process.stdout.write(`${line}\n`);
}

/** That of this process. */
export const OWN_TERMINAL: Terminal = {
  out: ownOut,
  err: (line) => process.stderr.write(`${line}\n`),
  stderrIsTerminal: process.stderr.isTTY === true,
  // Each is looked at when a command asks for it: opening stdin would keep a process.
  get screen() {
    const { stdout } = process;
    return stdout.isTTY === true ? { columns: stdout.columns, hasColours: stdout.hasColors() } : NO_SCREEN;
  },
  get input() {
    return { isTerminal: process.stdin.isTTY === true, lines: ownLines };
  },
};
