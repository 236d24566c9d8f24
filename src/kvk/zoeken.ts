/**
 * Reads responses of KVK's Zoeken API, versions 2.0 and 2.1: one row per branch, and one for the legal person, which
 * has no branch number and often no address. Rows contain only street and city of an address, unless the search gave
 * more of it.
 */

import type { Rejection } from "../company/rejection.ts";
import { type KvkNumber, parseKvkNumber } from "../contract/numbers.ts";
import { isJsonObject, known } from "../lib/values.ts";
import { Fields } from "./fields.ts";
import type { LiveHit } from "./liveSource.ts";

/** A branch or a legal person in the result of a search. */
export interface ZoekenRow {
  readonly kvkNumber: KvkNumber;
  readonly name: string;
  /**
   * `hoofdvestiging` (main branch), `rechtspersoon` (legal person), `nevenvestiging` (other branch), or a type added by
   * KVK.
   */
  readonly type: string;
  readonly formerName: string | undefined;
  /** Undefined when KVK does not say. */
  readonly isActive: boolean | undefined;
  /** With the postal code for an address abroad. */
  readonly city: string | undefined;
  /** Whether the city belongs to a correspondence address. */
  readonly isPostal: boolean;
}

interface ZoekenPage {
  readonly rows: readonly ZoekenRow[];
  /** Rows on this page, unreadable ones included. */
  readonly onPage: number;
  readonly total: number | undefined;
}

/** Reads one page; undefined when it is invalid. Invalid rows are omitted. Never throws. */
export function readZoeken(value: unknown, leftOut: Rejection[]): ZoekenPage | undefined {
  if (!isJsonObject(value)) return undefined;
  const fields = new Fields(value, "", leftOut);
  const rows = fields.objects("resultaten");
  return rows && { rows: rows.flatMap(readRow), onPage: rows.length, total: fields.whole("totaal") };
}

function readRow(fields: Fields): ZoekenRow[] {
  const kvkNumber = parseKvkNumber(fields.digits("kvkNummer", 8) ?? "");
  const formerName = fields.text("vervallenNaam");
  const name = fields.text("naam") ?? formerName;
  if (kvkNumber === undefined || name === undefined) {
    fields.leaveOut("a row of a search without a KVK number or a name");
    return [];
  }
  const address = fields.object("adres");
  const dutch = address?.object("binnenlandsAdres");
  const abroad = address?.object("buitenlandsAdres");
  const addressType = dutch?.text("type") ?? abroad?.text("type");
  return [
    {
      kvkNumber,
      name,
      type: fields.text("type")?.toLowerCase() ?? "",
      formerName,
      isActive: fields.yesNo("actief"),
      city: dutch?.text("plaats") ?? abroad?.text("postcodeWoonplaats"),
      isPostal: addressType?.toLowerCase() === "postadres",
    },
  ];
}

/** The best row for a company first. The order in which KVK sends rows means nothing: it has changed without notice. */
const TYPES_BY_PREFERENCE = ["hoofdvestiging", "rechtspersoon", "nevenvestiging"];

/** One hit per company, in the order of their first rows. */
export function groupRows(rows: readonly ZoekenRow[]): readonly LiveHit[] {
  return [...Map.groupBy(rows, ({ kvkNumber }) => kvkNumber).values()].flatMap(hitOf);
}

function hitOf(rows: readonly ZoekenRow[]): LiveHit[] {
  const sorted = rows.toSorted((a, b) => preferenceOf(a) - preferenceOf(b));
  const [first] = sorted;
  if (first === undefined) return [];
  const { kvkNumber, name } = first;
  const located = sorted.filter(({ city }) => city !== undefined);
  const { city } = located.find(({ isPostal }) => !isPostal) ?? located[0] ?? {};
  const formerName = sorted.find((row) => row.formerName !== undefined)?.formerName;
  // The best row decides, because a company may be active although a branch has ended.
  const isActive = first.isActive ?? sorted.every((row) => row.isActive !== false);
  return [
    {
      kvkNumber,
      name,
      ...known("city", city),
      isActive,
      ...known("formerName", formerName === name ? undefined : formerName),
    },
  ];
}

function preferenceOf({ type }: ZoekenRow): number {
  const position = TYPES_BY_PREFERENCE.indexOf(type);
  return position === -1 ? TYPES_BY_PREFERENCE.length : position;
}
