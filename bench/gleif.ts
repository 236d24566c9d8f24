import { ELF_CODES } from "../src/company/legalForm.ts";
import { DEMO_SEED, generateCompanies } from "../src/demo/registry/generateCompanies.ts";

/** Columns of the golden copy; together with as many empty ones as it has, they make rows of about its length. */
const COLUMNS = 338;
const LEI_DIGITS = 20;
const CODES = new Map(Object.entries(ELF_CODES).map(([code, form]) => [form, code]));

/** Yields a CSV file in the layout of GLEIF's golden copy with so many fictional Dutch companies. */
export function* gleifLines(rows: number): Generator<string> {
  let nth = 0;
  for (const { asOf, facts } of generateCompanies({ companies: rows, seed: DEMO_SEED })) {
    const { street, houseNumber, city, country, postalCode } = facts.address ?? {};
    const cells = {
      LEI: String(++nth).padStart(LEI_DIGITS, "0"),
      "Entity.LegalName": facts.name,
      "Entity.RegistrationAuthority.RegistrationAuthorityID": "RA000463",
      "Entity.RegistrationAuthority.RegistrationAuthorityEntityID": facts.kvkNumber,
      "Entity.LegalJurisdiction": "NL",
      "Entity.EntityCategory": "GENERAL",
      "Entity.LegalForm.EntityLegalFormCode": CODES.get(facts.legalForm ?? "BV"),
      "Entity.LegalAddress.FirstAddressLine": `${street ?? ""} ${houseNumber ?? ""}`,
      "Entity.LegalAddress.City": city,
      "Entity.LegalAddress.Country": country ?? "NL",
      "Entity.LegalAddress.PostalCode": postalCode,
      "Entity.EntityStatus": facts.isActive ? "ACTIVE" : "INACTIVE",
      "Registration.LastUpdateDate": asOf,
      "Registration.RegistrationStatus": "ISSUED",
    };
    if (nth === 1) yield lineOf(Object.keys(cells), (place) => `Entity.OtherEntityNames.${place}`);
    yield lineOf(Object.values(cells), () => "");
  }
}

function lineOf(cells: readonly (string | undefined)[], filler: (place: number) => string): string {
  const all = Array.from({ length: COLUMNS }, (_, place) => cells[place] ?? filler(place));
  return `${all.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\n`;
}
