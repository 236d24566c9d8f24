import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BARS, missedBars } from "../../bench/relevance/bars.ts";
import { CLASSES } from "../../bench/relevance/classes/all.ts";
import { ONE_TYPO } from "../../bench/relevance/classes/typos.ts";
import {
  type Answer,
  type Measured,
  measuredOf,
  placeOf,
  relevanceOf,
} from "../../bench/relevance/measured.ts";
import { REAL_NAMES_FILE } from "../../bench/relevance/names.ts";
import { type Options, parseOptions } from "../../bench/relevance/options.ts";
import { askEach } from "../../bench/relevance/ours.ts";
import type { Query } from "../../bench/relevance/queries.ts";
import { renderReport } from "../../bench/relevance/table.ts";
import { parseKvkNumber } from "../../src/contract/numbers.ts";
import { checkoutState } from "../kit/checkout.ts";
import { temporaryFolder } from "../kit/world.ts";

const kvkNumber = parseKvkNumber("50000001");
if (kvkNumber === undefined) throw new RangeError("a number of eight digits is a KVK number");
const WANTED = { kvkNumber, name: "Bakkerij Jansen B.V." };
const query = (q = "bakkerij"): Query => ({ q, wanted: WANTED });
const other = (name = "Ander") => ({ kvkNumber: "59999999", names: [name] });
const right = { kvkNumber: WANTED.kvkNumber, names: ["Iets anders"] };
const answer = (hits: Answer["hits"], us = 1): Answer => ({ hits, us });

describe("the place of a right hit", () => {
  it("is that of the company, or of one with the same name when normalised", () => {
    expect(placeOf(WANTED, answer([other(), right]))).toBe(2);
    expect(placeOf(WANTED, answer([other("BAKKERIJ JANSEN BV"), right]))).toBe(1);
    expect(placeOf(WANTED, answer([{ ...other(), names: ["Ander", "Bakkerij Jansen bv"] }]))).toBe(1);
    expect(placeOf(WANTED, answer([other("Bakkerij Jansen")]))).toBeUndefined();
  });

  it("is none behind the eighth, or without an answer", () => {
    const eight = Array.from({ length: 8 }, () => other());
    expect(placeOf(WANTED, answer([...eight, right]))).toBeUndefined();
    expect(placeOf(WANTED, undefined)).toBeUndefined();
  });
});

describe("relevance", () => {
  it("is what a hand comes to", () => {
    const answers = [
      answer([right], 10),
      answer([other(), right], 20),
      answer([other(), other(), other(), right], 30),
      answer([other()], 1_000),
    ];
    expect(relevanceOf([query(), query(), query(), query()], answers)).toEqual({
      queries: 4,
      first: 0.25,
      among: 0.75,
      reciprocalRank: (1 + 1 / 2 + 1 / 4) / 4,
      medianUs: 20,
      p99Us: 1_000,
      worstUs: 1_000,
    });
  });

  it("of no query is nothing found", () => {
    expect(relevanceOf([], [])).toMatchObject({ queries: 0, first: 0, among: 0, reciprocalRank: 0 });
  });
});

describe("asking", () => {
  it("asks each text once, so that no answer out of a memory is measured", () => {
    const asked: string[] = [];
    const find = (q: string) => {
      asked.push(q);
      return [other(q)];
    };
    const answered = new Map<string, Answer>();
    const first = askEach(find, ["a", "b", "a"], answered);
    const second = askEach(find, ["b"], answered);
    expect(asked).toEqual(["a", "b"]);
    expect(first[2]).toBe(first[0]);
    expect(second[0]).toBe(first[1]);
  });
});

describe("bars", () => {
  /** A hundred real names typed in one way, of which so many come first and so many more second. */
  function typed(classId: string, first: number, second: number): Measured {
    const queryClass = CLASSES.find(({ id }) => id === classId);
    if (queryClass === undefined) throw new RangeError(`there is no class ${classId}`);
    const queries = Array.from({ length: 100 }, () => query());
    const answers = queries.map((_, index) =>
      answer(index < first ? [right] : index < first + second ? [other(), right] : []),
    );
    return measuredOf({ source: "real", queryClass, queries }, answers);
  }

  it("name a class each", () => {
    for (const { classId } of BARS) expect(CLASSES.map(({ id }) => id)).toContain(classId);
  });

  it("are missed by what real names do not reach, and by what was not measured", () => {
    const all = CLASSES.map(({ id }) => typed(id, 100, 0));
    expect(missedBars(all)).toEqual([]);
    const withTypos = (one: Measured) => [
      ...all.filter(({ queryClass }) => queryClass.id !== ONE_TYPO.id),
      one,
    ];
    expect(missedBars(withTypos(typed(ONE_TYPO.id, 93, 4)))).toEqual([]);
    expect(missedBars(withTypos(typed(ONE_TYPO.id, 92, 5)))).toEqual([
      "one typo, first: 92.0 % of real names, wanted 93.0 %",
    ]);
    expect(missedBars(withTypos(typed(ONE_TYPO.id, 93, 3)))).toEqual([
      "one typo, in the first 8: 96.0 % of real names, wanted 97.0 %",
    ]);
    expect(missedBars([])).toHaveLength(BARS.length);
  });
});

describe("the report", () => {
  it("marks what real names miss", () => {
    const [one, two] = CLASSES.slice(0, 2);
    if (one === undefined || two === undefined) throw new RangeError("too few");
    const measured = [
      measuredOf({ source: "real", queryClass: one, queries: [query("a"), query("b")] }, [
        answer([right], 10),
        answer([], 30),
      ]),
      measuredOf({ source: "generated", queryClass: two, queries: [query("c")] }, [
        answer([other(), right], 20),
      ]),
    ];
    const report = renderReport(optionsOf(["--companies", "4000000"]), 2, measured);
    const rows = report.split("\n").filter((line) => line.startsWith("| "));
    expect(rows).toEqual([
      "| typed | queries | first | in the first 8 | mean reciprocal rank | median | p99 | worst |",
      "| full name | 2 | **50.0 %** (≥ 99.5 %) | 50.0 % | 0.500 | 10 µs | 30 µs | 30 µs |",
      "| typed | queries | first | in the first 8 | mean reciprocal rank | median | p99 | worst |",
      "| first 3 letters | 1 | 0.0 % | 100.0 % | 0.500 | 20 µs | 20 µs | 20 µs |",
    ]);
  });
});

function optionsOf(words: readonly string[]): Options {
  const options = parseOptions(words);
  if (options === "help") throw new RangeError("these words ask for help");
  return options;
}

describe("the options", () => {
  it("keep the misses of the measured half unseen", () => {
    expect(() => parseOptions(["--misses", "misses.jsonl"])).toThrow(/--half tune/);
    expect(parseOptions(["--misses", "misses.jsonl", "--half", "tune"])).toMatchObject({ half: "tune" });
  });
});

describe("npm run relevance", () => {
  it("shows every class for a small registry, and keeps the registry where it is told to", async () => {
    const checkoutBefore = checkoutState();
    const folder = temporaryFolder();
    const misses = join(folder, "misses.jsonl");
    const registry = join(folder, "registry");
    const words = ["--companies", "2000", "--names", "60", "--half", "tune", "--registry", registry];
    const first = await relevance([...words, "--misses", misses]);
    expect(first.code).toBe(0);
    const isReal = existsSync(REAL_NAMES_FILE);
    expect(first.out).toContain("Registry: 2,000 generated companies");
    expect(first.out).toContain("### Generated names");
    expect(first.out.includes("### Real names")).toBe(isReal);
    expect(first.err.includes("real names are left out")).toBe(!isReal);
    for (const { title } of CLASSES) expect(first.out).toContain(`| ${title} | `);
    expect(/^\| full name \| \d+ \| 100\.0 %/m.test(first.out)).toBe(true);
    for (const line of readFileSync(misses, "utf8").trim().split("\n")) {
      expect(JSON.parse(line)).toMatchObject({ class: expect.any(String), q: expect.any(String) });
    }
    const second = await relevance(words);
    expect(second.err).not.toContain("registry: ");
    const figures = (out: string) => out.replaceAll(/[\d.]+ [mµ]s/g, "");
    expect(figures(second.out)).toBe(figures(first.out));
    expect(checkoutState()).toEqual(checkoutBefore);
  });
});

/** Runs the command to its end. */
function relevance(words: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [
    new URL("../../bench/relevance/main.ts", import.meta.url).pathname,
    ...words,
  ]);
  const texts = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    texts.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    texts.err += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...texts }));
  });
}
