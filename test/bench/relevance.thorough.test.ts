import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLASSES, type QueryClass } from "../../bench/relevance/classes.ts";
import { type Answer, type Measured, measure, placeOf, relevanceOf } from "../../bench/relevance/measure.ts";
import type { Query } from "../../bench/relevance/queries.ts";
import { REAL_NAMES_FILE } from "../../bench/relevance/registry.ts";
import { missedMinimums, renderReport } from "../../bench/relevance/report.ts";
import { parseKvkNumber } from "../../src/contract/numbers.ts";
import { checkoutState } from "../kit/checkout.ts";
import { temporaryFolder } from "../kit/world.ts";

const kvkNumber = parseKvkNumber("50000001");
if (kvkNumber === undefined) throw new RangeError("a number of eight digits is a KVK number");
const WANTED = { kvkNumber, name: "Bakkerij Jansen B.V." };
const query = (q = "bakkerij"): Query => ({ q, target: WANTED });
const other = (name = "Ander") => ({ kvkNumber: "59999999", name });
const right = { kvkNumber: WANTED.kvkNumber, name: "Iets anders" };
const answer = (hits: Answer["hits"], us = 1): Answer => ({ hits, us });

describe("the rank of the right hit", () => {
  it("is that of the company, or of one with the same normalised name", () => {
    expect(placeOf(WANTED, answer([other(), right]))).toBe(2);
    expect(placeOf(WANTED, answer([other("BAKKERIJ JANSEN BV"), right]))).toBe(1);
    expect(placeOf(WANTED, answer([{ ...other(), matchedName: "Bakkerij Jansen bv" }]))).toBe(1);
    expect(placeOf(WANTED, answer([other("Bakkerij Jansen")]))).toBeUndefined();
  });

  it("is undefined after the eighth hit or without a response", () => {
    const eight = Array.from({ length: 8 }, () => other());
    expect(placeOf(WANTED, answer([...eight, right]))).toBeUndefined();
    expect(placeOf(WANTED, undefined)).toBeUndefined();
  });
});

describe("relevance", () => {
  it("equals the figure computed by hand", () => {
    const answers = [
      answer([right], 10),
      answer([other(), right], 20),
      answer([other(), other(), other(), right], 30),
      answer([other()], 1_000),
    ];
    expect(relevanceOf([query(), query(), query(), query()], answers)).toEqual({
      queries: 4,
      first: 0.25,
      shown: 0.75,
      reciprocalRank: (1 + 1 / 2 + 1 / 4) / 4,
      medianUs: 20,
      p99Us: 1_000,
      maxUs: 1_000,
    });
  });

  it("of no queries is zero", () => {
    expect(relevanceOf([], [])).toMatchObject({ queries: 0, first: 0, shown: 0, reciprocalRank: 0 });
  });
});

function classOf(id: string): QueryClass {
  const found = CLASSES.find((one) => one.id === id);
  if (found === undefined) throw new RangeError(`there is no class ${id}`);
  return found;
}

const FULL = classOf("full");

/**
 * A hundred queries of a class for real names, of which `first` rank their company first and `second` rank it second.
 */
function measured(queryClass = FULL, first = 100, second = 0): Measured {
  const queries = Array.from({ length: 100 }, () => query());
  const answers = queries.map((_, index) =>
    answer(index < first ? [right] : index < first + second ? [other(), right] : []),
  );
  const relevance = relevanceOf(queries, answers);
  return { source: "real", queryClass, queries, answers, relevance };
}

describe("measuring", () => {
  it("sends each text once, so that no cached response is measured", () => {
    const queries: string[] = [];
    const find = (q: string) => {
      queries.push(q);
      return [other(q)];
    };
    const set = (...texts: string[]) => ({
      source: "real" as const,
      queryClass: FULL,
      queries: texts.map(query),
    });
    const [first, second] = measure(find, { sets: [set("a", "b", "a"), set("b")], warmUp: ["c"] });
    expect(queries).toEqual(["c", "a", "b"]);
    expect(first?.answers[2]).toBe(first?.answers[0]);
    expect(second?.answers[0]).toBe(first?.answers[1]);
  });
});

describe("promised minimums", () => {
  it("are reported as missed if real names do not reach them, or were not measured", () => {
    const all = CLASSES.map((one) => measured(one));
    expect(missedMinimums(all)).toEqual([]);
    const typo = classOf("one-typo");
    const withTypos = (first: number, second: number) =>
      missedMinimums(all.map((one) => (one.queryClass === typo ? measured(typo, first, second) : one)));
    expect(withTypos(93, 4)).toEqual([]);
    expect(withTypos(92, 5)).toEqual(["one typo, first: 92.0 % of 100 real names, at least 93.0 % promised"]);
    expect(withTypos(93, 3)).toEqual([
      "one typo, in the first 8: 96.0 % of 100 real names, at least 97.0 % promised",
    ]);
    const none = { ...measured(), queries: [], relevance: relevanceOf([], []) };
    expect(missedMinimums([none])).toHaveLength(1);
    expect(missedMinimums([])).toEqual(["no real names were measured"]);
  });
});

describe("the report", () => {
  it("marks missed minimums", () => {
    const generated: Measured = { ...measured(classOf("first-3"), 0, 100), source: "generated" };
    const report = renderReport({ companies: 4_000_000, real: [] }, "measured", [
      measured(FULL, 50),
      generated,
    ]);
    const rows = report.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| -"));
    expect(rows).toEqual([
      "| typed | queries | first | in the first 8 | mean reciprocal rank | median | p99 | worst |",
      "| full name | 100 | **50.0 %** (≥ 99.5 %) | 50.0 % | 0.500 | 1 µs | 1 µs | 1 µs |",
      "| typed | queries | first | in the first 8 | mean reciprocal rank | median | p99 | worst |",
      "| first 3 letters | 100 | 0.0 % | 100.0 % | 0.500 | 1 µs | 1 µs | 1 µs |",
    ]);
  });
});

describe("npm run relevance", () => {
  it("does not show the misses of the measured half", async () => {
    const { code, err } = await relevance(["--misses", "misses.jsonl"]);
    expect(code).toBe(1);
    expect(err).toContain("--half tune");
  });

  it("reports every class, and reuses the registry in the next run", async () => {
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
    expect(first.err.includes("Real names are left out")).toBe(!isReal);
    for (const { title } of CLASSES) expect(first.out).toContain(`| ${title} | `);
    expect(/^\| full name \| \d+ \| 100\.0 %/m.test(first.out)).toBe(true);
    for (const line of readFileSync(misses, "utf8").trim().split("\n")) {
      expect(JSON.parse(line)).toMatchObject({ class: expect.any(String), q: expect.any(String) });
    }
    const files = readdirSync(registry);
    const second = await relevance(words);
    expect(readdirSync(registry)).toEqual(files);
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
