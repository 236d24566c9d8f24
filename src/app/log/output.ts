import { constants, fstatSync, openSync, write, writeSync } from "node:fs";
import { withTimeout } from "../../lib/deadline.ts";

/** So much is held for a log that cannot be written; lines beyond it are lost, and counted. */
const MOST_HELD_BYTES = 16 * 1_024 * 1_024;
const HAND_EVERY_MS = 1_000;
/** A reader that is behind is tried again soon at first. A full disk, or a reader that went away, with the next second. */
const RETRY_MS = { first: 5, most: 200 } as const;
/** Written in one turn of the event loop at most. */
const MOST_IN_A_TURN_BYTES = 1_048_576;
/** At the end a slow reader is waited for; one that has taken nothing for `stalledMs` is not. */
const LAST_LINES = { stalledMs: 500, mostMs: 500, lookEveryMs: 2 } as const;

export interface LogOutputOptions {
  readonly fd: number;
  /** Lines are handed on when there is so much of them, else within a second. Characters: our lines are ASCII but for what an error says. */
  readonly gatherLength: number;
  /** So many lines could not be held while nothing could be written; now it can. */
  readonly onLost: (lines: number) => void;
  readonly mostHeldBytes?: number;
  /** Whether other processes write to the same file or pipe: then each write is small enough to be whole. */
  readonly isShared?: boolean;
}

/** The system does not divide writes of this size to a pipe (PIPE_BUF of POSIX, as Linux has it). */
const WHOLE_WRITE_BYTES = 4_096;

/**
 * Lines on their way to a file, a pipe, a socket or a terminal that may be full, slow or gone. Lines that come together are
 * written together. Nothing waits for the reader, neither the event loop nor, for longer than a second, the end of the process.
 */
export class LogOutput {
  readonly #options: LogOutputOptions;
  readonly #sink: Sink;
  #lines: string[] = [];
  #linesLength = 0;
  /** Each is written in one go if the system takes it; the first may be what is left of one. */
  #chunks: Buffer[] = [];
  #chunksBytes = 0;
  #lost = 0;
  #underWay: Promise<void> | undefined;
  #isFlushing = false;
  #retry: NodeJS.Timeout | undefined;
  #retryMs: number = RETRY_MS.first;
  #stalledSinceMs: number | undefined;

  constructor(options: LogOutputOptions) {
    this.#options = options;
    this.#sink = openSink(options.fd);
    setInterval(() => this.hand(), HAND_EVERY_MS).unref();
  }

  /** Takes a line, which ends in a line end. */
  write(line: string): void {
    if (this.#linesLength + this.#chunksBytes >= (this.#options.mostHeldBytes ?? MOST_HELD_BYTES)) {
      this.#lost += 1;
      return;
    }
    this.#lines.push(line);
    this.#linesLength += line.length;
    if (this.#linesLength >= this.#options.gatherLength) this.hand();
  }

  /** Writes what has gathered, as far as that is possible now. */
  hand(): void {
    this.#gather();
    this.#pump();
  }

  /** Writes what has gathered before it is fulfilled, but for what nobody takes; for the end of the program. */
  async flush(): Promise<void> {
    this.#isFlushing = true;
    if (this.#underWay !== undefined) await withTimeout(LAST_LINES.stalledMs, this.#underWay);
    this.flushSync();
    this.#isFlushing = false;
  }

  /** The same before it returns. What is under way to a file is left to the system. */
  flushSync(): void {
    const endsMs = performance.now() + LAST_LINES.mostMs;
    const chunkUnderWay = this.#underWay === undefined ? undefined : this.#chunks.shift();
    this.#gather();
    while (this.#chunks.length > 0) {
      const code = this.#writeFirst();
      if (code === undefined) continue;
      const nowMs = performance.now();
      const stalledMs = nowMs - (this.#stalledSinceMs ?? nowMs);
      if (code !== "EAGAIN" || stalledMs >= LAST_LINES.stalledMs || nowMs >= endsMs) break;
      pause(LAST_LINES.lookEveryMs);
    }
    if (chunkUnderWay !== undefined) this.#chunks.unshift(chunkUnderWay);
  }

  #gather(): void {
    if (this.#lines.length === 0) return;
    const most = this.#options.isShared === true ? WHOLE_WRITE_BYTES : Number.POSITIVE_INFINITY;
    for (const text of joined(this.#lines, most)) {
      const chunk = Buffer.from(text);
      this.#chunks.push(chunk);
      this.#chunksBytes += chunk.length;
    }
    this.#lines = [];
    this.#linesLength = 0;
  }

  #pump(): void {
    if (this.#underWay !== undefined) return;
    clearTimeout(this.#retry);
    if (this.#sink.isFile) {
      this.#writeToFile();
      return;
    }
    const before = this.#chunksBytes;
    while (this.#chunks.length > 0) {
      const code = this.#writeFirst();
      if (code === "EAGAIN") this.#tryAgainSoon();
      if (code !== undefined) return;
      if (before - this.#chunksBytes >= MOST_IN_A_TURN_BYTES) {
        this.#retry = setTimeout(() => this.#pump(), 0).unref();
        return;
      }
    }
  }

  #tryAgainSoon(): void {
    this.#retry = setTimeout(() => this.#pump(), this.#retryMs).unref();
    this.#retryMs = Math.min(2 * this.#retryMs, RETRY_MS.most);
  }

  /** @returns why nothing of it could be written, undefined when something was */
  #writeFirst(): string | undefined {
    const [chunk] = this.#chunks;
    if (chunk === undefined) return undefined;
    try {
      this.#wrote(this.#sink.write(chunk));
      return undefined;
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** By another thread: a disk that is slow holds up nobody. */
  #writeToFile(): void {
    const [chunk] = this.#chunks;
    if (chunk === undefined) return;
    this.#underWay = new Promise((resolve) => {
      write(this.#sink.fd, chunk, 0, chunk.length, null, (error, bytes) => {
        this.#underWay = undefined;
        if (error === null) this.#wrote(bytes);
        else this.#failed(error);
        resolve();
        if (error === null && !this.#isFlushing) this.#pump();
      });
    });
  }

  #wrote(bytes: number): void {
    const [chunk] = this.#chunks;
    if (chunk === undefined) return;
    if (bytes === chunk.length) this.#chunks.shift();
    else this.#chunks[0] = chunk.subarray(bytes);
    this.#chunksBytes -= bytes;
    this.#stalledSinceMs = undefined;
    this.#retryMs = RETRY_MS.first;
    if (this.#chunks.length > 0 || this.#lost === 0) return;
    const lost = this.#lost;
    this.#lost = 0;
    this.#options.onLost(lost);
    this.#gather();
  }

  #failed(error: unknown): string {
    this.#stalledSinceMs ??= performance.now();
    return error instanceof Error && "code" in error ? String(error.code) : "unknown";
  }
}

/** Lines joined to texts of at most so many characters; a longer line is a text of its own. */
function joined(lines: readonly string[], most: number): readonly string[] {
  const texts: string[] = [];
  let text = "";
  for (const line of lines) {
    if (text !== "" && text.length + line.length > most) {
      texts.push(text);
      text = "";
    }
    text += line;
  }
  return [...texts, text];
}

interface Sink {
  readonly fd: number;
  /** Whether a write can wait for a disk; else it never waits. */
  readonly isFile: boolean;
  /** @throws {Error} `EAGAIN` when it would have to wait */
  write(chunk: Buffer): number;
}

/**
 * What is no file must never wait, nor may it be made so for others: a pipe or a terminal is opened once more, for this
 * process alone. What cannot be opened, as a socket, is Node's own stdout, which does not wait either.
 */
function openSink(fd: number): Sink {
  const stat = fstatSync(fd);
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
  if (stat.isFIFO() || stat.isCharacterDevice()) {
    try {
      const own = openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
      return { fd: own, isFile: false, write: (chunk) => writeSync(own, chunk) };
    } catch {
      // Another system, or a pipe that belongs to somebody else.
    }
  }
  const handle = stat.isFIFO() || stat.isSocket() ? handleOf(process.stdout) : undefined;
  if (handle === undefined || fd !== process.stdout.fd) {
    return { fd, isFile: true, write: (chunk) => writeSync(fd, chunk) };
  }
  return {
    fd,
    isFile: false,
    write(chunk) {
      // A process that starts or ends on the same socket sets it back.
      handle.setBlocking(false);
      return writeSync(fd, chunk);
    },
  };
}

interface StreamHandle {
  setBlocking(isBlocking: boolean): void;
}

function handleOf(stream: object): StreamHandle | undefined {
  const handle = "_handle" in stream ? stream._handle : undefined;
  const isOne = typeof handle === "object" && handle !== null && "setBlocking" in handle;
  return isOne && typeof handle.setBlocking === "function" ? (handle as StreamHandle) : undefined;
}

const nobody = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Waits without the event loop, which turns no more when a process ends. */
function pause(ms: number): void {
  Atomics.wait(nobody, 0, 0, ms);
}
