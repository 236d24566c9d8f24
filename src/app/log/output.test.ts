import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LogOutput, type LogOutputOptions } from "./output.ts";

const LINE = `${"x".repeat(99)}\n`;
/** More than any pipe takes, less than what is held. */
const MUCH = 20_000;
const MOST_HELD_BYTES = 1_000_000;
/** Far longer than anything here takes, on a machine that stands still for seconds too. */
const WITHIN_MS = 120_000;

let folder: string;
let opened: number[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "opzoek-log-"));
  opened = [];
});
afterEach(() => {
  for (const fd of opened) closeSync(fd);
  rmSync(folder, { recursive: true });
});

function open(path: string, flags: number): number {
  const fd = openSync(path, flags);
  opened.push(fd);
  return fd;
}

/** Both ends of a pipe; nobody reads it by itself. */
function makePipe(): { reader: number; writer: number } {
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  const reader = open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  // Blocking, as a shell hands it over.
  return { reader, writer: open(path, constants.O_WRONLY) };
}

/** What can be read now. */
function readAll(reader: number): string {
  const buffer = Buffer.alloc(1_048_576);
  const parts: string[] = [];
  try {
    for (let bytes = -1; bytes !== 0; ) {
      bytes = readSync(reader, buffer);
      parts.push(buffer.toString("latin1", 0, bytes));
    }
  } catch {
    // Empty.
  }
  return parts.join("");
}

async function untilLength(read: () => string, length: number): Promise<string> {
  const endsMs = performance.now() + WITHIN_MS;
  let text = "";
  while (text.length < length && performance.now() < endsMs) {
    text += read();
    await wait(2);
  }
  return text;
}

const output = (fd: number, more: Partial<LogOutputOptions> = {}) =>
  new LogOutput({ fd, gatherLength: 32_768, onLost: () => {}, ...more });

it("waits for no reader of a pipe, and gives it every line in its place when it reads again", async () => {
  const { reader, writer } = makePipe();
  const log = output(writer);
  const lines = Array.from({ length: MUCH }, (_, place) => `${place} ${LINE}`);
  const startedMs = performance.now();
  for (const line of lines) log.write(line);
  log.hand();
  expect(performance.now() - startedMs).toBeLessThan(WITHIN_MS / 2);
  const whole = lines.join("");
  expect(await untilLength(() => readAll(reader), whole.length)).toBe(whole);
});

it("keeps the lines of several writers to one pipe whole, also when its reader is slow", async () => {
  const { reader, writer } = makePipe();
  const buffer = Buffer.alloc(1_000);
  /** Leaves room in the pipe for a part of what a write has. */
  const readSlowly = () => {
    try {
      return buffer.toString("latin1", 0, readSync(reader, buffer));
    } catch {
      // Empty.
      return "";
    }
  };
  const logs = ["a", "b"].map((letter) => ({ letter, log: output(writer, { isShared: true }) }));
  const line = (letter: string) => `${letter.repeat(150)}\n`;
  for (let nth = 0; nth < 1_000; nth++) for (const { letter, log } of logs) log.write(line(letter));
  for (const { log } of logs) log.hand();
  const text = await untilLength(readSlowly, 2 * 1_000 * line("a").length);
  const count = (letter: string) => text.split("\n").filter((one) => one === letter.repeat(150)).length;
  expect([count("a"), count("b")]).toEqual([1_000, 1_000]);
});

it("holds a bounded lot for a reader that has stalled, counts what is lost, and tells it once it can", async () => {
  const { reader, writer } = makePipe();
  const told: number[] = [];
  const onLost = (lines: number) => {
    told.push(lines);
    log.write(`lost ${lines}\n`);
  };
  const log = output(writer, { mostHeldBytes: MOST_HELD_BYTES, onLost });
  for (let count = 0; count < MUCH; count++) log.write(LINE);
  expect(told).toEqual([]);
  let text = "";
  const endsMs = performance.now() + WITHIN_MS;
  while (!text.slice(-LINE.length).includes("lost") && performance.now() < endsMs) {
    text += readAll(reader);
    await wait(2);
  }
  const lines = text.split("\n").slice(0, -1);
  const [lost = 0] = told;
  expect(lines.pop()).toBe(`lost ${lost}`);
  expect(lines.every((line) => line === LINE.trimEnd())).toBe(true);
  // Each line was written or counted.
  expect(lines.length + lost).toBe(MUCH);
  expect(lost).toBeGreaterThan(0);
  expect(lines.length * LINE.length).toBeLessThan(2 * MOST_HELD_BYTES);
});

it("ends within a second with a reader that has stalled, and without one", async () => {
  const { reader, writer } = makePipe();
  const log = output(writer);
  for (let count = 0; count < MUCH; count++) log.write(LINE);
  const startedMs = performance.now();
  await log.flush();
  expect(performance.now() - startedMs).toBeLessThan(WITHIN_MS);
  closeSync(reader);
  opened.splice(opened.indexOf(reader), 1);
  log.write(LINE);
  await log.flush();
  expect(performance.now() - startedMs).toBeLessThan(WITHIN_MS);
});

it("writes to a file without waiting for its disk, in order, the last lines before the end", async () => {
  const path = join(folder, "log");
  const log = output(open(path, constants.O_WRONLY | constants.O_CREAT));
  const lines = Array.from({ length: MUCH }, (_, place) => `${place} ${LINE}`);
  for (const line of lines) log.write(line);
  await log.flush();
  expect(readFileSync(path, "latin1")).toBe(lines.join(""));
});
