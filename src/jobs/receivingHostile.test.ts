/** Lists made to keep the event loop busy: each is read in short steps, or refused with the line and the rule. */
import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { amount, variants } from "../../test/kit/thorough.ts";
import { workedMs } from "../../test/kit/worked.ts";
import type { JobKind } from "../contract/jobs.ts";
import { type ListForm, receiveList } from "./receiving.ts";

/** Processor time: far above a step's few milliseconds, and far below the seconds that such a list takes as a whole. */
const MAX_STEP_MS = 50;
/** Read in one step, a header of half a megabyte takes a second. */
const BYTES = amount({ ordinary: 1 << 17, thorough: 1 << 19 });
const KINDS: readonly JobKind[] = ["lookup", "match"];
/** A step that is too long is so in each run; a garbage collection in the middle of one is not. */
const MAX_RUNS = 3;

/** Receives a list, and returns how that ended and the processor time of its longest step. */
async function longestStepOf(body: Buffer, form: ListForm, kind: JobKind) {
  let longestMs = 0;
  let begunMs = 0;
  const outcome = await receiveList(Readable.from([body], { objectMode: false }), form, kind, {
    inTurn: async (read) => {
      begunMs = workedMs();
      return read(async () => {
        longestMs = Math.max(longestMs, workedMs() - begunMs);
        await nextTurn();
        begunMs = workedMs();
      });
    },
  }).then(
    () => "accepted",
    (error: unknown) => String(error),
  );
  return { outcome, longestMs: Math.max(longestMs, workedMs() - begunMs) };
}

/** A body of `bytes` bytes that begins with `head`. */
const filled = (part: string, bytes = BYTES, head = "") => head + part.repeat(Math.ceil(bytes / part.length));
const fields = (count: number, nth: number) =>
  Array.from({ length: count }, (_, field) => `"${nth.toString(36)}_${field.toString(36)}":""`).join();
const objects = (count: number, width: number) =>
  Array.from({ length: count }, (_, nth) => `{"name":"x","kvkNumber":"1","vat":"1",${fields(width, nth)}}\n`);

const HEAD = "naam;kvk;btw\n";
const WIDE = `naam;kvk;btw${";x".repeat(990)}\n`;

it.each<[string, ListForm, string, RegExp]>([
  ["a header of delimiters", "csv", filled(";", BYTES, "naam;kvk;btw"), /line 1 is longer/],
  ["a header of commas", "csv", filled(",", BYTES, "naam,kvk,btw"), /line 1 is longer/],
  ["a header of tabs", "csv", filled("\t", BYTES, "naam\tkvk\tbtw"), /line 1 is longer/],
  ["a header of empty quoted cells", "csv", filled('"";', BYTES, "naam;kvk;btw;"), /line 1 is longer/],
  ["a header over many quoted lines", "csv", filled(';;;;"\n"', BYTES, "naam;kvk;btw"), /accepted|at most/],
  [
    "a header of 30,000 columns",
    "csv",
    `naam;kvk;btw${";x".repeat(30_000)}\n1;1;1`,
    /line 1 has more than 1000 columns/,
  ],
  ["a header of line breaks that end nothing", "csv", `naam;kvk;btw\r\n${filled(";;;;\n")}`, /is empty/],
  ["a row of delimiters", "csv", filled(";", BYTES, HEAD), /accepted|line 2 is longer/],
  ["a row of quotes", "csv", filled('"', BYTES, HEAD), /accepted|line 2 is longer/],
  ["a row of one quoted cell", "csv", filled("x", BYTES, `${HEAD}"`), /accepted|line 2 is longer/],
  ["rows that open a quote", "csv", filled('"a\n', BYTES, HEAD), /accepted|at most/],
  ["rows that open a quote in each cell", "csv", filled('"a;""b;"c";"d\n', BYTES, HEAD), /accepted|at most/],
  ["rows as wide as they may be", "csv", filled(`${";x".repeat(32_000)}\n`, BYTES, HEAD), /accepted/],
  ["empty rows as wide as they may be", "csv", filled(`${";".repeat(65_000)}\n`, BYTES, HEAD), /is empty/],
  ["wide rows under a wide header", "csv", filled(`a${";y".repeat(990)}\n`, BYTES, WIDE), /accepted/],
  [
    "quoted cells as long as they may be",
    "csv",
    filled(`"${"\n".repeat(60_000)}";1;1\n`, BYTES, HEAD),
    /accepted/,
  ],
  ["the shortest rows", "csv", filled("a\n", BYTES, HEAD), /accepted|at most/],
  ["NUL characters", "csv", filled("\0;", BYTES, HEAD), /accepted|control|line 2 is longer/],
  ["rows of NUL characters", "csv", filled("\0;\0\n", BYTES, HEAD), /accepted|control|at most/],
  ["empty lines", "csv", filled("\n", BYTES, `${HEAD}a;1;1\n`), /accepted/],
  [
    "the line breaks of old spreadsheets",
    "csv",
    filled("a;1;1\r", BYTES, "naam;kvk;btw\r"),
    /accepted|at most/,
  ],
  ["one line", "jsonl", filled("x", BYTES, '"'), /line 1 is longer/],
  ["one deep line", "jsonl", filled("[", 60_000), /line 1 (?:must|is not)/],
  ["empty lines", "jsonl", filled("\n", BYTES, '"1"\n'), /accepted/],
  ["lines of blanks", "jsonl", filled(`${" ".repeat(60_000)}\n`, BYTES, '"1"\n'), /accepted/],
  ["an object of many fields", "jsonl", objects(1, 6_000).join(""), /line 1 .*(?:not JSON|most 1000 fields)/],
  ["objects of other fields each", "jsonl", objects(100, 900).join(""), /accepted/],
  [
    "small objects of other fields each",
    "jsonl",
    objects(amount({ ordinary: 2_000, thorough: 20_000 }), 1).join(""),
    /accepted/,
  ],
  [
    "objects with long texts",
    "jsonl",
    filled(`{"name":"${"@ ".repeat(30_000)}","kvk":"1","vat":"1"}\n`),
    /accepted/,
  ],
])("a list with %s (%s) never blocks the event loop for long", async (_what, form, text, expected) => {
  const body = Buffer.from(text);
  for (const kind of KINDS) {
    const runs = [await longestStepOf(body, form, kind)];
    while (runs.length < MAX_RUNS && runs.every(({ longestMs }) => longestMs >= MAX_STEP_MS)) {
      runs.push(await longestStepOf(body, form, kind));
    }
    for (const { outcome } of runs) expect([kind, outcome]).toEqual([kind, expect.stringMatching(expected)]);
    expect(Math.min(...runs.map(({ longestMs }) => longestMs))).toBeLessThan(MAX_STEP_MS);
  }
});

it.each<[string, ListForm, string, RegExp]>([
  ["empty lines", "csv", filled("\n", 5 << 20, HEAD), /at most 1000000 lines/],
  [
    "line breaks of old spreadsheets",
    "csv",
    filled("\r", 5 << 20, "naam;kvk;btw\r"),
    /at most 1000000 lines/,
  ],
  ["blank lines", "jsonl", filled(" \n", 5 << 20, '"1"\n'), /at most 1000000 lines/],
  [
    "rows that only later rows show to be broken",
    "csv",
    filled('xx";"\n', 690_000, HEAD),
    /quotes of too many/,
  ],
])("a list of %s (%s) is refused before it takes long", async (_what, form, text, expected) => {
  const begunMs = workedMs();
  for (const kind of variants(KINDS, { ordinary: 1 })) {
    const outcome = receiveList(Readable.from([Buffer.from(text)], { objectMode: false }), form, kind);
    await expect(outcome).rejects.toThrow(expected);
  }
  // The whole of such a list takes many times as long.
  expect(workedMs() - begunMs).toBeLessThan(15_000);
});
