import { nameParts } from "../nameParts.ts";
import type { NameKnowledge } from "./knowledge.ts";
import { ADDRESSEE_FIRST, DEPARTMENT_WORD, FILLER, TITLE } from "./markers.ts";
import { DOUBT, type NameReading, shorter } from "./reading.ts";

/** The words of an addressee after those that are known as such. */
const MAX_UNKNOWN_WORDS = 3;
/**
 * How much rarer than one name a name must be, nats, for unknown words to stand before it: in any city, and in the city
 * of the query.
 */
const MIN_RARITY = 3;
const MIN_RARITY_IN_CITY = -2;

/**
 * Leaves out an addressee before a name. No sign shows where the name begins: a name of the registry does, or else the
 * last of the words for people and departments.
 */
export function withoutAddressee(
  one: NameReading,
  { informationOf, isName }: NameKnowledge,
): NameReading | undefined {
  const [mark] = ADDRESSEE_FIRST.exec(one.text) ?? [];
  if (mark === undefined) return undefined;
  const words = one.text.slice(mark.length).split(" ");
  const from = (at: number) => words.slice(at).join(" ");
  const isKnown = (word: string, at: number) =>
    TITLE.test(word) ||
    FILLER.test(word) ||
    DEPARTMENT_WORD.test(word) ||
    DEPARTMENT_WORD.test(`${word} ${words[at + 1]}`);
  const unknown = words.findIndex((word, at) => at === words.length - 1 || !isKnown(word, at));
  const isTitled = words.slice(0, unknown).some((word) => TITLE.test(word) || /^\p{Lu}\./u.test(word));
  const known = Math.min(unknown + Number(isTitled), words.length - 1);
  const found = words.findIndex((_, at) => at <= unknown + MAX_UNKNOWN_WORDS && isName(from(at)));
  const start = found === -1 ? known : found;
  const rarity = nameParts(from(start)).words.reduce(
    (sum, word) => sum + informationOf(word),
    -informationOf(""),
  );
  const doubt =
    start <= known || rarity > MIN_RARITY
      ? DOUBT.certain
      : rarity > MIN_RARITY_IN_CITY
        ? DOUBT.unlessInCity
        : DOUBT.doubtful;
  return shorter(one, from(start), doubt);
}
