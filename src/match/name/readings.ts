import { normalise } from "../../search/normalise.ts";
import { repaired } from "./broken.ts";
import type { NameKnowledge } from "./knowledge.ts";
import { ALIAS, BRACKETED, endOfForm, MARKED, SEPARATOR } from "./markers.ts";
import { certaintyOf, inUsualOrder, isNoise, withoutEnd } from "./noise.ts";
import { leave, type Reading, readingOf } from "./reading.ts";

/** The maximum number of readings in addition to the whole text. */
const MAX_READINGS = 4;
/** The maximum number of remarks and numbers to remove at one name. */
const MAX_REMOVED = 6;
const OWNERS_WITHOUT_NUMBERS = /^(?:v\.?v\.?e\.?|vereniging van eigena)[^0-9]*$/i;

/** Returns the ways to read a name other than as it stands, the most likely first, at most {@link MAX_READINGS}. @param plain cleaned */
export function otherReadings(plain: string, knowledge: NameKnowledge): readonly Reading[] {
  const pieces = (repaired(plain, knowledge) ?? plain)
    .split(ALIAS)
    .filter((piece) => /\p{L}|[0-9]/u.test(piece));
  const names = pieces.map((piece) => withoutNoise(readingOf(piece), knowledge));
  const [only = readingOf(""), second] = names;
  const readings =
    second !== undefined
      ? names.map((one) =>
          names.reduce((rest, other) => (other === one ? rest : leave(rest, other.text)), one),
        )
      : [only, ...(knowledge.isName(only.text) ? [] : parts(only, knowledge))];
  const seen = new Set(["", normalise(plain)]);
  const others = readings.filter(({ text }) => seen.size < seen.add(normalise(text)).size);
  if (OWNERS_WITHOUT_NUMBERS.test(plain))
    others.push({ ...readingOf(plain), certainty: "unsure", isWithoutNumbers: true });
  return others.slice(0, MAX_READINGS);
}

/** Leaves out what has a mark of its own: remarks, numbers, subjects, branches, addressees. Stops at a name of the registry. */
function withoutNoise(one: Reading, knowledge: NameKnowledge): Reading {
  let rest = one;
  for (const [bracketed, ...inner] of one.text.matchAll(BRACKETED)) {
    const content = inner.find((text) => text !== undefined) ?? "";
    if (bracketed.startsWith("*") || isNoise(content))
      rest = leave(rest, content, "sure", rest.text.replace(bracketed, " "));
  }
  const mark = MARKED.exec(rest.text);
  const before = rest.text.slice(0, mark?.index);
  if (mark !== null && /\p{L}/u.test(before)) {
    const content = rest.text.slice(mark.index + mark[0].length);
    const isBranch = mark.groups?.branch !== undefined;
    rest = leave(
      rest,
      mark[0] + content,
      isBranch && endOfForm(content) !== undefined ? "unsure" : "sure",
      before,
    );
  } else if (mark !== null) rest = { ...rest, text: rest.text.replace(MARKED, "") };
  for (let nth = 0; nth < MAX_REMOVED && !knowledge.isName(rest.text); nth++) {
    const shorter = withoutEnd(rest, knowledge);
    if (shorter === undefined) break;
    rest = shorter;
  }
  return { ...rest, text: inUsualOrder(rest.text) };
}

/** Returns readings without parts of a name that have no mark of their own: in brackets, between signs, behind the legal form, a place. */
function parts(one: Reading, knowledge: NameKnowledge): Reading[] {
  let core = one;
  for (const [bracketed, ...inner] of one.text.matchAll(BRACKETED)) {
    const content = inner.find((text) => text !== undefined) ?? "";
    const isClosed = endOfForm(core.text.slice(0, core.text.indexOf(bracketed))) !== undefined;
    core = leave(core, content, certaintyOf(content, knowledge, isClosed), core.text.replace(bracketed, " "));
  }
  const end = endOfForm(core.text) ?? core.text.length;
  const tail = core.text.slice(end);
  if (/\p{L}|[0-9]/u.test(tail))
    core = leave(core, tail, certaintyOf(tail, knowledge, SEPARATOR.test(tail)), core.text.slice(0, end));
  const segments = core.text.split(SEPARATOR);
  const alone =
    segments.length < 2
      ? []
      : segments.map((text, nth) => {
          const isClosed = endOfForm(text) !== undefined;
          return segments.reduce(
            (rest, other, at) => {
              if (at === nth) return rest;
              const isShort = other.split(" ").length <= 2 || endOfForm(other) !== undefined;
              return leave(
                rest,
                other,
                isClosed && (at > nth || isShort) ? certaintyOf(other, knowledge, at > nth) : "unsure",
              );
            },
            { ...core, text },
          );
        });
  const place = /(?<= )(?:\S+ )?\S+$/.exec(core.text)?.[0] ?? "";
  const places = [place, place.replace(/^\S+ /, "")].filter((text) => text !== "" && knowledge.isCity(text));
  const withoutPlace = places
    .slice(0, 1)
    .map((text) => leave(core, text, "unsure", core.text.slice(0, -text.length)));
  return [core, ...alone, ...withoutPlace].map((part) => ({ ...part, text: inUsualOrder(part.text) }));
}
