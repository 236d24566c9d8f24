import { type DocsRoute, linkTo } from "./address.ts";
import { type ApiDocument, type Operation, resolve, type Schema } from "./document/openapi.ts";
import type { Guide } from "./guide.ts";
import { blocksOf, plainText } from "./markdown/blocks.ts";

export interface Entry {
  readonly title: string;
  /** The view that it belongs to. */
  readonly within: string;
  readonly href: string;
  /** Words besides those of the title, in lower case. */
  readonly words: string;
}

const MAX_FOUND = 20;

/** Returns all entries: guides and their headings, calls with their parameters, and objects with their fields. */
export function entriesOf(
  document: ApiDocument,
  operations: readonly Operation[],
  guides: readonly Guide[],
): Entry[] {
  return [
    ...guides.flatMap(guideEntries),
    ...operations.flatMap((operation) => callEntries(document, operation)),
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => objectEntries(name, schema)),
  ];
}

function entry(title: string, within: string, route: DocsRoute, words: string): Entry {
  return { title, within, href: linkTo(route), words: `${title} ${within} ${words}`.toLowerCase() };
}

function guideEntries({ name, title, body }: Guide): Entry[] {
  const headings = blocksOf(body).filter((block) => block.kind === "heading");
  return [
    entry(title, "", { kind: "guides", name }, plainText(body)),
    ...headings.map(({ text, anchor }) => entry(text, title, { kind: "guides", name, anchor }, "")),
  ];
}

function callEntries(document: ApiDocument, operation: Operation): Entry[] {
  const { id, method, path, summary, description, parameters, body } = operation;
  const route = { kind: "calls", name: id } as const;
  const fields = body === undefined ? [] : Object.entries(resolve(document, body).schema.properties ?? {});
  return [
    entry(summary, `${method} ${path}`, route, plainText(description)),
    ...parameters.map(({ name, description: about }) =>
      entry(name, `${method} ${path}`, { ...route, anchor: `parameter-${name}` }, about),
    ),
    ...fields.map(([name, { description: about = "" }]) =>
      entry(name, `${method} ${path}`, { ...route, anchor: `field-${name}` }, about),
    ),
  ];
}

function objectEntries(name: string, { description = "", properties = {} }: Schema): Entry[] {
  const route = { kind: "objects", name } as const;
  return [
    entry(name, "", route, description),
    ...Object.entries(properties).map(([field, { description: about = "" }]) =>
      entry(field, name, { ...route, anchor: `field-${field}` }, about),
    ),
  ];
}

/**
 * Returns up to 20 entries that match every typed word as a prefix, title matches first.
 */
export function find(entries: readonly Entry[], typed: string): readonly Entry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const patterns = words.map((word) => new RegExp(`(?:^|[^\\p{L}\\p{N}])${escaped(word)}`, "u"));
  const [first = ""] = words;
  const rankOf = ({ title }: Entry) => {
    const lower = title.toLowerCase();
    const isAll = lower === typed.trim().toLowerCase();
    return [isAll, lower.startsWith(first), lower.includes(first), true].indexOf(true);
  };
  return entries
    .filter(({ words: entryWords }) => patterns.every((pattern) => pattern.test(entryWords)))
    .sort((a, b) => rankOf(a) - rankOf(b))
    .slice(0, MAX_FOUND);
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
