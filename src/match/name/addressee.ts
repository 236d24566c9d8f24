import type { NameKnowledge } from "./knowledge.ts";
import { ADDRESSEE_FIRST, DEPARTMENT_WORD, FILLER, TITLE } from "./markers.ts";
import type { Certainty } from "./readings.ts";

/** The words of an addressee after those that are known as such. */
const MAX_UNKNOWN_WORDS = 3;

interface AddressedName {
  text: string;
  leaveOut(text: string, certainty?: Certainty): void;
}

/**
 * Removes an addressee before a name: `T.a.v. de administratie`. No sign shows where the name begins; where a registered name does, or else after the
 * words of people and departments.
 */
export function addressed(name: AddressedName, knowledge: NameKnowledge): void {
  const [mark] = ADDRESSEE_FIRST.exec(name.text) ?? [];
  if (mark === undefined) return;
  const words = name.text.slice(mark.length).split(" ");
  let start = 0;
  let isPerson = false;
  const isKnown = (at: number) => {
    const [word = "", next = ""] = [words[at], words[at + 1]];
    isPerson ||= TITLE.test(word);
    return (
      TITLE.test(word) ||
      FILLER.test(word) ||
      [word, `${word} ${next}`].some((one) => DEPARTMENT_WORD.test(one))
    );
  };
  while (start < words.length - 1 && isKnown(start)) start++;
  const from = (at: number) => words.slice(at).join(" ");
  let found: number | undefined;
  for (let at = start; found === undefined && at <= start + MAX_UNKNOWN_WORDS && at < words.length; at++)
    if (knowledge.isName(from(at))) found = at;
  const end = found ?? Math.min(start + Number(isPerson), words.length - 1);
  const unknown = end - start - Number(isPerson);
  const certainty = unknown <= 0 || (unknown === 1 && end < words.length - 1) ? "sure" : "unsure";
  name.leaveOut(`${mark}${words.slice(0, end).join(" ")}`, certainty);
  name.text = from(end);
}
