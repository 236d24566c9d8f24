/** Finds the columns of a table by the names that Dutch and English files give them. */
import { KVK_NUMBER_HEADINGS, plainHeading, VAT_NUMBER_HEADINGS } from "../../contract/headings.ts";
import { isKvkHeading, kvkShares } from "./kvkColumn.ts";

const words = (list: string): readonly string[] => list.split(" ");

/**
 * The fields that a table can hold, with the names of their columns, the clearest first. Compared without
 * case, accents and punctuation: `KVK-nummer`, `kvk_nummer` and `kvkNummer` are one. A column serves one field; the
 * fields choose in this order.
 */
export const COLUMN_NAMES = {
  kvkNumber: KVK_NUMBER_HEADINGS,
  name: words(
    "name naam organisatie organisatienaam bedrijfsnaam companyname naamorganisatie " +
      "naambedrijf naamonderneming ondernemingsnaam firmanaam relatienaam naamrelatie klantnaam " +
      "naamklant debiteurnaam naamdebiteur leveranciersnaam naamleverancier accountname " +
      "businessname legalname customername suppliername organisation organization " +
      "organisationname organizationname vennootschapsnaam handelsnaam eerstehandelsnaam " +
      "bedrijf company onderneming crediteurnaam naamcrediteur afnemernaam naamafnemer vendorname clientname",
  ),
  tradingNames: words("tradingnames handelsnamen handelsnaam tradingname tradename tradenames ookgenoemd"),
  statutoryName: words("statutoryname statutairenaam"),
  legalForm: words("legalform rechtsvorm rechtsvormcode"),
  address: words(
    "address bezoekadres vestigingsadres adres volledigadres fulladdress adresregel1 adres1 " +
      "addressline1 address1 adrespostcodeplaats adresenplaats adresplaats adresenwoonplaats",
  ),
  street: words(
    "street straat straatnaam streetname straatenhuisnummer straathuisnummer straatennummer straatnr " +
      "straatennr straathuisnr straatenhuisnr streetaddress",
  ),
  houseNumber: words("housenumber huisnummer huisnr housenr streetnumber"),
  houseLetter: words("houseletter huisletter"),
  houseNumberAddition: words(
    "housenumberaddition huisnummertoevoeging toevoeging addition huisnrtoevoeging " +
      "huisnummertoev huisnrtoev",
  ),
  poBox: words("pobox postbus postbusnummer"),
  postalCode: words("postalcode postcode zipcode zip zippostalcode"),
  city: words(
    "city plaats woonplaats plaatsnaam vestigingsplaats stad town postcodeplaats postcodeenplaats " +
      "postcodewoonplaats postcodeenwoonplaats pcplaats pcwoonplaats plaatspostcode plaatsenpostcode " +
      "zipcity zipcodecity postalcodecity postcodecity",
  ),
  country: words("country land landcode countrycode landnaam landid countryname countryid"),
  isShielded: words("isshielded afgeschermd adresafgeschermd indafgeschermd shielded"),
  isActive: words("isactive actief active status bedrijfsstatus indactief"),
  registrationDate: words(
    "registrationdate datuminschrijving inschrijfdatum inschrijvingsdatum registratiedatum " +
      "datumregistratie",
  ),
  deregistrationDate: words(
    "deregistrationdate datumuitschrijving uitschrijfdatum uitschrijvingsdatum datumeinde " +
      "einddatum datumontbinding datumopheffing datumbeeindiging uitgeschrevenper",
  ),
  rsin: words("rsin rsinnummer"),
  vatNumber: VAT_NUMBER_HEADINGS,
  activities: words("sbicodes sbicode sbi activities sbiactiviteiten sbihoofdactiviteit"),
  activityDescription: words("sbiomschrijving activiteit activiteitomschrijving"),
  websites: words("websites website url webadres homepage"),
  employees: words(
    "employees werknemers aantalwerknemers medewerkers aantalmedewerkers " +
      "totaalwerkzamepersonen werkzamepersonen",
  ),
  employeesFullTime: words(
    "employeesfulltime fulltimeemployees voltijdwerkzamepersonen werknemersvoltijd voltijd " + "fulltime",
  ),
  employeesPartTime: words(
    "employeesparttime parttimeemployees deeltijdwerkzamepersonen werknemersdeeltijd deeltijd " + "parttime",
  ),
  nonMailing: words("nonmailing indnonmailing nonmailingindicatie"),
  mainBranchNumber: words("mainbranchnumber hoofdvestigingsnummer vestigingsnummer"),
  branchCount: words("branchcount aantalvestigingen totaalaantalvestigingen"),
} satisfies Readonly<Record<string, readonly string[]>>;

/**
 * Other names of a company's column, in lists to match: of a business relation, whose column may hold a number instead, and of two
 * columns in one.
 */
const RELATIONS = words(
  "relatie klant debiteur crediteur leverancier afnemer opdrachtgever firma organisaties customer supplier " +
    "vendor client debtor creditor account bedrijfsnaamenplaats bedrijfsnaamplaats naamenplaats naamplaats",
);
/** Headings that may mean a person, and a trading name: the last choices for the name of a company to match. */
const LAST_NAMES = words("naam name handelsnaam eerstehandelsnaam");
const LIST_NAMES = [
  ...COLUMN_NAMES.name.filter((name) => !LAST_NAMES.includes(name)),
  ...RELATIONS,
  ...LAST_NAMES,
];

const PLACES: ReadonlySet<string> = new Set(
  (["street", "postalCode", "address"] as const).flatMap((field) => COLUMN_NAMES[field]),
);
const ADDRESS_PARTS: ReadonlySet<string> = new Set([
  ...PLACES,
  ...(["houseNumber", "houseLetter", "houseNumberAddition", "poBox", "city", "country"] as const).flatMap(
    (field) => COLUMN_NAMES[field],
  ),
]);
const VISITING = purposeOf("bezoek|vestigings?|hoofd|kantoor|woon|visiting|office|business|registered|main");
/** What an address is for, as the headings of its parts say, the best first: `bezoekadres_straat`, `Plaats (factuuradres)`. Input: at most 100 letters. */
const PURPOSES = [
  /^(?:adres|address)(?<part>.+)$/,
  VISITING,
  purposeOf("factuur|billing|invoice"),
  purposeOf("aflever|lever|verzend|delivery|shipping"),
  purposeOf("post|correspondentie|postal|mailing"),
];
const MAX_HEADING = 100;

function purposeOf(words: string): RegExp {
  const purpose = `(?:${words})(?:adres|address)?`;
  return new RegExp(`^${purpose}(?<part>.+)?$|^(?<start>.+)${purpose}$`);
}

/** Any other heading about shielding: missing one would publish a shielded address. */
const SHIELDING = /^(?!niet|not|non|on|un).*(?:afgescherm|afscherm|shield|geheim)/;

export type CsvField = keyof typeof COLUMN_NAMES;
export const CSV_FIELDS = Object.keys(COLUMN_NAMES).filter(isCsvField);

function isCsvField(text: string): text is CsvField {
  return Object.hasOwn(COLUMN_NAMES, text);
}

/** Field to column, as in `--map`; an empty column means that the field has no column. */
export type ColumnMap = ReadonlyMap<CsvField, string>;

/** @returns the map, or the problem with `text` */
export function parseColumnMap(text: string): ColumnMap | { readonly problem: string } {
  const map = new Map<CsvField, string>();
  for (const part of text.split(",")) {
    const equals = part.indexOf("=");
    const field = part.slice(0, Math.max(equals, 0)).trim();
    if (equals === -1 || !isCsvField(field)) {
      return {
        problem: `--map takes field=column,… with the fields ${CSV_FIELDS.join(", ")}; "${part.trim()}" is none of these.`,
      };
    }
    map.set(field, part.slice(equals + 1).trim());
  }
  return map;
}

/**
 * Positions of the columns that hold each field, or which column of `map` the header does not have.
 * @param sample rows below the header of a list to match, whose headings are read more freely than those of an import
 */
export function findColumns(
  header: readonly string[],
  map: ColumnMap,
  sample?: readonly (readonly string[])[],
): ReadonlyMap<CsvField, number> | { readonly missing: string } {
  const plain = header.map(plainHeading);
  const found = new Map<CsvField, number>();
  for (const [field, column] of map) {
    if (column === "") continue;
    const exact = header.indexOf(column);
    const position = exact === -1 ? plain.indexOf(plainHeading(column)) : exact;
    if (position === -1) return { missing: column };
    found.set(field, position);
  }
  const names = sample === undefined ? plain : withoutPurpose(plain);
  const taken = new Set(found.values());
  for (const field of CSV_FIELDS) {
    if (map.has(field)) continue;
    const isList = sample !== undefined;
    const tests = (isList && field === "name" ? LIST_NAMES : COLUMN_NAMES[field]).map(
      (name) => (at: number) => names[at] === name,
    );
    if (field === "isShielded") tests.push((at) => SHIELDING.test(plain[at] ?? ""));
    if (field === "kvkNumber") tests.push((at) => isKvkHeading((header[at] ?? "").slice(0, MAX_HEADING)));
    const named = tests.flatMap((test) => plain.flatMap((_, at) => (test(at) && !taken.has(at) ? [at] : [])));
    const position = named.find((at) => !isList || isFit(field, sample, at)) ?? named[0];
    if (position === undefined) continue;
    found.set(field, position);
    taken.add(position);
  }
  const next = (found.get("street") ?? -2) + 1;
  const isNumberOfStreet = /^(?:nr|nummer|no|number|hnr)$/.test(names[next] ?? "") && !taken.has(next);
  if (sample !== undefined && isNumberOfStreet && !found.has("houseNumber") && !map.has("houseNumber")) {
    found.set("houseNumber", next);
  }
  return found;
}

/** Headings without what their address is for, of the best address alone: parts of two addresses are never mixed. */
function withoutPurpose(names: readonly string[]): readonly string[] {
  if (names.some((name) => PLACES.has(name) && !VISITING.test(name))) return names;
  for (const purpose of PURPOSES) {
    const parts = names.map((name) => partOf(name, purpose));
    if (parts.some((part) => part !== undefined && PLACES.has(part))) {
      return names.map((name, at) => parts[at] ?? name);
    }
  }
  return names;
}

/** The part of an address that a heading names; undefined if it is not for this purpose. */
function partOf(name: string, purpose: RegExp): string | undefined {
  const match = name.length > MAX_HEADING ? null : purpose.exec(name);
  if (match === null || ADDRESS_PARTS.has(name)) return match?.[0];
  const { part, start = part ?? (name.endsWith("s") ? "address" : "") } = match.groups ?? {};
  return ADDRESS_PARTS.has(start) ? start : undefined;
}

/** Whether a heading names a part of any address, also of one that is not read. */
export function isOfAddress(heading: string): boolean {
  const name = plainHeading(heading);
  return ADDRESS_PARTS.has(name) || PURPOSES.some((purpose) => partOf(name, purpose) !== undefined);
}

/** Whether the values of a column can be of its field: `Debiteur` may hold a number, and `KVK` yes and no. */
function isFit(field: CsvField, sample: readonly (readonly string[])[], column: number): boolean {
  if (field !== "name" && field !== "kvkNumber") return true;
  const values = sample.flatMap((cells) => cells[column]?.trim() || []);
  if (values.length === 0) return sample.length < 2;
  if (field === "kvkNumber") return kvkShares(values).fitting > 0;
  return 2 * values.filter((text) => /\p{L}{2}/u.test(text)).length >= values.length;
}
