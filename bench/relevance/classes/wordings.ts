import type { QueryClass } from "./queryClass.ts";

/** A pattern over a name and what is typed instead of it. */
type Wording = readonly [pattern: RegExp, typed: string | ((found: string) => string)];

const word = (text: string) => new RegExp(`(?<!\\S)${text}(?!\\S)`, "giu");

/** Short forms and what they stand for; each is typed for the other. */
const SHORT_FORMS: readonly (readonly [short: string, full: string])[] = [
  ["wed.", "weduwe"],
  ["fa.", "firma"],
  ["kon.", "koninklijke"],
  ["ned.", "nederlandse"],
  ["ned.", "nederland"],
  ["int.", "international"],
  ["int.", "internationaal"],
  ["prof.", "professor"],
  ["dr.", "dokter"],
  ["fam.", "familie"],
  ["mij.", "maatschappij"],
  ["ver.", "vereniging"],
  ["inst.", "instituut"],
  ["adm.kantoor", "administratiekantoor"],
  ["nr.", "nummer"],
  ["v/h", "voorheen"],
  ["'t", "het"],
  ["1e", "eerste"],
  ["2e", "tweede"],
  ["3e", "derde"],
];

const WORDINGS: readonly Wording[] = [
  ...SHORT_FORMS.flatMap(([short, full]): Wording[] => [
    [word(full), short],
    [word(short.replace(/\.$/, "\\.?")), full],
  ]),
  [word("b\\.?v\\.?"), "besloten vennootschap"],
  [word("n\\.?v\\.?"), "naamloze vennootschap"],
  [word("v\\.?o\\.?f\\.?"), "vennootschap onder firma"],
  [word("v\\.?v\\.?e\\.?"), "vereniging van eigenaars"],
  [word("vereniging van eigenaars"), "vve"],
  // Initials.
  [word("(?:\\p{L}\\.){2,}\\p{L}?"), (found) => [...found.replaceAll(".", "")].join(" ")],
  [word("(?:\\p{L}\\.){2,}\\p{L}?"), (found) => found.replaceAll(".", "")],
  [word("\\p{L}(?: \\p{L}){2,}"), (found) => found.replaceAll(" ", "")],
  // As a page has it.
  [/ & /g, " &amp; "],
  [/(?<=\p{L})['’](?=\p{L})/gu, "&#39;"],
  [/é/g, "&eacute;"],
  [/ë/g, "&euml;"],
];

/** A name of which one thing is said in other words, or as it stands on a page: `Wed. Jansen` for `Weduwe Jansen`. */
export const WORDING: QueryClass = {
  id: "wording",
  title: "in other words",
  isBeginning: false,
  type: ({ name }, random) => {
    const others = otherWordings(name);
    return others.length === 0 ? undefined : random.pick(others);
  },
};

export function otherWordings(name: string): string[] {
  return WORDINGS.flatMap(([pattern, typed]) =>
    [...name.matchAll(pattern)].map(
      ({ 0: found, index }) =>
        name.slice(0, index) +
        (typeof typed === "string" ? typed : typed(found)) +
        name.slice(index + found.length),
    ),
  );
}
