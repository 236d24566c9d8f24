import { kindOf } from "../company/address.ts";
import type { Employees } from "../contract/employeesResource.ts";
import { LEGAL_FORM_CODES, type LegalForm } from "../contract/legalForms.ts";
import type { Address } from "../contract/resources.ts";
import { memoise } from "../lib/memoise.ts";
import { cityWord, legalFormWord, type VersionedCode } from "./facets.ts";
import { exactKey } from "./legalFormWords.ts";
import { parseName } from "./nameText.ts";

/** The facts of a company that are indexed. */
export interface IndexedFacts extends Pick<Address, "street" | "isShielded"> {
  readonly name: string;
  readonly statutoryName?: string | undefined;
  readonly tradingNames?: readonly string[] | undefined;
  readonly city?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly houseNumber?: string | undefined;
  readonly rsin?: string | undefined;
  /** As the registry states it. */
  readonly vatNumber?: string | undefined;
  readonly identifiers?: { readonly lei?: string | undefined };
  readonly legalForm?: LegalForm | undefined;
  readonly activities?: readonly VersionedCode[];
  readonly employees?: Employees;
  readonly branchCount?: number;
}

/** One name by which a company is found. */
export interface IndexedName {
  /** The name to show when it matched; undefined for the company's main name. */
  readonly text: string | undefined;
  readonly normal: string;
  /** The words of `normal`. */
  readonly words: readonly string[];
  /** See {@link exactKey}. */
  readonly key: string;
  /** Further words that find this name. */
  readonly extraWords: ReadonlySet<string>;
  /** Lower ranks higher. */
  readonly score: number;
}

/**
 * Returns the names by which a company is found, its main name first. They are indexed separately, so that words of two
 * names never match together. A name that differs from an earlier one only by its legal form is not indexed; its words
 * are added to the earlier one.
 */
export function indexedNames(company: IndexedFacts): IndexedName[] {
  const bonus = sizeBonus(sizeOf(company));
  const found: (IndexedName & { readonly extraWords: Set<string> })[] = [];
  const seen: string[] = [];
  const add = (name: string, text: string | undefined) => {
    // Statutory and trading names often equal the main name.
    if (seen.includes(name)) return;
    seen.push(name);
    const { normal, words, joinedWords } = parseName(name);
    const key = exactKey(normal);
    const earlier = found.find((one) => one.key === key && isPrefixOfOther(one.normal, normal));
    if (earlier === undefined) {
      const score = scoreOfName(key.length, bonus);
      found.push({ text, normal, words, key, extraWords: new Set(joinedWords), score });
    } else if (earlier.normal !== normal) {
      for (const word of words) earlier.extraWords.add(word);
      for (const word of joinedWords) earlier.extraWords.add(word);
    }
  };
  add(company.name, undefined);
  if (company.statutoryName !== undefined) add(company.statutoryName, company.statutoryName);
  for (const name of company.tradingNames ?? []) add(name, name);
  return found;
}

/** Returns the size of a company: the number of employees or of branches, whichever is larger. */
export function sizeOf(company: Pick<IndexedFacts, "employees" | "branchCount">): number {
  return Math.max(employeeCount(company), company.branchCount ?? 0);
}

/** Returns the house number by which a company is found; undefined for a shielded address and a PO box. */
export function houseNumberOf(
  address: Pick<IndexedFacts, "street" | "houseNumber" | "isShielded">,
): string | undefined {
  const isFound = address.isShielded !== true && kindOf(address) === "visiting";
  return isFound ? address.houseNumber : undefined;
}

/** @param keyLength of the name's exact key. @param bonus see {@link sizeBonus} */
function scoreOfName(keyLength: number, bonus: number): number {
  return (keyLength || UNREADABLE_LENGTH) - bonus;
}

function employeeCount({
  employees: { total, fullTime = 0, partTime = 0 } = {},
}: Pick<IndexedFacts, "employees">): number {
  return total ?? fullTime + partTime;
}

function isPrefixOfOther(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

/**
 * Shorter names rank higher, without their legal form: the query covers more of them, and a longer name can be found by
 * typing on. Among names of similar length the larger company is more likely. 10 employees count for 2 letters, 1,000
 * for 6; the maximum is 8.
 */
function sizeBonus(people: number): number {
  return Math.min(8, Math.floor(2 * Math.log10(1 + people)));
}

/** The length assumed for a name without letters and digits, so that it ranks last. */
const UNREADABLE_LENGTH = 500;

/** Returns the words of a name, including joined ones: `ecommerce` for `E-Commerce`. */
export function nameWords(name: string): Set<string> {
  const { words, joinedWords } = parseName(name);
  return new Set([...words, ...joinedWords]);
}

export const cachedCityWord = memoise(1 << 14, cityWord);
export const cachedLegalFormWord = memoise(LEGAL_FORM_CODES.length, legalFormWord);

/** Hashes an exact key to 32 bits: FNV-1a with the finaliser of MurmurHash3, so that all bits are well mixed. */
export function hashOfKey(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
