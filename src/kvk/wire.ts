/**
 * Reads responses of KVK's Basisprofiel API, versions 1.3 to 1.5, as recorded from 2021 to 2026. One version came with
 * `links` and with `_links`, fields were added without notice, and SBI 2008 became SBI 2025, so only the KVK number and
 * a name are required.
 */

import { type Ending, parseEnding } from "../company/ending.ts";
import type { Geo } from "../company/facts.ts";
import { geoOf, isBagId, isDegrees } from "../company/geo.ts";
import { PLACEHOLDER, type Rejection } from "../company/rejection.ts";
import { isPostal, postalAddress } from "../company/streetLine.ts";
import { type KvkNumber, PLACEHOLDER_KVK_NUMBER, parseKvkNumber, parseSbiCode } from "../contract/numbers.ts";
import { quoted } from "../contract/quoting.ts";
import type { Activity } from "../contract/resources.ts";
import { isJsonObject, known } from "../lib/values.ts";
import { Fields } from "./fields.ts";

/**
 * A company's profile: its name, trading names (`handelsnamen`), end, employees, main branch and owner (a legal or
 * natural person).
 */
export interface Basisprofiel {
  readonly kvkNummer: KvkNumber;
  readonly naam: string;
  readonly statutaireNaam?: string;
  readonly indNonMailing?: boolean;
  readonly formeleRegistratiedatum?: string;
  readonly datumAanvang?: string;
  readonly einde?: Ending;
  readonly werkzamePersonen?: WerkzamePersonen;
  /** Absent when the field has an unexpected form; empty when the response has no such field. */
  readonly handelsnamen?: readonly string[];
  readonly sbiActiviteiten?: readonly Activity[];
  readonly hoofdvestiging?: Vestiging;
  readonly eigenaar?: Eigenaar;
  /** Whether the profile links to a list of branches; undefined when it has no links at all. */
  readonly linksToVestigingen?: boolean;
}

/**
 * The number of people who work at a company or branch: all, full time, part time. Basisprofiel gives the total, a
 * branch all three.
 */
export interface WerkzamePersonen {
  readonly totaal?: number;
  readonly voltijd?: number;
  readonly deeltijd?: number;
}

export interface Eigenaar {
  readonly rsin?: string;
  readonly rechtsvorm?: string;
  readonly uitgebreideRechtsvorm?: string;
  readonly adressen: readonly Adres[];
  readonly websites?: readonly string[];
}

export interface Vestiging {
  readonly vestigingsnummer?: string;
  readonly naam?: string;
  readonly indHoofdvestiging: boolean;
  readonly isAfgeschermd: boolean;
  readonly isBeeindigd: boolean;
  readonly adressen: readonly Adres[];
  readonly volledigAdres?: string;
  readonly websites?: readonly string[];
  readonly werkzamePersonen?: WerkzamePersonen;
}

/**
 * An address: street (`straatnaam`), number, letter and addition, postal code, PO box (`postbusnummer`), city
 * (`plaats`), country (`land`). `volledigAdres` is all of it as one text. `straatHuisnummer` (street and number) and
 * `postcodeWoonplaats` (postal code and city) are the two lines of an address abroad. `isAfgeschermd`: shielded.
 */
export interface Adres {
  readonly kind: "visiting" | "correspondence";
  readonly isAfgeschermd: boolean;
  readonly volledigAdres?: string;
  readonly straatnaam?: string;
  readonly huisnummer?: number;
  readonly huisletter?: string;
  readonly huisnummerToevoeging?: string;
  readonly postcode?: string;
  readonly postbusnummer?: string;
  readonly plaats?: string;
  readonly straatHuisnummer?: string;
  readonly postcodeWoonplaats?: string;
  readonly land?: string;
  readonly geo?: Geo;
}

export interface Vestigingen {
  readonly kvkNummer?: string;
  readonly vestigingen: readonly Vestiging[];
  readonly totaal?: number;
}

/** Reads a Basisprofiel; a rejection when it is not one. Fields with an unexpected form are added to `leftOut`. */
export function readBasisprofiel(value: unknown, leftOut: Rejection[]): Basisprofiel | Rejection {
  if (!isJsonObject(value)) return { reason: "not a JSON object" };
  const fields = new Fields(value, "", leftOut);
  const fault = Array.isArray(value.fout) && isJsonObject(value.fout[0]) ? value.fout[0].code : undefined;
  if (fault !== undefined) return { reason: "an error answer of KVK, not a profile", detail: String(fault) };
  const own: Rejection[] = [];
  const kvkNummer = parseKvkNumber(new Fields(value, "", own).digits("kvkNummer", 8) ?? "");
  if (kvkNummer === PLACEHOLDER_KVK_NUMBER) return PLACEHOLDER;
  if (kvkNummer === undefined) {
    return own[0] ?? { reason: "no kvkNummer: not a Basisprofiel" };
  }
  const embedded = fields.object("_embedded");
  const hoofdvestiging = embedded?.object("hoofdvestiging");
  const handelsnamen = readHandelsnamen(fields);
  const naam =
    fields.textOrNumber("naam") ??
    fields.textOrNumber("statutaireNaam") ??
    handelsnamen?.[0] ??
    hoofdvestiging?.textOrNumber("eersteHandelsnaam");
  if (naam === undefined) return { reason: "the profile has no name" };
  const eigenaar = embedded?.object("eigenaar");
  const materieel = fields.object("materieleRegistratie");
  return {
    kvkNummer,
    naam,
    ...known("statutaireNaam", fields.textOrNumber("statutaireNaam")),
    ...known("indNonMailing", fields.yesNo("indNonMailing")),
    ...known("formeleRegistratiedatum", fields.day("formeleRegistratiedatum")),
    ...known("datumAanvang", materieel?.day("datumAanvang")),
    ...known("einde", readEindes(materieel, eigenaar)),
    ...known("werkzamePersonen", readWerkzamePersonen(fields)),
    ...known("handelsnamen", handelsnamen),
    ...known("sbiActiviteiten", readActiviteiten(fields)),
    ...known("hoofdvestiging", hoofdvestiging === undefined ? undefined : readVestiging(hoofdvestiging)),
    ...known("eigenaar", eigenaar === undefined ? undefined : readEigenaar(eigenaar)),
    ...known("linksToVestigingen", readLinks(value)),
  };
}

/**
 * Reads a list of branches: the API's VestigingList, or its array. An item may be a row of the list or a whole
 * Vestigingsprofiel.
 */
export function readVestigingen(value: unknown, leftOut: Rejection[]): Vestigingen | undefined {
  if (value === undefined || value === null) return undefined;
  const fields = new Fields(isJsonObject(value) ? value : { vestigingen: value }, "", leftOut);
  const vestigingen = fields.objects("vestigingen")?.map(readVestiging);
  if (vestigingen === undefined) return undefined;
  return {
    ...known("kvkNummer", fields.digits("kvkNummer", 8)),
    vestigingen,
    ...known("totaal", fields.whole("totaalAantalVestigingen")),
  };
}

function readEigenaar(fields: Fields): Eigenaar {
  return {
    ...known("rsin", fields.digits("rsin", 9)),
    ...known("rechtsvorm", fields.text("rechtsvorm")),
    ...known("uitgebreideRechtsvorm", fields.text("uitgebreideRechtsvorm")),
    adressen: (fields.objects("adressen") ?? []).map(readAdres),
    ...known("websites", fields.texts("websites")),
  };
}

function readVestiging(fields: Fields): Vestiging {
  return {
    ...known("vestigingsnummer", fields.digits("vestigingsnummer", 12)),
    ...known("naam", fields.textOrNumber("eersteHandelsnaam") ?? fields.textOrNumber("naam")),
    indHoofdvestiging: fields.yesNo("indHoofdvestiging") ?? false,
    isAfgeschermd: isShielded(fields, "indAdresAfgeschermd"),
    isBeeindigd: readEinde(fields.object("materieleRegistratie"), "datumEinde")?.isOver === true,
    adressen: (fields.objects("adressen") ?? []).map(readAdres),
    ...known("volledigAdres", fields.text("volledigAdres")),
    ...known("websites", fields.texts("websites")),
    ...known("werkzamePersonen", readWerkzamePersonen(fields)),
  };
}

function readWerkzamePersonen(fields: Fields): WerkzamePersonen | undefined {
  const read = {
    ...known("totaal", fields.whole("totaalWerkzamePersonen")),
    ...known("voltijd", fields.whole("voltijdWerkzamePersonen")),
    ...known("deeltijd", fields.whole("deeltijdWerkzamePersonen")),
  };
  return Object.keys(read).length === 0 ? undefined : read;
}

const VISITING = /^(bezoek|vestigings)adres$/i;

function readAdres(fields: Fields): Adres {
  const isVisiting = VISITING.test(fields.text("type") ?? "") && !isPostal(fields.text("straatnaam") ?? "");
  return {
    kind: isVisiting ? "visiting" : "correspondence",
    isAfgeschermd: isShielded(fields, "indAfgeschermd"),
    ...known("volledigAdres", fields.text("volledigAdres")),
    ...known("straatnaam", fields.text("straatnaam")),
    ...known("huisnummer", fields.whole("huisnummer") || undefined),
    ...known("huisletter", fields.text("huisletter")),
    ...known(
      "huisnummerToevoeging",
      fields.textOrNumber("huisnummerToevoeging")?.replace(/^[^\p{L}\p{N}]+/u, "") || undefined,
    ),
    ...known("postcode", fields.text("postcode")),
    ...known("postbusnummer", readPostbusnummer(fields)),
    ...known("plaats", fields.text("plaats")),
    ...known("straatHuisnummer", fields.text("straatHuisnummer")),
    ...known("postcodeWoonplaats", fields.text("postcodeWoonplaats")),
    ...known("land", fields.text("land")),
    ...known("geo", readGeoData(fields.object("geoData"))),
  };
}

/** The place of an address. A latitude without a longitude is none, and KVK sends 0 where it has none. */
function readGeoData(fields: Fields | undefined): Geo | undefined {
  if (fields === undefined) return undefined;
  const id = fields.digits("addresseerbaarObjectId", 16);
  return geoOf(
    fields.numberExceptZero("gpsLatitude", (value) => isDegrees(value, "latitude")),
    fields.numberExceptZero("gpsLongitude", (value) => isDegrees(value, "longitude")),
    id === undefined || isBagId(id) ? id : fields.unexpected("addresseerbaarObjectId"),
  );
}

/** The number as given, such as `90.801`; undefined for 0. */
function readPostbusnummer(fields: Fields): string | undefined {
  const text = fields.textOrNumber("postbusnummer");
  if (text === undefined || /^0*$/.test(text)) return undefined;
  return postalAddress(text).houseNumber === undefined ? fields.unexpected("postbusnummer") : text;
}

/** A flag of unknown form counts as yes, because people at a shielded address may be in danger. */
function isShielded(fields: Fields, key: string): boolean {
  return fields.yesNo(key) ?? fields.has(key);
}

/** The end of the business or of its owner; one in the past wins over one in the future. */
function readEindes(materieel: Fields | undefined, eigenaar: Fields | undefined): Ending | undefined {
  const einde = readEinde(materieel, "datumEinde");
  if (einde?.isOver) return einde;
  const uitschrijving = readEinde(eigenaar, "datumUitschrijving");
  return uitschrijving?.isOver ? uitschrijving : (einde ?? uitschrijving);
}

/** An absent date, or one of zeros, means that there is no end. A value that is not a date still counts as an end. */
function readEinde(fields: Fields | undefined, key: string): Ending | undefined {
  if (fields === undefined || !fields.has(key)) return undefined;
  const text = fields.textOrNumber(key);
  const ending = text === undefined ? undefined : parseEnding(text);
  if (ending === undefined) {
    // Records the unexpected form.
    fields.day(key);
    return { isOver: true };
  }
  if (ending.isUnclear)
    fields.leaveOut(`${fields.name(key)} is not a date, or only partly known`, quoted(text ?? ""));
  return ending;
}

/** Sorted by `volgorde`, names without one last. An absent field means that there are none. */
function readHandelsnamen(fields: Fields): string[] | undefined {
  if (!fields.has("handelsnamen")) return [];
  const named = fields.objects("handelsnamen")?.flatMap((item) => {
    const naam = item.textOrNumber("naam");
    return naam === undefined ? [] : [{ naam, volgorde: item.whole("volgorde") ?? Number.MAX_SAFE_INTEGER }];
  });
  const sorted = named?.toSorted((a, b) => a.volgorde - b.volgorde).map(({ naam }) => naam);
  return sorted === undefined ? undefined : [...new Set(sorted)];
}

/** SBI 2008 or SBI 2025. Codes are text because of leading zeros; a number of five digits cannot have lost one. */
function readActiviteiten(fields: Fields): Activity[] | undefined {
  if (!fields.has("sbiActiviteiten")) return [];
  return fields.objects("sbiActiviteiten")?.flatMap((item) => {
    const text = item.textOrNumber("sbiCode", 5);
    const sbiCode = parseSbiCode(text ?? "");
    if (sbiCode === undefined) {
      const deviation = { path: item.name("sbiCode"), kind: "text" };
      if (text !== undefined)
        item.leaveOut(`${item.name("sbiCode")} is not an SBI code`, undefined, deviation);
      return [];
    }
    const isMain = item.yesNo("indHoofdactiviteit") ?? false;
    return [{ sbiCode, ...known("description", item.text("sbiOmschrijving")), isMain }];
  });
}

/** Reads `links: [{rel, href}]` or `_links: {rel: {href}}`; KVK has sent both under one version number. */
function readLinks(value: Readonly<Record<string, unknown>>): boolean | undefined {
  if (Array.isArray(value.links)) {
    return value.links.some((link) => isJsonObject(link) && link.rel === "vestigingen");
  }
  return isJsonObject(value._links) ? Object.hasOwn(value._links, "vestigingen") : undefined;
}
