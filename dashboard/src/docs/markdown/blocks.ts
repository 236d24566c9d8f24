/** A text's parts, one below the other; `at` is where in the text they stand. */
export type Block = Part & { readonly at: number };

type Part =
  | { readonly kind: "heading"; readonly level: 2 | 3; readonly text: string; readonly anchor: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | {
      readonly kind: "table";
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: "sample"; readonly name: string };

/** A line's parts; `at` is where in the line they stand. */
export type Span = Piece & { readonly at: number };

type Piece =
  | { readonly kind: "text" | "code" | "bold"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

/** Reads a text; a blank line ends a block. */
export function blocksOf(markdown: string): readonly Block[] {
  return markdown
    .trim()
    .split(/\n\s*\n/)
    .map((part, at) => ({ ...blockOf(part.split("\n").map((line) => line.trim())), at }));
}

function blockOf(lines: readonly string[]): Part {
  const [first = ""] = lines;
  const [, marks, title] = /^(##|###) (.+)$/.exec(first) ?? [];
  if (marks !== undefined && title !== undefined) {
    return { kind: "heading", level: marks === "##" ? 2 : 3, text: title, anchor: anchorOf(title) };
  }
  const [, sample] = /^\{\{([a-z-]+)\}\}$/.exec(first) ?? [];
  if (sample !== undefined) return { kind: "sample", name: sample };
  if (first.startsWith("- ")) return { kind: "list", items: itemsOf(lines) };
  if (first.startsWith("|")) {
    const [head = [], , ...rows] = lines.map(cellsOf);
    return { kind: "table", head, rows };
  }
  return { kind: "paragraph", text: lines.join(" ") };
}

/** Lines without a mark belong to the item above. */
function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (line.startsWith("- ")) items.push(line.slice(2));
    else items.push(`${items.pop() ?? ""} ${line}`.trim());
  }
  return items;
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The id of a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, "")
    .replaceAll(" ", "-");
}

const SPAN = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** Reads a line's code, bold words and links. */
export function spansOf(text: string): readonly Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const match of text.matchAll(SPAN)) {
    const [whole, code, bold, label, href] = match;
    if (match.index > end) spans.push({ kind: "text", text: text.slice(end, match.index), at: end });
    const at = match.index;
    if (code !== undefined) spans.push({ kind: "code", text: code, at });
    else if (bold !== undefined) spans.push({ kind: "bold", text: bold, at });
    else spans.push({ kind: "link", text: label ?? "", href: href ?? "", at });
    end = match.index + whole.length;
  }
  if (end < text.length) spans.push({ kind: "text", text: text.slice(end), at: end });
  return spans;
}

/** What a reader reads of a text, without its marks: for searching. */
export function plainText(markdown: string): string {
  return blocksOf(markdown)
    .flatMap((block) => {
      if (block.kind === "sample") return [];
      if (block.kind === "list") return block.items;
      if (block.kind === "table") return [...block.head, ...block.rows.flat()];
      return [block.text];
    })
    .map((line) =>
      spansOf(line)
        .map(({ text }) => text)
        .join(""),
    )
    .join(" ");
}
