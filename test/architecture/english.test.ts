import { expect, it } from "vitest";
import { repositoryFiles, textOf } from "./repository.ts";

/** Words and phrases that make a text hard to read, with the plain English to use. Matching ignores case. */
const PHRASES: readonly (readonly [phrase: RegExp, better: string])[] = [
  [/\btold\b/gi, "returned, sent, logged, notified"],
  [/\btells?\b(?! \w+(?: \w+)? apart\b)/gi, "says, shows, reports, returns"],
  [/\bwhoever\b|\bof whom\b|\bwhomever\b/gi, "anyone who; or name the person"],
  [
    /\bneeds? nobody\b|\bnobody (?:who|else)\b|\b(?:to|of) nobody\b(?! )/gi,
    "no one; or name what is missing",
  ],
  [/\bby and by\b|\blittle by little\b/gi, "in the background, gradually"],
  [/\bbeside\b/gi, "next to, in addition to, in parallel"],
  [/\bworked off\b|\bis worked\b|\bare worked\b/gi, "processed"],
  [/\bas it were\b|\bof now\b|\bonce more\b|\bfor nothing\b/gi, "leave it out; again; free of charge"],
  [/\bmay not be any more\b|\bno more (?:than that )?be\b/gi, "is not allowed any more"],
  [/\bis let in\b|\blets? in\b|\blet in\b/gi, "is allowed, allows"],
  [/\bin the place of\b/gi, "instead of"],
  [/\basked of\b/gi, "requested from"],
];

/** Beginnings of comments, headings and test titles that are no sentence. */
const BEGINNINGS =
  /^\s*(?:\/\*\*|\*|\/\/|#+)\s+(?:What|Who|Whose|That which|How what|That what)\b(?![^\n]*\?)|\b(?:it|describe|test)(?:\.\w+)?\(\s*["`](?:what|who|whose)\b/gim;

/** Names that need a second look; `MAX_` and `MIN_`, or the term of the trade, say the same. */
const NAMES =
  /\b(?:MOST|LEAST|SHORTEST|LONGEST)_[A-Z]\w*|\b(?:Told|Said|Heard|Asked|Askers|Kept|Keep|Met|Desk|Guest|House(?!Number)|Meant)(?:[A-Z]\w*)?\b(?=\s*[<={(:;,|&)\]])/g;

/** Where a word is data and not our English. */
const DATA: readonly RegExp[] = [
  /^test\/dashboard\/support\/terms\.ts$/,
  /^LICENSE$/,
  /^package-lock\.json$/,
  /^cspell/,
  /english\.test\.ts$/,
];

/** Allowed lines: names that callers rely on, and texts of others. */
const ALLOWED: readonly RegExp[] = [/"told"|\btold:|\.told\b|\{ told\b|`told`/];

const files = repositoryFiles().filter(
  (path) =>
    /\.(?:[jt]sx?|md|ya?ml|json|html|css|sh|toml|service|conf)$|^\.ci\/|Dockerfile$/.test(path) &&
    !DATA.some((rule) => rule.test(path)),
);

function found(rule: RegExp): readonly string[] {
  return files.flatMap((path) => {
    const text = textOf(path);
    if (text.search(rule) === -1) return [];
    return text.split("\n").flatMap((line, index) => {
      const match = line.match(rule);
      return match === null || ALLOWED.some((allowed) => allowed.test(line))
        ? []
        : [`${path}:${index + 1}: ${match[0].trim()}`];
    });
  });
}

it.each(PHRASES)("uses plain English instead of %s: %s", (phrase) => {
  expect(found(phrase)).toEqual([]);
});

it("begins comments, headings and test titles with the thing or the verb", () => {
  expect(found(BEGINNINGS)).toEqual([]);
});

it("names things by the terms of the trade", () => {
  expect(found(NAMES)).toEqual([]);
});
