import type { Language } from "../../../src/contract/accountResources.ts";

export type { Language };

/** A text in English and Dutch: a tuple, typed without its methods because their names are also names of texts. */
export interface Pair {
  readonly 0: string;
  readonly 1: string;
  readonly length: 2;
}

/** The texts of one screen by name; a text with placeholders is a function of their values. */
export interface Phrases {
  readonly [name: string]: Pair | ((...values: never[]) => Pair) | Phrases;
}

/** The same texts in one language. */
export interface Texts {
  readonly [name: string]: string | ((...values: never[]) => string) | Texts;
}

type In<T> = {
  readonly [Name in keyof T]: T[Name] extends Pair
    ? string
    : T[Name] extends (...values: infer Values) => Pair
      ? (...values: Values) => string
      : In<T[Name]>;
};

export type Bilingual<T> = Readonly<Record<Language, In<T>>>;

/** Returns the texts of one screen by language. */
export function bilingual<T extends Phrases>(phrases: T): Bilingual<T> {
  return { en: textsIn(phrases, 0) as In<T>, nl: textsIn(phrases, 1) as In<T> };
}

function textsIn(phrases: Phrases, at: 0 | 1): Texts {
  const texts = Object.entries(phrases).map(([name, phrase]) => {
    if (typeof phrase === "function") return [name, (...values: never[]) => phrase(...values)[at]];
    return [name, isPair(phrase) ? phrase[at] : textsIn(phrase, at)];
  });
  return Object.fromEntries(texts);
}

function isPair(phrase: Pair | Phrases): phrase is Pair {
  return Array.isArray(phrase);
}

/** Returns a value for each entry of a table. */
export function mapValues<T extends object, U>(table: T, map: (value: T[keyof T], name: keyof T) => U) {
  const names = Object.keys(table) as (keyof T)[];
  return Object.fromEntries(names.map((name) => [name, map(table[name], name)])) as Record<keyof T, U>;
}
