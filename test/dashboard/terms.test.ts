/** Every text of the page, in both languages, uses the agreed terms. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";
import { type Node, nodesOf } from "../../build/syntaxTree.ts";
import type { Language } from "../../dashboard/src/language/bilingual.ts";
import { isJsonObject } from "../../src/lib/values.ts";
import { TERMS } from "./support/terms.ts";

const SOURCES = fileURLToPath(new URL("../../dashboard/src/", import.meta.url));

/** Returns the texts in a part of a syntax tree, with empty placeholders. */
function textsIn(part: unknown): string[] {
  return [...nodesOf(part)].flatMap(({ type, value, quasis }) => {
    if (type === "Literal" && typeof value === "string") return [value];
    return type === "TemplateLiteral" ? [[...nodesOf(quasis)].map(cooked).join("…")] : [];
  });
}

function cooked({ value }: Node): string {
  return isJsonObject(value) ? String(value["cooked"]) : "";
}

/** Whether a node has texts: a call of `bilingual`, or an object of pairs. */
function hasPairs({ type, callee, typeAnnotation }: Node): boolean {
  if (type === "CallExpression") return isJsonObject(callee) && callee["name"] === "bilingual";
  return type === "TSSatisfiesExpression" && JSON.stringify(typeAnnotation).includes('"Pair"');
}

/** Returns the texts of a file by language. */
function textsOf(path: string, source: string): Readonly<Record<Language, readonly string[]>> {
  const nodes = [...nodesOf(parseSync(path, source).program)]
    .filter(hasPairs)
    .flatMap((node) => [...nodesOf(node)]);
  const pairs = [...new Set(nodes)].flatMap(({ type, elements }) =>
    type === "ArrayExpression" && Array.isArray(elements) ? [elements] : [],
  );
  return { en: pairs.flatMap(([en]) => textsIn(en)), nl: pairs.flatMap(([, nl]) => textsIn(nl)) };
}

const FILES = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path) && path !== join("language", "bilingual.ts"))
  .map((path) => ({ path, source: readFileSync(join(SOURCES, path), "utf8") }))
  .filter(({ source }) => source.includes("bilingual.ts"));

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
    textsOf(path, source)[language].map((text) => ({ path, text })),
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
