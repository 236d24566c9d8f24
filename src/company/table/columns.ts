/** Finds the columns of a table by the names that Dutch and English files give them. */
import { KVK_NUMBER_HEADINGS, plainHeading, VAT_NUMBER_HEADINGS } from "../../contract/headings.ts";
import { isKvkHeading, kvkShares } from "./kvkColumn.ts";

const words = (list: string): readonly string[] => list.split(" ");

const ADDRESS = words(
  "address bezoekadres vestigingsadres adres volledigadres fulladdress adresregel1 adres1 addressline1 address1",
);
const STREET = words("street straat straatnaam streetname");
const HOUSE_NUMBER = words("housenumber huisnummer huisnr housenr streetnumber");
const POSTAL_CODE = words("postalcode postcode zipcode zip zippostalcode pc");
const CITY = words("city plaats woonplaats plaatsnaam vestigingsplaats stad town");
/** The headings of columns that hold two values: `Straat + nr`, `PC/woonplaats`, `Adres en plaats`. */
const pairs = (ones: readonly string[], others: readonly string[]): readonly string[] =>
  ones.flatMap((one) => others.flatMap((other) => [one + other, `${one}en${other}`, `${one}and${other}`]));
const CITY_WITH_CODE = [...pairs(POSTAL_CODE, CITY), ...pairs(CITY, POSTAL_CODE)];

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
  address: [...ADDRESS, ...pairs([...ADDRESS, ...STREET], [...CITY, ...CITY_WITH_CODE])],
  street: [
    ...STREET,
    "streetaddress",
    ...pairs(STREET, [...HOUSE_NUMBER, "nr", "nummer", "number", "no"]),
    ...pairs(ADDRESS, HOUSE_NUMBER),
  ],
  houseNumber: HOUSE_NUMBER,
  houseLetter: words("houseletter huisletter"),
  houseNumberAddition: words(
    "housenumberaddition huisnummertoevoeging toevoeging addition huisnrtoevoeging " +
      "huisnummertoev huisnrtoev",
  ),
  poBox: words("pobox postbus postbusnummer"),
  postalCode: POSTAL_CODE,
  city: [...CITY, ...CITY_WITH_CODE],
  country: words("country land landcode countrycode landnaam landid countryname countryid"),
  latitude: words("latitude breedtegraad gpslatitude lat"),
  longitude: words("longitude lengtegraad gpslongitude lon lng"),
  bagId: words("bagid adresseerbaarobjectid addresseerbaarobjectid verblijfsobjectid"),
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
  lei: words("lei leicode leinummer leinumber leinr legalentityidentifier"),
  euid: words("euid euidnummer euidnumber euidcode europeanuniqueidentifier"),
  leiStatus: words("leistatus"),
  leiRenewalDue: words("leirenewaldue leinextrenewaldate"),
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
 * Headings that may mean a person or a trading name: in a list to match, the last choices for the name of a company.
 */
const LAST_NAMES = words("naam name handelsnaam eerstehandelsnaam");
/**
 * The headings of a name in a list to match. A column of business relations may hold numbers; one may hold the city,
 * too.
 */
const LIST_NAMES = [
  ...COLUMN_NAMES.name.filter((name) => !LAST_NAMES.includes(name)),
  ...words(
    "relatie klant debiteur crediteur leverancier afnemer opdrachtgever firma customer supplier vendor",
  ),
  ...words("client debtor creditor account bedrijfsnaamenplaats bedrijfsnaamplaats naamenplaats naamplaats"),
  ...LAST_NAMES,
];

/**
 * The purposes of addresses in the headings of their parts, the best first: `bezoekadres_straat`,
 * `Plaats (factuuradres)`. Input: at most 100 letters.
 */
const PURPOSES = [
  "",
  "bezoek|vestigings?|hoofd|kantoor|woon|visiting|office|business|registered|main",
  "factuur|billing|invoice",
  "aflever|lever|verzend|delivery|shipping",
  "post|correspondentie|postal|mailing",
].map((purpose) => {
  const start = `(?:${purpose})(?:adres|address)?`;
  return new RegExp(`^${start}(?<part>.+)?$|^(?<before>.+)${start}$`);
});
const namesOf = (...fields: readonly (keyof typeof COLUMN_NAMES)[]): readonly string[] =>
  fields.flatMap((field) => COLUMN_NAMES[field]);
const PLACES = new Set(namesOf("street", "postalCode", "address"));
const ADDRESS_PARTS = new Set(
  [
    ...PLACES,
    ...namesOf("houseNumber", "houseLetter", "houseNumberAddition", "poBox", "city", "country"),
  ].filter((name) => PURPOSES[1]?.test(name) === false),
);
const MAX_HEADING = 100;

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
 * @param sample rows below the header of a list to match, whose headings are read more freely than in an import
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
  const positions = Map.groupBy(names.keys(), (at) => names[at]);
  const taken = new Set(found.values());
  for (const field of CSV_FIELDS) {
    if (map.has(field)) continue;
    const headings = sample !== undefined && field === "name" ? LIST_NAMES : COLUMN_NAMES[field];
    const like = [...plain.keys()].filter((at) => {
      if (field === "isShielded") return SHIELDING.test(plain[at] ?? "");
      return field === "kvkNumber" && isKvkHeading((header[at] ?? "").slice(0, MAX_HEADING));
    });
    const named = [...headings.flatMap((name) => positions.get(name) ?? []), ...like].filter(
      (at) => !taken.has(at),
    );
    const position = named.find((at) => isFit(field, sample, at)) ?? named[0];
    if (position === undefined) continue;
    found.set(field, position);
    taken.add(position);
  }
  return found;
}

/** Headings without what their address is for, of the best address alone: parts of two addresses are never mixed. */
function withoutPurpose(names: readonly string[]): readonly string[] {
  const addresses = PURPOSES.map((purpose) => names.map((name) => partOf(name, purpose)));
  const best = [PLACES, ADDRESS_PARTS]
    .map((parts) => addresses.find((address) => address.some((part = "") => parts.has(part))))
    .find((address) => address !== undefined);
  const parts = names.map((name, at) => best?.[at] ?? name);
  const isOfStreet = (at: number) => namesOf("street").includes(parts[at - 1] ?? "");
  return parts.map((name, at) =>
    /^(?:nr|nummer|no|number)$/.test(name) && isOfStreet(at) ? "huisnummer" : name,
  );
}

/** The part of an address that a heading names; undefined if it is not for this purpose. */
function partOf(name: string, purpose: RegExp): string | undefined {
  const match = name.length > MAX_HEADING ? null : purpose.exec(name);
  if (match === null || ADDRESS_PARTS.has(name)) return match?.[0];
  const { part, before = part ?? (/adres|address/.test(name) ? "address" : "") } = match.groups ?? {};
  return ADDRESS_PARTS.has(before) ? before : undefined;
}

/** Whether a heading names a part of any address, also of one that is not read. */
export function isOfAddress(heading: string): boolean {
  return PURPOSES.some((purpose) => partOf(plainHeading(heading), purpose) !== undefined);
}

/** Whether the values of a column can be of its field: `Debiteur` may hold a number, and `KVK` yes and no. */
function isFit(field: CsvField, sample: readonly (readonly string[])[] | undefined, column: number): boolean {
  if (sample === undefined || (field !== "name" && field !== "kvkNumber")) return true;
  const values = sample.flatMap((cells) => cells[column]?.trim() || []);
  if (values.length === 0) return sample.length < 2;
  if (field === "kvkNumber") return kvkShares(values).fitting > 0;
  return 2 * values.filter((text) => /\p{L}{2}/u.test(text)).length >= values.length;
}
