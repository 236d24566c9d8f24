import type { Employees } from "../contract/employeesResource.ts";
import { LEGAL_FORM_CODES, type LegalForm } from "../contract/legalForms.ts";
import type { Activity } from "../contract/resources.ts";
import { remembered } from "../lib/remembered.ts";
import { cityWord, legalFormWord, sbiWord } from "./facets.ts";
import { exactKey } from "./legalWords.ts";
import { readName } from "./nameText.ts";

/** The facts of a company that the index contains. */
export interface Findable {
  readonly name: string;
  readonly statutoryName?: string | undefined;
  readonly tradingNames?: readonly string[] | undefined;
  readonly city?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly legalForm?: LegalForm | undefined;
  readonly activities?: readonly Pick<Activity, "sbiCode">[];
  readonly employees?: Employees;
  readonly branchCount?: number;
}

/** One name by which a company is found. */
export interface IndexedName {
  /** As shown when it was the hit; undefined for the company's own name. */
  readonly text: string | undefined;
  readonly normal: string;
  /** The words of `normal`. */
  readonly words: readonly string[];
  /** The name without legal form and spaces; see {@link exactKey}. */
  readonly key: string;
  /** Words that find this name in addition to those of `normal`. */
  readonly extraWords: ReadonlySet<string>;
  /** Lower is shown earlier. */
  readonly score: number;
}

/**
 * The names by which a company is found, its own first. Each is indexed by itself, so that words of two names never
 * match together. A name that differs from an earlier one only by the legal form behind it adds its words to that
 * one.
 */
export function indexedNames(company: Findable): IndexedName[] {
  const bonus = sizeBonus(sizeOf(company));
  const found: (IndexedName & { readonly extraWords: Set<string> })[] = [];
  const seen: string[] = [];
  const add = (name: string, text: string | undefined) => {
    // A statutory name is mostly the name once more, and so is a trading name.
    if (seen.includes(name)) return;
    seen.push(name);
    const { normal, words, joined } = readName(name);
    const key = exactKey(normal);
    const held = found.find((one) => one.key === key && beginAlike(one.normal, normal));
    if (held === undefined) {
      const score = scoreOfName(key.length, bonus);
      found.push({ text, normal, words, key, extraWords: new Set(joined), score });
    } else if (held.normal !== normal) {
      for (const word of words) held.extraWords.add(word);
      for (const word of joined) held.extraWords.add(word);
    }
  };
  add(company.name, undefined);
  if (company.statutoryName !== undefined) add(company.statutoryName, company.statutoryName);
  for (const name of company.tradingNames ?? []) add(name, name);
  return found;
}

/** How large a company is, in people or branches, whichever are more. */
export function sizeOf(company: Pick<Findable, "employees" | "branchCount">): number {
  return Math.max(peopleOf(company), company.branchCount ?? 0);
}

/** @param keyLength of the name's exact key, and `bonus` the {@link sizeBonus} of its company */
function scoreOfName(keyLength: number, bonus: number): number {
  return (keyLength || UNREADABLE) - bonus;
}

function peopleOf({
  employees: { total, fullTime = 0, partTime = 0 } = {},
}: Pick<Findable, "employees">): number {
  return total ?? fullTime + partTime;
}

function beginAlike(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

/**
 * Names come shortest first, legal form aside: of all names that fit, what was typed covers most of the shortest
 * one. To find the longer name one can type on; to find the shorter one one cannot. Between names of about the
 * same length the larger company is the likelier one: 10 people count for 2 letters, 1,000 for 6, no more than 8.
 */
function sizeBonus(people: number): number {
  return Math.min(8, Math.floor(2 * Math.log10(1 + people)));
}

/** The length that counts for a name without letters and digits: it comes behind those that can be read. */
const UNREADABLE = 500;

/** The words of a name, and what punctuation joins as one word: `ecommerce`. */
export function nameWords(name: string): Set<string> {
  const { words, joined } = readName(name);
  return new Set([...words, ...joined]);
}

export const knownCityWord = remembered(1 << 14, cityWord);
export const knownSbiWord = remembered(1 << 14, sbiWord);
export const knownFormWord = remembered(LEGAL_FORM_CODES.length, legalFormWord);

/** A hash of an exact key (FNV-1a with the last mixing of MurmurHash3): all of its bits are used. Different keys may have the same. */
export function hashOfKey(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
