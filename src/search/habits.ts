/** Words that are written in more than one way; each as the words that may stand in its place. */
const WRITTEN_SO: Readonly<Record<string, readonly string[]>> = {
  vd: ["van de", "van den", "van der"],
  gebr: ["gebroeders"],
  gebroeders: ["gebr"],
  st: ["sint", "stichting"],
  sint: ["st"],
  zn: ["zoon", "zonen"],
  zoon: ["zn"],
  zonen: ["zn"],
  mij: ["maatschappij"],
  maatschappij: ["mij"],
};

const NUMBERS =
  "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig".split(
    " ",
  );

const OTHERS = new Map<string, readonly string[]>(Object.entries(WRITTEN_SO));
for (const [number, word] of NUMBERS.entries()) {
  OTHERS.set(word, [String(number)]);
  OTHERS.set(String(number), [word]);
}

/** `v/d` is two letters after it was normalised. */
const VAN_DE = /(?<![^ ])v d(?![^ ])/;
/** Words that say little: a name may be meant without them. */
export const STOP_WORDS: ReadonlySet<string> = new Set([
  "en",
  "de",
  "het",
  "van",
  "der",
  "den",
  "t",
  "voor",
  "te",
]);
const MOST_WAYS = 12;

/**
 * Other ways to write a normalised query, one habit changed in each: `van den berg` for `vd berg`, `gebr jansen` for
 * `gebroeders jansen`, `3` for `drie`; and at last without its stop words.
 */
export function otherWays(normal: string): string[] {
  const ways = new Set<string>();
  if (VAN_DE.test(normal)) {
    for (const way of OTHERS.get("vd") ?? []) ways.add(normal.replace(VAN_DE, way));
  }
  const words = normal.split(" ");
  for (const [place, word] of words.entries()) {
    for (const way of OTHERS.get(word) ?? []) ways.add(words.with(place, way).join(" "));
  }
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  if (telling.length > 0 && telling.length < words.length) ways.add(telling.join(" "));
  return [...ways].slice(0, MOST_WAYS);
}

const SOUND_ALIKE: readonly (readonly [string, string])[] = [
  ["ph", "f"],
  ["f", "ph"],
  ["ei", "ij"],
  ["ij", "ei"],
  ["ji", "ij"],
  ["ou", "au"],
  ["au", "ou"],
  ["th", "t"],
  ["x", "ks"],
  ["ks", "x"],
];

/** Words that are spoken as this one, each with one sound written otherwise; and with `ij`, which is one letter, turned round. */
export function spokenAlike(word: string): string[] {
  const found = new Set<string>();
  for (const [written, other] of SOUND_ALIKE) {
    if (word.includes(written)) found.add(word.replaceAll(written, other));
  }
  return [...found];
}
