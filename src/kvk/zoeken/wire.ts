/**
 * The answers of KVK's Zoeken API, versions 2.0 and 2.1: one row a branch, and one for the legal person, which has neither
 * branch number nor, often, address. Of an address only street and city are shown, unless more was asked by. What
 * rows link to is not read.
 */

import type { Rejection } from "../../company/rejection.ts";
import { type KvkNumber, parseKvkNumber } from "../../contract/numbers.ts";
import { isJsonObject, known } from "../../lib/values.ts";
import { Fields } from "../fields.ts";

export interface ZoekenRow {
  readonly kvkNummer: KvkNumber;
  readonly naam: string;
  readonly type?: string;
  readonly vervallenNaam?: string;
  /** Absent when it is not told. */
  readonly actief?: boolean;
  readonly adres?: ZoekenAdres;
}

export interface ZoekenAdres {
  readonly isBezoekadres: boolean;
  /** Of an address abroad the city with its postal code. */
  readonly plaats: string;
}

export interface ZoekenResult {
  readonly rows: readonly ZoekenRow[];
  /** Rows, of which so many are on this page. */
  readonly onPage: number;
  readonly totaal?: number;
}

/** Reads one page; undefined when it is none. Rows that cannot be read are left out. Never throws. */
export function readZoeken(value: unknown, leftOut: Rejection[]): ZoekenResult | undefined {
  if (!isJsonObject(value)) return undefined;
  const fields = new Fields(value, "", leftOut);
  const rows = fields.objects("resultaten");
  if (rows === undefined) return undefined;
  return {
    rows: rows.flatMap(readRow),
    onPage: rows.length,
    ...known("totaal", fields.whole("totaal")),
  };
}

function readRow(fields: Fields): ZoekenRow[] {
  const kvkNummer = parseKvkNumber(fields.digits("kvkNummer", 8) ?? "");
  const naam = fields.text("naam") ?? fields.text("vervallenNaam");
  if (kvkNummer === undefined || naam === undefined) {
    fields.leaveOut("a row of a search without a KVK number or a name");
    return [];
  }
  const adressen = fields.object("adres");
  return [
    {
      kvkNummer,
      naam,
      ...known("type", fields.text("type")?.toLowerCase()),
      ...known("vervallenNaam", fields.text("vervallenNaam")),
      ...known("actief", fields.yesNo("actief")),
      ...known("adres", adressen && readAdres(adressen)),
    },
  ];
}

function readAdres(fields: Fields): ZoekenAdres | undefined {
  const home = fields.object("binnenlandsAdres");
  const abroad = fields.object("buitenlandsAdres");
  const plaats = home?.text("plaats") ?? abroad?.text("postcodeWoonplaats");
  const type = home?.text("type") ?? abroad?.text("type");
  return plaats === undefined ? undefined : { isBezoekadres: type?.toLowerCase() !== "postadres", plaats };
}
