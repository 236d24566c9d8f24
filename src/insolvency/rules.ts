/** Rules for keeping and showing cases. Days are YYYY-MM-DD, by the court's clock. */
import type { LegalForm } from "../contract/legalForms.ts";
import type { CourtProgress } from "./stored.ts";
import type { CourtCase, CourtList } from "./types.ts";

/** The court requires that data of a case is destroyed within this time after its end. */
const MAX_MONTHS_AFTER_END = 6;
const DAY_MS = 86_400_000;
const MAX_AHEAD_MS = 3_600_000;

/** The day of a moment as the court writes it, with its time zone. */
export function dayOf(moment: string): string {
  return moment.slice(0, 10);
}

/** A moment as the court writes it, Unix milliseconds; 0 for none. */
export function momentMs(moment: string): number {
  return Date.parse(moment) || 0;
}

/**
 * The part of a case that is stored: of a sole trader's case that has ended only the facts of an event. Undefined if
 * nothing is stored.
 * @param wasStored whether the case is stored already
 */
export function keptOf(found: CourtCase, day: string, wasStored: boolean): CourtCase | undefined {
  if (found.endedOn === undefined) return found;
  if (found.isLegalPerson) return isOverdue(found, day) ? undefined : found;
  if (!wasStored || found.kvkNumbers.length === 0) return undefined;
  const { visibleUntil, previousCaseNumber, ...reduced } = found;
  return { ...reduced, names: [], addresses: [], curators: [] };
}

/** Whether a stored case must be deleted because of its end. @param wasShown whether processes have seen its end */
export function isOverdue({ endedOn, isLegalPerson }: CourtCase, day: string, wasShown = false): boolean {
  if (endedOn === undefined) return false;
  if (!isLegalPerson) return wasShown;
  const until = new Date(endedOn);
  until.setUTCMonth(until.getUTCMonth() + MAX_MONTHS_AFTER_END);
  // A shorter month has no such day: its last one counts.
  if (until.getUTCDate() !== new Date(endedOn).getUTCDate()) until.setUTCDate(0);
  return dayOf(until.toISOString()) <= day;
}

/** A case as it is shown: one that may not be shown says nothing, but does not permit `none` either. */
export function shownCase(found: CourtCase, day: string, isHeld: boolean): CourtCase | undefined {
  const isOver = found.visibleUntil !== undefined && found.visibleUntil < day;
  if (isHeld) return silent(found);
  if (!isOver) return found;
  return found.endedOn === undefined ? silent(found) : undefined;
}

/**
 * Whether the cases of a company permit no `none`: no publication declares one of them, or one goes on in a case that
 * is not listed yet.
 */
export function areUncertain(own: readonly CourtCase[]): boolean {
  return own.some(
    ({ id, since, endedOn = "", isContinued }) =>
      since === undefined ||
      (isContinued === true && !own.some((next) => next.id !== id && (next.since ?? "") >= endedOn)),
  );
}

/**
 * Whether a case can be that of a company with a legal form. A person's case is not that of a company or partnership
 * that it names, nor is a company's case that of a sole trader.
 */
export function isPossible({ isLegalPerson }: CourtCase, legalForm: LegalForm | undefined): boolean {
  return isLegalPerson ? legalForm !== "EMZ" : (legalForm ?? "EMZ") === "EMZ";
}

function silent({ since, endedOn, ...others }: CourtCase): CourtCase {
  return { ...others, curators: [] };
}

/** `F.16/23/100` of `16.mne.23.100.F.1300.1.00`; undefined for another text. */
export function caseNumberOf(publication: string): string | undefined {
  const [, court, year, number, kind] =
    /^(?:([0-9]{2})\.)?[a-z]{3}\.([0-9]{2})\.([0-9]{1,4})\.([A-Z])\./i.exec(publication) ?? [];
  if (kind === undefined) return undefined;
  return `${kind}.${court === undefined ? "" : `${court}/`}${year}/${number}`;
}

/** The part of a publication's reference that all publications of the case share at one court. */
export function caseKeyOf(publication: string): string {
  return publication.split(".").slice(0, -3).join(".") || publication;
}

/** Whether a publication belongs to a case. */
export function isOf({ publication, publications }: CourtCase, other: string): boolean {
  const all = [publication, ...publications];
  return all.includes(other) || all.some((own) => caseKeyOf(own) === caseKeyOf(other));
}

/**
 * Whether the date of a list can be right. Changes until a date of the future would never be asked for, and an early
 * one makes the next list heavy for the court.
 */
export function isPlausible({ extractedAt }: CourtList<unknown>, from: string, nowMs: number): boolean {
  const atMs = Date.parse(extractedAt);
  return atMs >= Date.parse(from) - DAY_MS && atMs <= nowMs + MAX_AHEAD_MS;
}

/** Whether every case of the last list is stored, so that the replica may say that there is none. */
export function isWhole({ modifiedFrom, completeAtMs }: CourtProgress): boolean {
  return completeAtMs > 0 && momentMs(modifiedFrom) === completeAtMs;
}
