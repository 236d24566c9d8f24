/** No text that callers, files or upstreams send makes a regular expression slow. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { collect } from "./expressions/collect.ts";
import { findSlow, findSlowWithin } from "./expressions/measure.ts";

/** Expressions that functions construct, by the reason why their input cannot make them slow. */
const CONSTRUCTED_LATER: Readonly<Record<string, string>> = {
  "dashboard/src/docs/search.ts": "the words of a search, escaped, each after one letter",
  "src/http/input/schemaReader.ts": "the patterns of schemas, which are tested as such",
  "src/demo/vies/magic.ts": "a number of nines and three digits",
};
/** Expressions that were too slow: the first one is cubic, the others quadratic and exponential. */
const WERE_SLOW = [
  /\s*\(?(?<!\p{L})(?:kvk|k\.v\.k\.|tel\.?|e-?mail)[\s:.]+[^\s,;)]+\)?|\s*\S+@\S+\.\S+/giu,
  /\s*\S+@\S+\.\S+/giu,
  /\/+$/,
  /^[\s,;|-]+|[\s,;|-]+$/g,
  /\s*\n\s*/g,
  /^(.+?)[\s-]+([a-z]{2,3})$/iu,
  /<!--[\s\S]*?-->/g,
  /^(?:a+)+$/,
  /^(?:a|a)*b$/,
  /^x(?:[a-z]+,?)*;$/,
];
/** Expressions that are linear, though they look like the above. */
const LINEAR = [
  /^\S[^\s@]*@\S[^\s.]*\.\S+$/,
  /(?<!\/)\/+$/,
  /(?<!\s)\s*\n\s*/g,
  /^(?:a|b)*c$/,
  /[A-Za-z0-9_+/-]{16,}/g,
  /[^\s:@/]:[^\s:@/]{1,20}@[^\s@]/,
];

const { found, constructedLater } = collect();
const shown = ({ source, flags }: RegExp) => `/${source}/${flags}`.slice(0, 60);

describe("regular expressions", () => {
  it("are all collected: every literal, and everything that is constructed", () => {
    const files = constructedLater.map((at) => at.replace(/:[0-9]+$/, ""));
    expect(new Set(files)).toEqual(new Set(Object.keys(CONSTRUCTED_LATER)));
    expect(found.length).toBeGreaterThan(500);
    expect(found.map(({ at }) => at)).toContainEqual(expect.stringMatching(/^src\/match\/cleanName\.ts:/));
    expect(found.filter(({ at }) => at.startsWith("src/company/streetLine.ts:")).length).toBeGreaterThan(20);
  });

  it("take less than 8 times as long for four times the text, or as little as the bound next to them allows", () => {
    const distinct = new Map(found.map((one) => [`${one.expression} ${one.maxLetters}`, one]));
    const slow = [...distinct.values()].flatMap(({ at, expression, maxLetters }) => {
      const found = maxLetters === undefined ? findSlow(expression) : findSlowWithin(expression, maxLetters);
      return found === undefined ? [] : [{ at, expression: shown(expression), ...found }];
    });
    expect(slow).toEqual([]);
  });

  it("in the API document do so too", () => {
    const patterns = readFileSync(new URL("../../openapi.json", import.meta.url), "utf8").matchAll(
      /"pattern": ("(?:[^"\\]|\\.)*")/g,
    );
    const distinct = [...new Set(Array.from(patterns, ([, text = '""']) => String(JSON.parse(text))))];
    expect(distinct.length).toBeGreaterThan(5);
    expect(distinct.filter((pattern) => findSlow(new RegExp(pattern, "u")) !== undefined)).toEqual([]);
  });

  it.each(WERE_SLOW.map((expression) => [shown(expression), expression] as const))(
    "%s is found to be slow",
    (_, slow) => {
      expect(findSlow(slow)).toBeDefined();
    },
  );

  it.each(LINEAR.map((expression) => [shown(expression), expression] as const))(
    "%s is found to be linear",
    (_, linear) => {
      expect(findSlow(linear)).toBeUndefined();
    },
  );
});
