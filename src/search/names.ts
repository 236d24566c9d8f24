import { crc32 } from "node:zlib";
import type { Employees } from "../contract/employeesResource.ts";
import type { LegalForm } from "../contract/legalForms.ts";
import type { Activity } from "../contract/resources.ts";
import { cityWord, legalFormWord, postalCodeWord, sbiWord } from "./facets.ts";
import { exactKey } from "./legalWords.ts";
import { normalise, squeeze } from "./normalise.ts";

/** What finding needs to know of a company. */
export interface Findable {
  readonly name: string;
  readonly statutoryName?: string;
  readonly tradingNames?: readonly string[];
  readonly city?: string;
  readonly postalCode?: string;
  readonly legalForm?: LegalForm;
  readonly activities?: readonly Activity[];
  readonly employees?: Employees;
  readonly branchCount?: number;
}

/** One name by which a company is found. */
export interface IndexedName {
  /** As shown when it was the hit; undefined for the company's own name. */
  readonly text: string | undefined;
  readonly normal: string;
  /** The name without legal form and spaces; see {@link exactKey}. */
  readonly key: string;
  /** Words under which this name is found beside those of `normal`. */
  readonly beside: ReadonlySet<string>;
  /** Lower is shown earlier. */
  readonly score: number;
}

/**
 * The names by which a company is found, its own first. Each is indexed by itself, so that words of two names never
 * match together. A name that differs from an earlier one only by the legal form behind it adds its words to that
 * one.
 */
export function indexedNames(company: Findable): IndexedName[] {
  const bonus = sizeBonus(Math.max(peopleOf(company), company.branchCount ?? 0));
  const found: (IndexedName & { readonly beside: Set<string> })[] = [];
  const add = (name: string, text: string | undefined) => {
    const normal = normalise(name);
    const key = exactKey(normal);
    const held = found.find((one) => one.key === key && beginAlike(one.normal, normal));
    if (held === undefined) {
      const score = (key.length || UNREADABLE) - bonus;
      found.push({ text, normal, key, beside: new Set(joinedWords(name)), score });
    } else if (held.normal !== normal) {
      for (const word of [...wordsOf(normal), ...joinedWords(name)]) held.beside.add(word);
    }
  };
  add(company.name, undefined);
  if (company.statutoryName !== undefined) add(company.statutoryName, company.statutoryName);
  for (const name of company.tradingNames ?? []) add(name, name);
  return found;
}

function peopleOf({ employees: { total, fullTime = 0, partTime = 0 } = {} }: Findable): number {
  return total ?? fullTime + partTime;
}

function beginAlike(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

/**
 * Names come shortest first, legal form aside: of all names that fit, what was typed covers most of the shortest
 * one. Whoever wants a longer name can type on; whoever wants the shorter one cannot. Between names of about the
 * same length the larger company is the likelier one: 10 people count for 2 letters, 1,000 for 6, no more than 8.
 */
function sizeBonus(people: number): number {
  return Math.min(8, Math.floor(2 * Math.log10(1 + people)));
}

/** The length that counts for a name without letters and digits: it comes behind those that can be read. */
const UNREADABLE = 500;

/** The words of a normalised text. */
export function wordsOf(normal: string): string[] {
  return normal === "" ? [] : normal.split(" ");
}

/** The words of a name, and what punctuation joins as one word: `ecommerce`. */
export function nameWords(name: string): Set<string> {
  return new Set([...wordsOf(normalise(name)), ...joinedWords(name)]);
}

/** Parts of a name that punctuation holds together, as one word: `E-Commerce`, `Hill+Knowlton`. */
function joinedWords(name: string): string[] {
  if (!/[^\s\p{L}\p{N}][\p{L}\p{N}]/u.test(name)) return [];
  return name
    .split(/\s+/)
    .map(joinedWord)
    .filter((word) => word !== "");
}

/** The word that a text without spaces makes when its punctuation is left out; empty when that adds nothing. */
export function joinedWord(part: string): string {
  if (!normalise(part).includes(" ")) return "";
  return squeeze(normalise(part.normalize("NFKD").replace(/[^\p{L}\p{N}\p{M}]/gu, "")));
}

/** The words of what a search may ask of a company beside its names. */
export function facetWords(company: Findable): string[] {
  return [
    company.city === undefined ? undefined : cityWord(company.city),
    company.postalCode === undefined ? undefined : postalCodeWord(company.postalCode),
    company.legalForm === undefined ? undefined : legalFormWord(company.legalForm),
    ...(company.activities ?? []).map(({ sbiCode }) => sbiWord(sbiCode)),
  ].filter((word) => word !== undefined);
}

/** Under which names of one exact key are kept; different keys may share it. */
export function hashOfKey(key: string): number {
  return crc32(key);
}
