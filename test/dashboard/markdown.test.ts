/** Markdown of the docs page, without a browser. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ApiDocument, operationsOf } from "../../dashboard/src/docs/document/openapi.ts";
import {
  anchorOf,
  blocksOf,
  lineText,
  plainText,
  spansOf,
} from "../../dashboard/src/docs/markdown/blocks.ts";
import { textOf } from "../architecture/repository.ts";

describe("Markdown", () => {
  it("is parsed into headings, paragraphs, lists, tables and examples", () => {
    const text =
      "Of `code`.\nGoes on.\n## Wat nu?\n- one\n  goes on\n- two\n\n1. first\n2. second\n\n<!-- made: here -->\n| a | b |\n|---|---|\n| 1 | `2` |\n\n```json\n{\n\n# <b>\n}\n```";
    expect(blocksOf(text)).toMatchObject([
      { type: "paragraph", text: "Of `code`.\nGoes on." },
      { type: "heading", depth: 2, text: "Wat nu?" },
      { type: "list", ordered: false, items: [{ text: "one\ngoes on" }, { text: "two" }] },
      { type: "list", ordered: true, items: [{ text: "first" }, { text: "second" }] },
      { type: "table", header: [{ text: "a" }, { text: "b" }], rows: [[{ text: "1" }, { text: "`2`" }]] },
      { type: "code", lang: "json", text: "{\n\n# <b>\n}" },
    ]);
    expect(anchorOf("Wat nu?")).toBe("wat-nu");
    expect(plainText(text)).toBe("Of code. Goes on. Wat nu? one goes on two first second a b 1 2");
  });

  it("joins code in all example languages and leaves other code unchanged", () => {
    const fences = ["sh", "js", "python", "php", "csharp"].map((name) => `\`\`\`${name}\n${name} 1\n\`\`\``);
    const types = (text: string) => blocksOf(text).map(({ type }) => type);
    expect(blocksOf(fences.join("\n\n"))).toMatchObject([
      { type: "examples", programs: { curl: "sh 1", javascript: "js 1", csharp: "csharp 1" } },
    ]);
    expect(types(`${fences[0]}\n\n${fences.join("\n")}\n\nText`)).toEqual(["code", "examples", "paragraph"]);
    expect(types(fences.slice(1).join("\n\n"))).toEqual(["code", "code", "code", "code"]);
  });

  it("keeps all words, whatever the markup", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("`", "**", "a", "[b](#/c)", "|", " ", "<i>")), (parts) => {
        const text = parts.join("");
        const words = (marked: string) => marked.replace(/[`*\s]|\[|\]\(#\/c\)/g, "");
        expect(words(lineText(spansOf(text)))).toBe(words(text));
      }),
    );
  });

  it.each([
    ["**`code` in bold**", "code in bold"],
    ["*at every look*, ~~not~~", "at every look, not"],
    ["<b>HTML</b> and https://site.example are text", "<b>HTML</b> and https://site.example are text"],
    ["<div>\nHTML of a block\n</div>", "<div> HTML of a block </div>"],
    ["a \\| b, snake_case_name, 2 * 3 * 4", "a | b, snake_case_name, 2 * 3 * 4"],
  ])("has %s as the text %s", (marked, text) => {
    expect(plainText(marked)).toBe(text);
  });

  it("in the API document is fully understood", () => {
    const document = JSON.parse(textOf("openapi.json")) as ApiDocument;
    const operations = operationsOf(document);
    const descriptions = [document.info.description, ...operations.map(({ description }) => description)];
    for (const description of descriptions) expect(plainText(description)).not.toMatch(/[`]|\*\*|^#|\]\(/m);
  });
});
