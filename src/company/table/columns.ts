/** Finds the columns of a table by the names that Dutch and English files give them. */
import { KVK_NUMBER_HEADINGS, plainHeading, VAT_NUMBER_HEADINGS } from "../../contract/headings.ts";

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
      "bedrijf company onderneming",
  ),
  tradingNames: words("tradingnames handelsnamen handelsnaam tradingname tradename tradenames ookgenoemd"),
  statutoryName: words("statutoryname statutairenaam"),
  legalForm: words("legalform rechtsvorm rechtsvormcode"),
  address: words(
    "address bezoekadres vestigingsadres adres volledigadres fulladdress adresregel1 adres1 " +
      "addressline1 address1",
  ),
  street: words("street straat straatnaam streetname straatenhuisnummer straathuisnummer straatennummer"),
  houseNumber: words("housenumber huisnummer huisnr housenr streetnumber"),
  houseLetter: words("houseletter huisletter"),
  houseNumberAddition: words(
    "housenumberaddition huisnummertoevoeging toevoeging addition huisnrtoevoeging " +
      "huisnummertoev huisnrtoev",
  ),
  poBox: words("pobox postbus postbusnummer"),
  postalCode: words("postalcode postcode zipcode zip"),
  city: words("city plaats woonplaats plaatsnaam vestigingsplaats stad town"),
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

/** Positions of the columns that hold each field, or which column of `map` the header does not have. */
export function findColumns(
  header: readonly string[],
  map: ColumnMap,
): ReadonlyMap<CsvField, number> | { readonly missing: string } {
  const names = header.map(plainHeading);
  const found = new Map<CsvField, number>();
  for (const [field, column] of map) {
    if (column === "") continue;
    const exact = header.indexOf(column);
    const position = exact === -1 ? names.indexOf(plainHeading(column)) : exact;
    if (position === -1) return { missing: column };
    found.set(field, position);
  }
  const taken = new Set(found.values());
  for (const field of CSV_FIELDS) {
    if (map.has(field)) continue;
    const tests = COLUMN_NAMES[field].map((name) => (given: string) => given === name);
    if (field === "isShielded") tests.push((given) => SHIELDING.test(given));
    const position = tests
      .map((test) => names.findIndex((given, index) => test(given) && !taken.has(index)))
      .find((index) => index !== -1);
    if (position === undefined) continue;
    found.set(field, position);
    taken.add(position);
  }
  return found;
}
