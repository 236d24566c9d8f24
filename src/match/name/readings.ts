import { tidy } from "../../lib/values.ts";
import { withSpacedForm } from "../../search/legalFormWords.ts";
import { normalise } from "../../search/normalise.ts";
import { withoutAddressee } from "./addressee.ts";
import { repaired } from "./broken.ts";
import { doubtOf, isNoise, withoutEnd } from "./ends.ts";
import type { NameKnowledge } from "./knowledge.ts";
import { ALIAS, BRACKETED, endOfForm, MARKED, SEPARATOR, SORTED_BEHIND } from "./markers.ts";
import { DOUBT, type NameReading, shorter, trimmed } from "./reading.ts";

/** The maximum number of readings in addition to the whole text. */
const MAX_READINGS = 4;
/** A longer text, and one of more parts, is compared as it stands. */
const MAX_LENGTH = 250;
const MAX_PARTS = 8;
/** The maximum number of remarks and numbers to leave out at the ends of one name. */
const MAX_ENDS = 6;
/** Signs that no name has, and one behind a number. An arrow separates names. */
const SIGNS = /(?<![-=])[_<>{}]+|!{2,}|(?<=^[0-9]{4,})[/;|](?=\p{L})/gu;
/** A number that may set apart the members of a family. */
const NUMBERED = /^[^\p{L}]*n(?:r\.?|o\.|ummer) ?[0-9]{1,3}[^\p{L}\p{N}]*$/iu;
const OWNERS_WITHOUT_NUMBERS = /^(?:v\.?v\.?e\.?|vereniging van eigena)[^0-9]*$/i;

/**
 * Returns the ways to read a name other than as it stands, the most likely first, at most {@link MAX_READINGS}.
 * @param plain cleaned
 */
export function otherReadings(plain: string, knowledge: NameKnowledge): readonly NameReading[] {
  if (plain.length > MAX_LENGTH) return [];
  const whole = repaired(plain, knowledge);
  const names = (tidy(whole.replace(SIGNS, " ")) ?? "")
    .split(ALIAS)
    .filter((piece) => /\p{L}/u.test(piece))
    .map((piece) => withoutNoise({ whole, text: trimmed(piece), doubt: DOUBT.certain }, knowledge));
  const [only] = names;
  if (names.length === 1 && only !== undefined && !knowledge.isName(only.text))
    names.push(...partsOf(only, knowledge));
  const seen = new Set(["", normalise(plain)]);
  const readings = names
    .map((one) => ({ ...one, text: inUsualOrder(one.text, knowledge) }))
    .filter(({ text }) => seen.size < seen.add(normalise(text)).size);
  if (OWNERS_WITHOUT_NUMBERS.test(plain))
    readings.push({ whole, text: plain, doubt: DOUBT.doubtful, isWithoutNumbers: true });
  return readings.slice(0, MAX_READINGS);
}

/**
 * Leaves out what has a mark of its own: remarks, numbers, subjects, branches, addressees. Stops at a name of the
 * registry.
 */
function withoutNoise(one: NameReading, knowledge: NameKnowledge): NameReading {
  const text = one.text.replace(BRACKETED, (all: string, inner?: string) =>
    inner === undefined || isNoise(inner) ? " " : all,
  );
  const mark = MARKED.exec(text);
  const before = text.slice(0, mark?.index);
  const marked = text.slice(mark?.index);
  // A legal form behind the mark ends the name, unless one stands before it: `X Nr. 4 B.V.`.
  const isInName =
    NUMBERED.test(marked) ||
    (endOfForm(marked) !== undefined &&
      (mark?.groups?.branch !== undefined || endOfForm(before) === undefined));
  let rest = /\p{L}/u.test(before)
    ? shorter(one, before, mark !== null && isInName ? DOUBT.doubtful : DOUBT.certain)
    : shorter(one, text.replace(MARKED, ""), mark?.groups?.branch === undefined ? undefined : DOUBT.doubtful);
  for (let nth = 0; nth < MAX_ENDS && !knowledge.isName(rest.text); nth++)
    rest = withoutAddressee(rest, knowledge) ?? withoutEnd(rest, knowledge) ?? rest;
  return rest;
}

/**
 * Returns readings without what has no mark of its own: text in brackets, between signs, behind the legal form, a place
 * at the end.
 */
function partsOf(one: NameReading, knowledge: NameKnowledge): NameReading[] {
  let { doubt } = one;
  const open = one.text.replace(BRACKETED, (_, inner: string, at: number) => {
    doubt = Math.max(doubt, doubtOf(inner, knowledge, endOfForm(one.text.slice(0, at)) !== undefined));
    return " ";
  });
  const end = endOfForm(open) ?? open.length;
  const tail = open.slice(end);
  const core = shorter(
    one,
    open.slice(0, end),
    Math.max(doubt, /\p{L}|[0-9]/u.test(tail) ? doubtOf(tail, knowledge, true) : 0),
  );
  const segments = core.text.split(SEPARATOR, MAX_PARTS + 1);
  if (segments.length > MAX_PARTS) return [core];
  const alone = segments.map((text, nth) => {
    const isClosed = endOfForm(text) !== undefined;
    const doubts = segments.map((other, at) => {
      const isShort = other.split(" ").length <= 2 || endOfForm(other) !== undefined;
      if (at === nth) return core.doubt;
      return isClosed && (at > nth || isShort) ? doubtOf(other, knowledge, at > nth) : DOUBT.doubtful;
    });
    return shorter(core, text, Math.max(...doubts));
  });
  const inner = [...one.text.matchAll(BRACKETED)]
    .map(([, text = ""]) => text)
    .filter((text) => endOfForm(text) !== undefined && !knowledge.isName(core.text))
    .map((text) => shorter(one, text, doubtOf(core.text, knowledge, false)));
  const places = [/(?<= )\S+ \S+$/, /(?<= )\S+$/].map((last) => last.exec(core.text)?.[0] ?? "");
  const place = places.find((text) => text !== "" && knowledge.isCity(text));
  return [
    core,
    ...inner,
    ...alone,
    ...(place === undefined ? [] : [shorter(core, core.text.slice(0, -place.length), DOUBT.doubtful)]),
  ];
}

/**
 * Puts a name that was written for sorting in its usual order, and separates a legal form or the end of a domain from
 * it.
 */
function inUsualOrder(text: string, { informationOf }: NameKnowledge): string {
  const isKnown = (word: string) => informationOf(word) < informationOf("");
  const name = withSpacedForm(text, isKnown).replace(
    /^(?:www\.)?([^\s.]+)\.(?:nl|com|eu|be|org|net)$/i,
    "$1",
  );
  const end = endOfForm(name) ?? name.length;
  const tail = name.slice(end).trim();
  if (end > 4 && SORTED_BEHIND.test(tail)) return `${tail} ${name.slice(0, end)}`;
  const [, front = "", behind = "", form = ""] = /^([^,]+), ?([^,]+?)( \S+)?$/.exec(name) ?? [];
  if (SORTED_BEHIND.test(behind + form)) return `${behind}${form} ${front}`;
  if (SORTED_BEHIND.test(behind)) return `${behind} ${front}${form}`;
  return name.replace(/^(.+) (stichting|vereniging)$/iu, "$2 $1");
}
