import { SNIPPET_LANGUAGES } from "../snippets/snippets.ts";
import { type DocsRoute, docsLink } from "./address.ts";
import { type ApiDocument, type Operation, resolve, type Schema } from "./document/openapi.ts";
import type { Guide } from "./guide.ts";
import { anchorOf, blocksOf, plainText } from "./markdown/blocks.ts";
import { texts } from "./texts.ts";

export interface Entry {
  readonly title: string;
  /** The view that it belongs to. */
  readonly within: string;
  readonly href: string;
  /** Words in addition to the title, in lower case. */
  readonly words: string;
}

const MAX_FOUND = 20;

/** The names of groups of calls in both languages. */
const TAGS: readonly Readonly<Record<string, string>>[] = [texts.en.tags, texts.nl.tags];

/** Words of the documentation, each with parts of words that people type for it, most of them Dutch. */
const SYNONYMS =
  `vat btw; price prij kost tarie beta factu refund; tier abonnement tegoed; key sleutel; company bedrij; search zoek;
 match koppel; change wijzig; error fout; postal zip; branch vestiging; number nummer`
    .split(/;\s+/)
    .map((line) => line.split(" "));

/** Words are cut to this length where they find nothing: `limieten` finds `limits`. */
const MIN_LETTERS = 4;

/**
 * Returns all entries: sections of the overview, guides and their headings, calls with their parameters, and objects
 * with their fields.
 */
export function entriesOf(
  document: ApiDocument,
  operations: readonly Operation[],
  guides: readonly Guide[],
): Entry[] {
  return [
    ...document.info.description.split(/^(?=## )/m).flatMap(overviewEntries),
    ...guides.flatMap(guideEntries),
    ...operations.flatMap((operation) => callEntries(document, operation)),
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => objectEntries(name, schema)),
  ];
}

function entry(title: string, within: string, route: DocsRoute, words: string): Entry {
  return { title, within, href: docsLink(route), words: `${title} ${within} ${words}`.toLowerCase() };
}

function overviewEntries(section: string): Entry[] {
  const [first] = blocksOf(section);
  if (first?.type !== "heading") return [];
  return [entry(first.text, "", { kind: "overview", anchor: anchorOf(first.text) }, plainText(section))];
}

function guideEntries({ name, title, body }: Guide): Entry[] {
  const blocks = blocksOf(body);
  const headings = blocks.filter((block) => block.type === "heading");
  const languages = blocks.some(({ type }) => type === "examples") ? SNIPPET_LANGUAGES : [];
  return [
    entry(title, "", { kind: "guides", name }, `${plainText(body)} ${languages.join(" ")}`),
    ...headings.map(({ text }) => entry(text, title, { kind: "guides", name, anchor: anchorOf(text) }, "")),
  ];
}

function callEntries(document: ApiDocument, operation: Operation): Entry[] {
  const { id, method, path, summary, description, parameters, body, tag } = operation;
  const groups = TAGS.map((names) => names[tag]).join(" ");
  const route = { kind: "calls", name: id } as const;
  const fields = body === undefined ? [] : Object.entries(resolve(document, body).schema.properties ?? {});
  return [
    entry(summary, `${method} ${path}`, route, `${plainText(description)} ${groups}`),
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
 * Returns up to 20 entries that match every typed word, or a synonym, as a prefix; title matches first.
 */
export function find(entries: readonly Entry[], typed: string): readonly Entry[] {
  const words = typed
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean);
  if (words.length === 0) return [];
  const patterns = words.map((word) => new RegExp(`(?:^|[^\\p{L}\\p{N}])(?:${anyOf(word)})`, "u"));
  const [first = ""] = words;
  const beginning = new RegExp(`^(?:${anyOf(first)})`, "u");
  const rankOf = ({ title }: Entry) => {
    const lower = title.toLowerCase();
    const isAll = lower === typed.trim().toLowerCase();
    return [isAll, beginning.test(lower), lower.includes(first), true].indexOf(true);
  };
  const found = entries
    .filter(({ words: entryWords }) => patterns.every((pattern) => pattern.test(entryWords)))
    .sort((a, b) => rankOf(a) - rankOf(b))
    .slice(0, MAX_FOUND);
  const cut = words.map((word) => (word.length > MIN_LETTERS ? word.slice(0, -1) : word)).join(" ");
  return found.length > 0 || cut === words.join(" ") ? found : find(entries, cut);
}

/** Returns a pattern of a word and its synonyms. */
function anyOf(word: string): string {
  const isMeant = (part: string) => word.includes(part) || (word.length > 2 && part.startsWith(word));
  const synonyms = SYNONYMS.flatMap(([meant = "", ...parts]) => (parts.some(isMeant) ? [meant] : []));
  return [word, ...synonyms].map(escaped).join("|");
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
