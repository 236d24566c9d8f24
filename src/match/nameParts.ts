import type { LegalForm } from "../contract/legalForms.ts";
import { withoutLegalForm } from "../search/legalFormWords.ts";
import { parseName, wordsOf } from "../search/nameText.ts";
import { normalise } from "../search/normalise.ts";
import { editDistance } from "./editDistance.ts";

/** Further words are not compared, because the time to compare names grows with the product of their words. */
const MAX_WORDS = 20;

/** A name split for comparison. */
export interface NameParts {
  /** The whole name, normalised. */
  readonly normal: string;
  /** The words without the legal form, at most {@link MAX_WORDS}. */
  readonly words: readonly string[];
  /** The legal form that the name states. */
  readonly form: FormGroup | undefined;
  /** Whether a legal form ends the name, so that it was not cut off before. */
  readonly endsWithForm: boolean;
  /** Words written with a dot, which may be abbreviations: `Kon.` */
  readonly dotted: ReadonlySet<string>;
}

/** Legal forms that people distinguish in names. */
export type FormGroup =
  | "bv"
  | "nv"
  | "foundation"
  | "association"
  | "partnership"
  | "soleTrader"
  | "cooperative"
  | "foreign";

const GROUPS: readonly (readonly [FormGroup, RegExp])[] = [
  ["foundation", /^(?:stichting|stg|st)\b/],
  ["association", /^(?:vereniging|vve|ver)\b/],
  ["cooperative", /cooperati|\bcoop\b|\b[ubw]a\b/],
  ["bv", /\bbv\b|besloten vennootschap/],
  ["nv", /\bnv\b|naamloze vennootschap/],
  ["soleTrader", /eenmanszaak/],
  ["partnership", /\b(?:vof|cv|maatschap)\b|vennootschap onder firma|commanditaire/],
  ["foreign", /^(?!(?:io|in oprichting|in liquidatie)$)/],
];

const GROUP_OF_FORM: { readonly [Form in LegalForm]?: FormGroup } = {
  BV: "bv",
  NV: "nv",
  STI: "foundation",
  VER: "association",
  VVE: "association",
  VOF: "partnership",
  CV: "partnership",
  MTS: "partnership",
  EMZ: "soleTrader",
  COOP: "cooperative",
  OWM: "cooperative",
  BUI: "foreign",
};

/** The group of a registered legal form; undefined for forms that names do not state. */
export function groupOfForm(form: LegalForm | undefined): FormGroup | undefined {
  return form && GROUP_OF_FORM[form];
}

/** Forms from one of which to another companies convert every day. */
const CONVERTED: ReadonlySet<FormGroup> = new Set(["bv", "partnership", "soleTrader"]);

export function isConversion(one: FormGroup, other: FormGroup): boolean {
  return CONVERTED.has(one) && CONVERTED.has(other);
}

/** Abbreviations of legal forms that also have other meanings: `St.` may be `Sint`. */
const SHORT_FORMS: Readonly<Record<string, FormGroup>> = {
  st: "foundation",
  stg: "foundation",
  ver: "association",
  coop: "cooperative",
};

/** Whether a word of one name abbreviates the legal form of another. */
export function isShortForm(word: string, form: FormGroup | undefined): boolean {
  return form !== undefined && SHORT_FORMS[word] === form;
}

/** Legal forms that are misspelled now and then, because they are long. */
const LONG_FORMS = ["stichting", "vereniging", "maatschap", "cooperatie", "cooperatieve"];

/** Corrects one typo in a legal form that begins a name. */
function withSpelledForm(normal: string): string {
  const first = normal.split(" ", 1)[0] ?? "";
  const form = LONG_FORMS.find((one) => first !== one && editDistance(first, one, 1) === 1);
  return form === undefined ? normal : form + normal.slice(first.length);
}

/** A word of letters before a dot; not a single letter, which is an initial. */
const BEFORE_DOT = /(?<![\p{L}\p{M}])([\p{L}\p{M}]{2,})\./gu;

/**
 * An owners' association in all its ways of writing, and the words around its house numbers: `12 t/m 45 te Utrecht`.
 */
const OWNERS =
  /^(?:ver|vereniging)(?: van)?(?: de)? (?:appartements?)?(?:eigenaren|eigenaars)(?: van)? |^vve (?=.)/;
const AMONG_NUMBERS =
  /(?<=[0-9][a-z]?) (?:t m|tm|tot en met|tot) (?=[0-9])|(?<=[^ ]) (?:nrs?|nummers?|huisnummers?) (?=[0-9])|(?<=[0-9][a-z]?) (?:te|in) (?=[^ ])/g;

function withSimpleNumbers(normal: string): string {
  return OWNERS.test(normal) ? normal.replace(OWNERS, "vve ").replace(AMONG_NUMBERS, " ") : normal;
}

/** Omits the words with digits. */
export function withoutNumbers(parts: NameParts): NameParts {
  return { ...parts, words: parts.words.filter((word) => !/[0-9]/.test(word)) };
}

export function nameParts(text: string): NameParts {
  const normal = withSimpleNumbers(withSpelledForm(parseName(text).normal));
  const core = withoutLegalForm(normal);
  const at = normal.indexOf(core);
  const legal = `${normal.slice(0, at)}${normal.slice(at + core.length)}`.trim();
  const dotted = text.includes(".")
    ? [...text.matchAll(BEFORE_DOT)].map(([, word = ""]) => normalise(word))
    : [];
  return {
    normal,
    words: wordsOf(core).slice(0, MAX_WORDS),
    form: legal === "" ? undefined : GROUPS.find(([, pattern]) => pattern.test(legal))?.[0],
    endsWithForm: at + core.length < normal.length,
    dotted: new Set(dotted),
  };
}
