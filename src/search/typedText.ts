import { MAX_QUERY_LENGTH } from "../contract/totals.ts";

/** Characters that are not seen: soft hyphens, joiners, marks of direction. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  lsquo: "'",
  rsquo: "'",
  quot: '"',
  nbsp: " ",
  shy: "",
  ndash: "-",
  mdash: "-",
  szlig: "ß",
};
/** A letter with an accent, or a pair of letters, by its entity: `eacute`, `aelig`. */
const LETTER = /^([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron)$|^(ae|oe)lig$/i;

/** A query as it was meant where it was copied from a page: HTML entities read, also of a text that was escaped twice, and nothing in it that is not seen. */
export function typedText(q: string): string {
  const text = q.slice(0, MAX_QUERY_LENGTH);
  const read = text.includes("&") && text.includes(";") ? withoutEntities(withoutEntities(text)) : text;
  return read.replace(INVISIBLE, "");
}

function withoutEntities(text: string): string {
  return text.replace(ENTITY, (entity, decimal?: string, hex?: string, name: string = "") => {
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code);
    const [, letter, pair] = LETTER.exec(name) ?? [];
    return NAMED[name.toLowerCase()] ?? letter ?? pair ?? entity;
  });
}
