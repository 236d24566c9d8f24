import { normalise } from "../../search/normalise.ts";
import { addressed } from "./addressee.ts";
import { repaired } from "./broken.ts";
import type { NameKnowledge } from "./knowledge.ts";
import {
  BRACKETED,
  CODE,
  DELIMITER,
  NAME_NUMBER,
  ONLY_REMARK,
  REMARK_AFTER,
  REMARK_BEFORE,
  SORTED_BEHIND,
  STARTS_WITH_ALIAS,
  TRAILING_FORM,
  unglued,
} from "./markers.ts";

/**
 * How surely a text that was left out is not a part of the name. `place`: sure of a company in the city of the query; `unsure`: it may be what
 * distinguishes the company from another, so that a person must decide.
 */
export type Certainty = "sure" | "place" | "unsure";

/** One way to read a text as a name. */
export interface Reading {
  readonly text: string;
  /** The parts of the text that are not compared. */
  readonly leftOut: readonly string[];
  readonly certainty: Certainty;
  /** Compares owners' associations without the house numbers in their names. */
  readonly isWithoutNumbers?: boolean;
}

/** The maximum number of readings in addition to the whole text. */
const MAX_READINGS = 4;
/** The maximum number of remarks and numbers to remove at one name. */
const MAX_REMOVED = 6;
const CERTAINTIES: readonly Certainty[] = ["sure", "place", "unsure"];

/** A text under way to a reading. */
class Draft implements Reading {
  text: string;
  leftOut: string[] = [];
  certainty: Certainty = "sure";
  /** Whether a word for another name joins it to the text. */
  readonly isAlias: boolean;

  constructor(text: string, isAlias = false) {
    this.text = trimmed(text);
    this.isAlias = isAlias;
  }

  leaveOut(text: string, certainty: Certainty = "sure"): void {
    if (trimmed(text) === "") return;
    this.leftOut.push(trimmed(text));
    this.certainty = leastSure(this.certainty, certainty);
  }
}

/** Returns the ways to read a name other than as it stands, the most likely first, at most {@link MAX_READINGS}. @param plain cleaned */
export function otherReadings(plain: string, knowledge: NameKnowledge): readonly Reading[] {
  const text = repaired(plain, knowledge) ?? plain;
  const names = namesIn(text, knowledge);
  const readings: Reading[] = names.length > 1 ? [joined(names)] : [];
  for (const [nth, one] of names.entries()) readings.push(alone(names, nth, one, knowledge));
  if (/^(?:v\.?v\.?e\.?|vereniging van eigena)[^0-9]*$/iu.test(plain))
    readings.push({ text: plain, leftOut: [], certainty: "unsure", isWithoutNumbers: true });
  const seen = new Set([normalise(plain)]);
  return readings
    .filter(({ text, isWithoutNumbers }) => {
      const normal = normalise(text);
      if (isWithoutNumbers !== true && seen.has(normal)) return false;
      seen.add(normal);
      return normal !== "";
    })
    .slice(0, MAX_READINGS);
}

/** Splits a text into the names in it, each with what was left out at it. */
function namesIn(text: string, knowledge: NameKnowledge): Draft[] {
  const names: Draft[] = [];
  const outside: [text: string, certainty: Certainty][] = [];
  const inBrackets: string[] = [];
  const open = text.replace(BRACKETED, (_, ...groups: unknown[]) => {
    inBrackets.push(String(groups.slice(0, 3).find((one) => one !== undefined) ?? ""));
    return " ";
  });
  for (const { kind, mark, content } of partsOf(open)) {
    if (names.length > 0 && kind === "matter") outside.push([mark + content, "sure"]);
    else if (names.length > 0 && kind === "branch") outside.push([mark + content, "sure"]);
    else {
      const name = new Draft(content, kind === "alias");
      strip(name, knowledge);
      const last = names.at(-1);
      if (ONLY_REMARK.test(name.text)) name.leaveOut(name.text);
      if (ONLY_REMARK.test(name.text) || name.text === "")
        outside.push(...name.leftOut.map((one) => [one, name.certainty] as [string, Certainty]));
      else if (last !== undefined && mark.startsWith(",") && SORTED_BEHIND.test(name.text))
        last.text = `${name.text} ${last.text}`;
      else names.push(name);
    }
  }
  for (const one of inBrackets) {
    if (STARTS_WITH_ALIAS.test(one)) names.push(new Draft(one.replace(STARTS_WITH_ALIAS, ""), true));
    else if (endOfForm(one) !== undefined) names.push(new Draft(one));
    else outside.push([one, ONLY_REMARK.test(one.trim()) ? "sure" : certaintyWithout(one, knowledge, true)]);
  }
  for (const name of names) for (const [one, certainty] of outside) name.leaveOut(one, certainty);
  return names;
}

type Kind = "name" | "alias" | "matter" | "branch";

function partsOf(text: string): { kind: Kind; mark: string; content: string }[] {
  const parts: { kind: Kind; mark: string; content: string }[] = [];
  let [kind, mark, from]: [Kind, string, number] = ["name", "", 0];
  for (const found of text.matchAll(DELIMITER)) {
    const { alias, matter, branch } = found.groups ?? {};
    parts.push({ kind, mark, content: text.slice(from, found.index) });
    kind =
      alias !== undefined
        ? "alias"
        : matter !== undefined
          ? "matter"
          : branch !== undefined
            ? "branch"
            : "name";
    mark = found[0];
    from = found.index + mark.length;
  }
  return [...parts, { kind, mark, content: text.slice(from) }];
}

/** Removes numbers, remarks and addressees around a name, and puts a name in its usual order. */
function strip(name: Draft, knowledge: NameKnowledge): void {
  for (let removed = -1; removed < name.leftOut.length && removed < MAX_REMOVED; ) {
    removed = name.leftOut.length;
    stripCode(name);
    stripRemark(name);
  }
  addressed(name, knowledge);
  name.text = unglued(name.text).replace(/^(?:www\.)?([^\s.]+)\.(?:nl|com|eu|be|org|net)$/i, "$1");
  const end = endOfForm(name.text) ?? name.text.length;
  const tail = trimmed(name.text.slice(end));
  if (tail !== "" && end > 5) {
    name.text = trimmed(name.text.slice(0, end));
    if (SORTED_BEHIND.test(tail)) name.text = `${tail} ${name.text}`;
    else name.leaveOut(tail, certaintyWithout(tail, knowledge, false));
  }
  name.text = name.text.replace(/^(.+) (stichting|vereniging)$/iu, "$2 $1");
}

function stripCode(name: Draft): void {
  const words = name.text.split(" ");
  if (words.length === 1 && CODE.test(name.text)) {
    name.leaveOut(name.text, certaintyOfCode(name.text, true));
    name.text = "";
    return;
  }
  for (const at of [0, words.length - 1]) {
    const word = words[at] ?? "";
    if (words.length < 2 || !CODE.test(word)) continue;
    name.leaveOut(word, certaintyOfCode(word, false));
    name.text = trimmed(words.toSpliced(at, 1).join(" "));
    return;
  }
}

/** @param isApart whether punctuation separates the number from the name */
function certaintyOfCode(word: string, isApart: boolean): Certainty {
  const [, sign = "", digits = ""] = CODE.exec(word) ?? [];
  return sign !== "" || !NAME_NUMBER.test(digits) || (isApart && digits.length > 2) ? "sure" : "unsure";
}

/** A remark is sure if a sign separates it, if it alone is in capitals, or if it is long. */
function stripRemark(name: Draft): void {
  const [before, first = "", sign = ""] = REMARK_BEFORE.exec(name.text) ?? [];
  const [after, lastSign = "", last = ""] = before === undefined ? (REMARK_AFTER.exec(name.text) ?? []) : [];
  const found = before ?? after;
  if (found === undefined) return;
  const remark = first || last;
  const rest = before === undefined ? name.text.slice(0, -found.length) : name.text.slice(found.length);
  if (!/\p{L}/u.test(rest)) return;
  const isApart =
    (sign || lastSign).trim() !== "" || (before === undefined && endOfForm(rest) === rest.length);
  const isLoud = remark === remark.toUpperCase() && rest !== rest.toUpperCase();
  const isLong = /\S [^\s]|^(?:z+|x+)$/iu.test(remark) || /.administratie$/iu.test(remark);
  name.leaveOut(remark, isApart || isLoud || isLong ? "sure" : "unsure");
  name.text = trimmed(rest);
}

/** All names together, without what stands around them. */
function joined(names: readonly Draft[]): Reading {
  const certainty = names.map((one) => one.certainty).reduce(leastSure);
  return {
    text: names.map(({ text }) => text).join(" "),
    leftOut: names.flatMap(({ leftOut }) => leftOut),
    certainty,
  };
}

/** One of the names. Sure if a word says that another name follows, if legal forms show where names end, or if the other is written in capitals. */
function alone(names: readonly Draft[], nth: number, name: Draft, knowledge: NameKnowledge): Reading {
  const isClosed = endOfForm(name.text) !== undefined;
  let { certainty } = name;
  for (const [at, other] of names.entries()) {
    if (at === nth) continue;
    const isLoud = other.text === other.text.toUpperCase() && name.text !== name.text.toUpperCase();
    const isSure =
      name.isAlias ||
      other.isAlias ||
      isLoud ||
      (isClosed && (at > nth || endOfForm(other.text) !== undefined));
    certainty = leastSure(
      certainty,
      name.isAlias || other.isAlias
        ? "sure"
        : isSure
          ? certaintyWithout(other.text, knowledge, true)
          : "unsure",
    );
  }
  const others = names.flatMap((one, at) => (at === nth ? [] : [one.text]));
  return { text: name.text, leftOut: [...name.leftOut, ...others], certainty };
}

/** How sure it is that a text without a mark of its own is not a part of the name: it is not if it often stands in names, or is a number or a letter. */
function certaintyWithout(text: string, knowledge: NameKnowledge, isApart: boolean): Certainty {
  const words = normalise(text).split(" ");
  if (CODE.test(text.trim())) return certaintyOfCode(text.trim(), isApart);
  if (knowledge.isCity(text)) return "place";
  return words.some(
    (word) => /^(?:.|[ivx]+|[0-9]{1,3}|(?:19|20)[0-9]{2})$/.test(word) || knowledge.isCommon(word),
  )
    ? "unsure"
    : "sure";
}

/** The offset behind the last legal form that may end a name. */
function endOfForm(text: string): number | undefined {
  const last = [...text.matchAll(TRAILING_FORM)].at(-1);
  return last === undefined ? undefined : last.index + last[0].length;
}

function leastSure(one: Certainty, other: Certainty): Certainty {
  return CERTAINTIES[Math.max(CERTAINTIES.indexOf(one), CERTAINTIES.indexOf(other))] ?? "unsure";
}

function trimmed(text: string): string {
  return text
    .replace(/ {2,}/g, " ")
    .replace(/^[\s,;|:*#/–—-]+(?![0-9])|(?<![\s,;|:*#/–—-])[\s,;|:*#/–—-]+$/g, "")
    .trim();
}
