import { Lexer, type MarkedToken, type Token, Tokenizer } from "marked";
import { SNIPPET_LANGUAGES, type SnippetLanguage } from "../../snippets/snippets.ts";

/** A block of a text or a span of a line; `examples` is the same program in every language. */
export type Block =
  | MarkedToken
  | { readonly type: "examples"; readonly programs: Readonly<Record<SnippetLanguage, string>> };

/** The code fence names of the example languages. */
const FENCES: Readonly<Record<SnippetLanguage, string>> = {
  curl: "sh",
  javascript: "js",
  python: "python",
  php: "php",
  csharp: "csharp",
};

/** Leaves HTML and plain addresses as text. */
class TextTokenizer extends Tokenizer {
  override html = () => undefined;
  override tag = () => undefined;
  override url = () => undefined;
}

const OPTIONS = { gfm: true, tokenizer: new TextTokenizer() };

/** Parses Markdown into blocks. Comments are dropped; HTML is shown as text. */
export function blocksOf(markdown: string): readonly Block[] {
  const text = markdown.replace(/<!--(?:(?!<!--)[\s\S])*?-->/g, "");
  const blocks = Lexer.lex(text, OPTIONS) as Block[];
  return withExamples(blocks.filter(({ type }) => type !== "space"));
}

/** Parses a line of Markdown. */
export function spansOf(text: string): readonly Token[] {
  return Lexer.lexInline(text, OPTIONS);
}

/** Joins consecutive code blocks that cover all example languages. */
function withExamples(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    joined.push(block);
    const last = joined.slice(-SNIPPET_LANGUAGES.length);
    const programs = SNIPPET_LANGUAGES.flatMap((language, index) => {
      const code = last[index];
      return code?.type === "code" && code.lang === FENCES[language] ? [[language, code.text]] : [];
    });
    if (programs.length < SNIPPET_LANGUAGES.length) continue;
    joined.splice(-last.length, last.length, { type: "examples", programs: Object.fromEntries(programs) });
  }
  return joined;
}

/** Returns the element id of a heading. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** Returns the plain text without code blocks, for the search. */
export function plainText(markdown: string): string {
  return blocksOf(markdown).map(wordsOf).filter(Boolean).join(" ");
}

/** Returns the plain text of the spans of a line. */
export function lineText(tokens: readonly Token[]): string {
  return (tokens as readonly Block[]).map(wordsOf).join("");
}

function wordsOf(block: Block): string {
  if (block.type === "code" || block.type === "examples") return "";
  if (block.type === "list") return block.items.map(({ tokens }) => lineText(tokens)).join(" ");
  if (block.type === "table")
    return [...block.header, ...block.rows.flat()].map(({ tokens }) => lineText(tokens)).join(" ");
  if ("tokens" in block && block.tokens !== undefined) return lineText(block.tokens);
  return "text" in block ? block.text.replaceAll("\n", " ") : block.raw;
}
