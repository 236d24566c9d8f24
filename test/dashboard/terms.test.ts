/** Every text of the page, in both languages, uses the agreed terms. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Language } from "../../dashboard/src/language/bilingual.ts";
import { TERMS } from "./support/terms.ts";

const SOURCES = fileURLToPath(new URL("../../dashboard/src/", import.meta.url));
const CALL = /\bbilingual(?:<[^(]*>)?\(/g;

/** Returns the end of the bracket or quote at `from` in a source, skipping nested strings and templates. */
function endOf(source: string, from: number): number {
  const opener = source[from] ?? "";
  if (opener === '"' || opener === "'" || opener === "`") {
    for (let at = from + 1; at < source.length; at += 1) {
      if (source[at] === "\\") at += 1;
      else if (source[at] === opener) return at;
    }
    return source.length;
  }
  for (let at = from + 1; at < source.length; at += 1) {
    const character = source[at] ?? "";
    if ("\"'`({[".includes(character)) at = endOf(source, at);
    else if (")}]".includes(character)) return at;
  }
  return source.length;
}

/** Returns the quoted texts in a piece of a source, except property names, with empty placeholders. */
function textsIn(source: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < source.length; at += 1) {
    if (!"\"'`".includes(source[at] ?? " ")) continue;
    const end = endOf(source, at);
    if (source[end + 1] !== ":") found.push(source.slice(at + 1, end).replace(/\$\{[^}]*\}/g, "…"));
    at = end;
  }
  return found;
}

/** Returns the texts of a file by language, from each call of `bilingual`, whose first argument may be a constant of the file. */
function textsOf(source: string): Readonly<Record<Language, readonly string[]>> {
  const texts = { en: [] as string[], nl: [] as string[] };
  for (const { index, 0: call } of source.matchAll(CALL)) {
    const open = index + call.length - 1;
    const inner = source.slice(open + 1, endOf(source, open));
    const named = /^\s*([a-zA-Z]+)\s*,/.exec(inner);
    const first = named === null ? inner.indexOf("{") : -1;
    const split = named === null ? endOf(inner, first) + 1 : named[0].length;
    const constant = named === null ? "" : source.slice(source.indexOf(`const ${named[1]} = {`));
    const english =
      named === null ? inner.slice(first, split) : constant.slice(0, endOf(constant, constant.indexOf("{")));
    texts.en.push(...textsIn(english));
    texts.nl.push(...textsIn(inner.slice(split)));
  }
  return texts;
}

const FILES = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path) && path !== join("language", "bilingual.ts"))
  .map((path) => ({ path, source: readFileSync(join(SOURCES, path), "utf8") }))
  .filter(({ source }) => source.includes("bilingual("));

/** Matches whole words, including accented letters. */
const pattern = (word: string) =>
  new RegExp(`(?<![\\p{L}-])${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}])`, "iu");

/** Matches a mention of the operator, but not the name of their screen. */
const OPERATOR = { en: /\boperator\b/, nl: /\bbeheerder\b/ } as const;
/** The words that the page links to the operator. */
const NAMED = { en: /the operator of this service/i, nl: /de beheerder/i } as const;

/** Matches a text that consists of the word only. */
const alone = (word: string) => [word, new RegExp(`^${word}$`, "iu")] as const;

describe.each(["en", "nl"] as const)("texts in %s", (language) => {
  const texts = FILES.flatMap(({ path, source }) =>
    textsOf(source)[language].map((text) => ({ path, text })),
  );

  it("are all collected", () => {
    expect(FILES.length).toBeGreaterThan(30);
    expect(texts.length).toBeGreaterThan(500);
    for (const known of language === "en"
      ? ["Create account", "private limited company (B.V.)"]
      : ["Inloggen", "eenmanszaak"])
      expect(
        texts.some(({ text }) => text === known),
        known,
      ).toBe(true);
  });

  it("name the operator with the words that become a link", () => {
    // The operator's own screens address the operator directly.
    const faults = texts.filter(
      ({ path, text }) =>
        !path.startsWith(join("pages", "operator")) &&
        OPERATOR[language].test(text) &&
        !NAMED[language].test(text),
    );
    expect(faults).toEqual([]);
  });

  it("use no replaced terms", () => {
    const faults = TERMS[language].flatMap(({ say, notSay = [], notAsButton = [] }) =>
      [...notSay.map((word) => [word, pattern(word)] as const), ...notAsButton.map(alone)].flatMap(
        ([word, found]) =>
          texts
            .filter(({ text }) => found.test(text))
            .map(({ path, text }) => `${path}: “${text.slice(0, 90)}” says “${word}”: say “${say}”`),
      ),
    );
    expect(faults).toEqual([]);
  });
});
