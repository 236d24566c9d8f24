/** HTML entities in cells, as exports of web programs leave them: `Bloemen &amp; Planten`, `&#39;s-Gravenhage`, `Caf&eacute;`. */

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  euro: "€",
  ndash: "–",
  mdash: "—",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  szlig: "ß",
  aelig: "æ",
  AElig: "Æ",
  oslash: "ø",
  Oslash: "Ø",
  ijlig: "ĳ",
  IJlig: "Ĳ",
};
/** Names of accented letters consist of letter and accent: `eacute`. */
const ACCENTS: Readonly<Record<string, string>> = {
  grave: "\u0300",
  acute: "\u0301",
  circ: "\u0302",
  tilde: "\u0303",
  uml: "\u0308",
  ring: "\u030a",
  caron: "\u030c",
  cedil: "\u0327",
};
const ENTITY =
  /&(?:#([0-9]{1,7})|#x([0-9a-f]{1,6})|([a-z])(grave|acute|circ|tilde|uml|ring|caron|cedil)|([a-z]{2,6}));/gi;
const MAX_CODE_POINT = 0x10ffff;

/** Replaces entities by their characters, once; unknown ones stay. */
export function decodeEntities(text: string): string {
  return text.replace(ENTITY, (whole, decimal, hex, letter, accent, name: string | undefined) => {
    if (typeof letter === "string" && typeof accent === "string") {
      return `${letter}${ACCENTS[accent.toLowerCase()] ?? ""}`.normalize("NFC");
    }
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? whole) : whole;
    const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
    const isCharacter = code > 0 && code <= MAX_CODE_POINT && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : whole;
  });
}
