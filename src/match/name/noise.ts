import { normalise } from "../../search/normalise.ts";
import type { NameKnowledge } from "./knowledge.ts";
import {
  ADDRESSEE_FIRST,
  CODE,
  DEPARTMENT_WORD,
  endOfForm,
  FILLER,
  GLUED_FORM,
  MARKED,
  NAME_NUMBER,
  ONLY_REMARK,
  REMARK_AFTER,
  REMARK_BEFORE,
  SORTED_BEHIND,
  TITLE,
} from "./markers.ts";
import { type Certainty, leave, type Reading } from "./reading.ts";

/** The words of an addressee after those that are known as such. */
const MAX_UNKNOWN_WORDS = 3;

/** Whether a text in brackets is a remark, a subject or a customer's number. */
export function isNoise(text: string): boolean {
  return (
    ONLY_REMARK.test(text.trim()) ||
    MARKED.exec(text)?.index === 0 ||
    (CODE.test(text.trim()) && certaintyOfCode(text.trim(), true) === "sure")
  );
}

/** How sure it is that a text is not a part of the name. It may be one if names have its words, or if it is a number or a letter. @param isBehind whether it follows a legal form */
export function certaintyOf(text: string, knowledge: NameKnowledge, isBehind: boolean): Certainty {
  if (CODE.test(text.trim())) return certaintyOfCode(text.trim(), true);
  if (knowledge.isCity(text)) return "place";
  const words = normalise(text).split(" ");
  const isTelling = words.some((word) => /^(?:.|[ivx]+|[0-9]{1,3}|(?:19|20)[0-9]{2})$/.test(word));
  return isTelling || (!isBehind && words.some(knowledge.isCommon)) ? "unsure" : "sure";
}

/** @param isApart whether a sign separates the number from the name */
function certaintyOfCode(word: string, isApart: boolean): Certainty {
  const [, sign = "", digits = ""] = CODE.exec(word) ?? [];
  return sign !== "" || !NAME_NUMBER.test(digits) || (isApart && digits.length > 2) ? "sure" : "unsure";
}

/** Leaves out one number, remark, label or addressee before or after a name; undefined if there is none. */
export function withoutEnd(one: Reading, knowledge: NameKnowledge): Reading | undefined {
  const { text } = one;
  const words = text.split(" ");
  for (const [place, word] of [
    [0, words[0] ?? ""],
    [words.length - 1, words.at(-1) ?? ""],
  ] as const) {
    const rest = words.toSpliced(place, 1).join(" ");
    if (words.length < 2 || !/\p{L}/u.test(rest)) continue;
    const code = word.replace(/[:,;]$/, "");
    if (CODE.test(code))
      return leave(one, code, certaintyOfCode(code, code !== word || /^[-/|:–]|[-/|,:–]$/.test(rest)), rest);
  }
  // Words in capitals beside a name of the registry.
  const [loud = ""] = /^\p{Lu}{4,}(?: \p{Lu}{4,})?(?= )|(?<= )\p{Lu}{4,}(?: \p{Lu}{4,})?$/u.exec(text) ?? [];
  const beside = text.replace(loud, "").trim();
  if (loud !== "" && /\p{Ll}/u.test(beside) && knowledge.isName(beside))
    return leave(one, loud, certaintyOf(loud, knowledge, false), beside);
  const [label = ""] = /^\p{L}[\p{L} ]{1,20}: /u.exec(text) ?? [];
  if (label !== "" && !ADDRESSEE_FIRST.test(text)) return leave(one, label, "sure", text.slice(label.length));
  return withoutRemark(one) ?? withoutAddressee(one, knowledge);
}

/** A remark is sure if a sign or a legal form separates it, if it alone is in capitals, or if no name has it. */
function withoutRemark(one: Reading): Reading | undefined {
  const { text } = one;
  const [before, first = "", sign = ""] = REMARK_BEFORE.exec(text) ?? [];
  const [after = "", lastSign = "", last = ""] = before === undefined ? (REMARK_AFTER.exec(text) ?? []) : [];
  const remark = first || last;
  const rest = before === undefined ? text.slice(0, text.length - after.length) : text.slice(before.length);
  if (remark === "" || !/\p{L}/u.test(rest)) return undefined;
  const isApart =
    (sign + lastSign).trim() !== "" || (before === undefined && endOfForm(rest) === rest.length);
  const isLoud = remark === remark.toUpperCase() && rest !== rest.toUpperCase();
  // The whole text behind the legal form may be a remark.
  if (before === undefined && !isApart && endOfForm(rest) !== undefined) return undefined;
  return leave(
    one,
    remark,
    isApart || isLoud || /\S \S|^[zx]+$|.administratie$/i.test(remark) ? "sure" : "unsure",
    rest,
  );
}

/** Where no sign shows where the name begins, a name of the registry does, or else the last of the words for people and departments. */
function withoutAddressee(one: Reading, knowledge: NameKnowledge): Reading | undefined {
  const [mark] = ADDRESSEE_FIRST.exec(one.text) ?? [];
  if (mark === undefined) return undefined;
  const words = one.text.slice(mark.length).split(" ");
  const from = (at: number) => words.slice(at).join(" ");
  let known = 0;
  let isPerson = false;
  for (let word = words[0] ?? ""; known < words.length - 1; word = words[++known] ?? "") {
    const isDepartment = DEPARTMENT_WORD.test(word) || DEPARTMENT_WORD.test(`${word} ${words[known + 1]}`);
    if (!TITLE.test(word) && !FILLER.test(word) && !isDepartment) break;
    isPerson ||= TITLE.test(word) || /^\p{Lu}\./u.test(word);
  }
  const ends = words.map((_, at) => at).slice(0, known + MAX_UNKNOWN_WORDS + 1);
  const found = ends.find((at) => knowledge.isName(from(at)));
  const start = found ?? Math.min(known + Number(isPerson), words.length - 1);
  const isKnown = start <= known + Number(isPerson) || knowledge.isDistinct(from(start), 3);
  const certainty = isKnown ? "sure" : knowledge.isDistinct(from(start), -2) ? "place" : "unsure";
  return leave(one, mark + words.slice(0, start).join(" "), certainty, from(start));
}

/** Puts a name that was written for sorting in its usual order, and separates a legal form or the end of a domain from it. */
export function inUsualOrder(text: string): string {
  const name = text
    .replace(GLUED_FORM, " $&")
    .replace(/^(?:www\.)?([^\s.]+)\.(?:nl|com|eu|be|org|net)$/i, "$1");
  const end = endOfForm(name) ?? name.length;
  const tail = name.slice(end).trim();
  if (end > 4 && SORTED_BEHIND.test(tail)) return `${tail} ${name.slice(0, end)}`;
  const [, front = "", behind = ""] = /^([^,]+), ?([^,]+)$/.exec(name.slice(0, end)) ?? [];
  const [form = ""] = /(?: \S+)?$/.exec(behind) ?? [];
  for (const last of [behind, behind.slice(0, -form.length || undefined)])
    if (SORTED_BEHIND.test(last)) return `${last} ${front}${behind.slice(last.length)}${name.slice(end)}`;
  return name.replace(/^(.+) (stichting|vereniging)$/iu, "$2 $1");
}
