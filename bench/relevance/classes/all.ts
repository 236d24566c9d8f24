import { FULL, firstLetters, SHARE_OF_NAME } from "./beginnings.ts";
import { HABIT } from "./habits.ts";
import { FORM_ADDED, FORM_DROPPED } from "./legalForm.ts";
import type { QueryClass } from "./queryClass.ts";
import { ACCENTS_DROPPED, SPOKEN } from "./spelling.ts";
import { ONE_TYPO, TWO_TYPOS } from "./typos.ts";
import { WORDING } from "./wordings.ts";
import { SPACE_ADDED, SPACE_LOST, WORD_LEFT_OUT, WORDS_SWAPPED } from "./words.ts";

/** Every class, in the order of the table. */
export const CLASSES: readonly QueryClass[] = [
  FULL,
  firstLetters(3),
  firstLetters(5),
  firstLetters(8),
  SHARE_OF_NAME,
  WORD_LEFT_OUT,
  WORDS_SWAPPED,
  ONE_TYPO,
  TWO_TYPOS,
  SPACE_LOST,
  SPACE_ADDED,
  ACCENTS_DROPPED,
  FORM_DROPPED,
  FORM_ADDED,
  SPOKEN,
  HABIT,
  WORDING,
];
