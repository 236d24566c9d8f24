import type { Language } from "../../../src/contract/accountResources.ts";

export type { Language };

/** Texts by name; a text with placeholders is a function of their values. */
export interface Phrases {
  readonly [name: string]: string | ((...values: never[]) => string) | Phrases;
}

/** The same names, each with a text of the same placeholders. */
type Same<T> = {
  readonly [Name in keyof T]: T[Name] extends string
    ? string
    : T[Name] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Same<T[Name]>;
};

export type Bilingual<T> = Readonly<Record<Language, Same<T>>>;

/** The texts of one screen in both languages. A missing translation is a type error. */
export function bilingual<T extends Phrases>(en: T & Same<T>, nl: Same<T>): Bilingual<T> {
  return { en, nl };
}
