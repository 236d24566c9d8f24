/** For tests: rows of the LEI golden copy. */
import type { CompanyFacts } from "../../src/company/facts.ts";
import { readGleif } from "../../src/import/formats/gleif.ts";
import type { RecordResult } from "../../src/import/outcome.ts";
import { inputOf } from "./input.ts";

/** The columns seen in real files. */
export const COLUMNS = [
  "LEI",
  "Entity.LegalName",
  "Entity.RegistrationAuthority.RegistrationAuthorityID",
  "Entity.RegistrationAuthority.RegistrationAuthorityEntityID",
  "Entity.LegalJurisdiction",
  "Entity.EntityCategory",
  "Entity.LegalForm.EntityLegalFormCode",
  "Entity.LegalForm.OtherLegalForm",
  "Entity.LegalAddress.FirstAddressLine",
  "Entity.LegalAddress.AdditionalAddressLine.1",
  "Entity.LegalAddress.City",
  "Entity.LegalAddress.Country",
  "Entity.LegalAddress.PostalCode",
  "Entity.EntityStatus",
  "Entity.EntityCreationDate",
  "Registration.LastUpdateDate",
  "Registration.RegistrationStatus",
  "Registration.NextRenewalDate",
  "Registration.ValidationAuthority.ValidationAuthorityID",
] as const;
export type Entity = Partial<Record<string, string>>;

export const molen: Entity = {
  LEI: "99990050000012MO0192",
  LegalName: "MOLENWERKEN ROMMELDAM B.V.",
  RegistrationAuthorityID: "RA000463",
  RegistrationAuthorityEntityID: "50000012",
  LegalJurisdiction: "NL",
  EntityLegalFormCode: "54M6",
  FirstAddressLine: "KORENMOLENLAAN 194",
  City: "ROMMELDAM",
  Country: "NL",
  PostalCode: "1817BC",
  EntityStatus: "ACTIVE",
  EntityCreationDate: "1994-07-07T00:00:00Z",
  LastUpdateDate: "2026-02-03T08:12:11+01:00",
  RegistrationStatus: "ISSUED",
  NextRenewalDate: "2027-02-03T08:12:11+01:00",
};

/** The columns seen in real files, and the others of the format's description. */
const ALL_COLUMNS = [
  ...COLUMNS,
  "Entity.LegalAddress.AddressNumber",
  "Entity.LegalAddress.AddressNumberWithinBuilding",
];

export function csvOf(...entities: Entity[]): string {
  const rows = entities.map((entity) =>
    ALL_COLUMNS.map(
      (column) =>
        `"${(entity[column.split(/LegalAddress\.|\./).at(-1) ?? ""] ?? entity[column] ?? "").replaceAll('"', '""')}"`,
    ),
  );
  return [ALL_COLUMNS.map((column) => `"${column}"`), ...rows].map((cells) => cells.join(",")).join("\r\n");
}

export async function read(text: string, asOf: string | undefined = undefined): Promise<RecordResult[]> {
  const input = inputOf("lei2.csv", text);
  const outcomes: RecordResult[] = [];
  for await (const outcome of readGleif({ input, origin: "gleif", asOf })) outcomes.push(outcome);
  return outcomes;
}

export async function factsOf(changes: Entity): Promise<CompanyFacts> {
  const [outcome] = await read(csvOf({ ...molen, ...changes }));
  if (outcome?.kind !== "facts") throw new Error(JSON.stringify(outcome));
  return outcome.sourced.facts;
}
