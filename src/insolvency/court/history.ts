import { isDay, parseDay } from "../../company/dates.ts";
import { known } from "../../lib/values.ts";
import type { XmlElement } from "../../lib/xml.ts";
import type { CaseType, CourtCase } from "../types.ts";
import { effectOf, isContinuing, rankOf, typeOfCode } from "./codes.ts";
import { textOf } from "./elements.ts";

/** A publication of a case. */
export interface Publication {
  readonly reference: string;
  readonly code: string;
  /** YYYY-MM-DD */
  readonly publishedOn: string;
  /** The day of the ruling in the text, else that of the publication. */
  readonly ruledOn: string;
}

/** The course of a case. */
export type Course = Pick<CourtCase, "type" | "since" | "endedOn" | "isContinued">;

const DATE_IN_TEXT = /\d{4}-\d{2}-\d{2}|\d{1,2}(?:[-/.]\d{1,2}[-/.]|[\s-]+\p{L}{3,9}\.?[\s-]+)\d{4}(?!\d)/u;

/** Reads a publication; undefined if something that every publication has is missing. */
export function readPublication(element: XmlElement): Publication | undefined {
  const reference = textOf(element, "publicatieKenmerk");
  const code = textOf(element, "publicatieSoortCode");
  const publishedOn = dayOf(textOf(element, "publicatieDatum"));
  if (reference === undefined || code === undefined || publishedOn === undefined) return undefined;
  const text = textOf(element, "publicatieOmschrijving") ?? "";
  const ruledOn = parseDay(DATE_IN_TEXT.exec(text)?.[0] ?? "");
  const isPlausible =
    ruledOn !== undefined &&
    ruledOn !== "partial" &&
    ruledOn <= publishedOn &&
    yearOf(ruledOn) >= yearOf(publishedOn) - 1;
  return { reference, code, publishedOn, ruledOn: isPlausible ? ruledOn : publishedOn };
}

/** The day of an `xs:date` or `xs:dateTime`, without its zone. */
export function dayOf(text: string | undefined): string | undefined {
  const day = text?.slice(0, 10) ?? "";
  return isDay(day) ? day : undefined;
}

/**
 * Follows the publications of a case. Without a beginning or an end if their order by date of publication and that by
 * date of ruling disagree about whether the case is open.
 * @param type by the number of the case; a declaration overrides it
 */
export function courseOf(publications: readonly Publication[], type: CaseType): Course {
  const published = followed(publications.toSorted(inOrder("publishedOn")), type);
  const ruled = followed(publications.toSorted(inOrder("ruledOn")), type);
  const isSame = published.type === ruled.type && isEnded(published) === isEnded(ruled);
  return isSame ? published : { type };
}

/** A declaration after an end reopens a case; an end of another kind of case changes nothing. */
function followed(publications: readonly Publication[], type: CaseType): Course {
  let course: Course = { type };
  for (const { code, ruledOn } of publications) {
    const effect = effectOf(code);
    const about = typeOfCode(code) ?? type;
    const isOpen = course.since !== undefined && course.endedOn === undefined;
    if (effect === "declared" && !(isOpen && about === course.type)) course = { type: about, since: ruledOn };
    if (effect === "ended" && about === course.type) {
      course = {
        ...course,
        endedOn: course.endedOn ?? ruledOn,
        ...known("isContinued", isContinuing(code) || course.isContinued),
      };
    }
  }
  return course;
}

function isEnded({ endedOn }: Course): boolean {
  return endedOn !== undefined;
}

function inOrder(date: "publishedOn" | "ruledOn") {
  return (a: Publication, b: Publication): number =>
    compare(a[date], b[date]) || rankOf(a.code) - rankOf(b.code) || sequenceOf(a) - sequenceOf(b);
}

function yearOf(day: string): number {
  return Number(day.slice(0, 4));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The number of a publication among those of its code: 2 in `16.mne.23.100.F.1300.2.00`. */
function sequenceOf({ reference }: Publication): number {
  return Number(reference.split(".").at(-2)) || 0;
}
