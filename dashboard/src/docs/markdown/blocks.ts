import { SNIPPET_LANGUAGES, type SnippetLanguage } from "../../snippets/snippets.ts";

/** A block of a text; `at` is its index. */
export type Block = Part & { readonly at: number };

type Part =
  | { readonly kind: "heading"; readonly level: 1 | 2 | 3; readonly text: string; readonly anchor: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly string[] }
  | {
      readonly kind: "table";
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  /** The language of the code fence. */
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  /** The same program in every language. */
  | { readonly kind: "examples"; readonly programs: Readonly<Record<SnippetLanguage, string>> };

/** A span of a line; `at` is its position. */
export type Span = Piece & { readonly at: number };

type Piece =
  | { readonly kind: "text" | "code" | "bold"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

/** The code fence names of the example languages. */
const FENCES: Readonly<Record<SnippetLanguage, string>> = {
  curl: "sh",
  javascript: "js",
  python: "python",
  php: "php",
  csharp: "csharp",
};

const FENCE = /^```(\w*)$/;
const STARTS = { heading: /^#{1,3} /, item: /^(?:-|\d+\.) /, row: /^\|/ } as const;

/** Parses Markdown into blocks. Comments are dropped; HTML is shown as text. */
export function blocksOf(markdown: string): readonly Block[] {
  const parts: Part[] = [];
  let lines: string[] = [];
  let fence: { readonly language: string; readonly lines: string[] } | undefined;
  const endBlock = () => {
    if (lines.length > 0) parts.push(partOf(lines));
    lines = [];
  };
  for (const line of markdown.replace(/<!--(?:(?!<!--)[\s\S])*?-->/g, "").split("\n")) {
    if (fence !== undefined) {
      if (line === "```") {
        parts.push({ kind: "code", language: fence.language, text: fence.lines.join("\n") });
        fence = undefined;
      } else fence.lines.push(line);
      continue;
    }
    const [, language] = FENCE.exec(line) ?? [];
    const trimmed = line.trim();
    if (language !== undefined || trimmed === "" || begins(trimmed, lines[0])) endBlock();
    if (language !== undefined) fence = { language, lines: [] };
    else if (trimmed !== "") lines.push(trimmed);
    if (STARTS.heading.test(trimmed) && lines.length > 0) endBlock();
  }
  endBlock();
  return withExamples(parts).map((part, at) => ({ ...part, at }));
}

/** Whether a line starts a new block after one that started with `first`. */
function begins(line: string, first: string | undefined): boolean {
  if (first === undefined) return false;
  return Object.values(STARTS).some((start) => start.test(line) && !start.test(first));
}

function partOf(lines: readonly string[]): Part {
  const [first = ""] = lines;
  if (STARTS.heading.test(first)) {
    const text = first.replace(/^#+ /, "");
    const level = first.startsWith("###") ? 3 : first.startsWith("##") ? 2 : 1;
    return { kind: "heading", level, text, anchor: anchorOf(text) };
  }
  if (STARTS.item.test(first)) {
    return { kind: "list", isOrdered: !first.startsWith("-"), items: itemsOf(lines) };
  }
  if (STARTS.row.test(first)) {
    const [head = [], , ...rows] = lines.map(cellsOf);
    return { kind: "table", head, rows };
  }
  return { kind: "paragraph", text: lines.join(" ") };
}

/** A line without a list marker continues the item above. */
function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (STARTS.item.test(line)) items.push(line.replace(STARTS.item, ""));
    else items.push(`${items.pop() ?? ""} ${line}`.trim());
  }
  return items;
}

function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** Joins consecutive code blocks that cover all example languages. */
function withExamples(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    joined.push(part);
    const last = joined.slice(-SNIPPET_LANGUAGES.length);
    const programs = SNIPPET_LANGUAGES.flatMap((language, index) => {
      const code = last[index];
      return code?.kind === "code" && code.language === FENCES[language] ? [[language, code.text]] : [];
    });
    if (programs.length < SNIPPET_LANGUAGES.length) continue;
    joined.splice(-last.length, last.length, { kind: "examples", programs: Object.fromEntries(programs) });
  }
  return joined;
}

/** Returns the element id of a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

const SPAN = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^[\]]+)\]\(([^()\s]+)\)/g;

export function spansOf(text: string): readonly Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const match of text.matchAll(SPAN)) {
    const [whole, code, bold, label = "", href = ""] = match;
    const at = match.index;
    if (at > end) spans.push({ kind: "text", text: text.slice(end, at), at: end });
    if (code !== undefined) spans.push({ kind: "code", text: code, at });
    else if (bold !== undefined) spans.push({ kind: "bold", text: bold, at });
    else spans.push({ kind: "link", text: label, href, at });
    end = at + whole.length;
  }
  if (end < text.length) spans.push({ kind: "text", text: text.slice(end), at: end });
  return spans;
}

/** Returns the plain text without code blocks, for the search. */
export function plainText(markdown: string): string {
  const lines = blocksOf(markdown).flatMap((block) => {
    if (block.kind === "code" || block.kind === "examples") return [];
    if (block.kind === "list") return block.items;
    return block.kind === "table" ? [...block.head, ...block.rows.flat()] : [block.text];
  });
  const withoutMarks = (line: string) => spansOf(line).reduce((plain, { text }) => plain + text, "");
  return lines.map(withoutMarks).join(" ");
}
