import type { CompanyFacts } from "../../company/facts.ts";
import type { LegalForm } from "../../contract/legalForms.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import type { IndexedCompany } from "../../search/index/builder.ts";
import { houseNumberOf, sizeOf } from "../../search/indexedNames.ts";

/** A company as sent to the thread: an array, because the keys of objects would be copied each time. */
export type SentCompany = readonly [
  kvkNumber: KvkNumber,
  isActive: boolean,
  name: string,
  statutoryName: string | undefined,
  tradingNames: readonly string[] | undefined,
  city: string | undefined,
  postalCode: string | undefined,
  houseNumber: string | undefined,
  legalForm: LegalForm | undefined,
  rsin: string | undefined,
  vatNumber: string | undefined,
  size: number,
  sbiCodes: readonly string[],
  lei: string | undefined,
];

export function packCompany(company: CompanyFacts): SentCompany {
  const { kvkNumber, isActive, name, statutoryName, tradingNames, address, legalForm, rsin } = company;
  const sbiCodes = company.activities?.map(({ sbiCode }) => sbiCode) ?? [];
  return [
    kvkNumber,
    isActive,
    name,
    statutoryName,
    tradingNames,
    address?.city,
    address?.postalCode,
    address && houseNumberOf(address),
    legalForm,
    rsin,
    company.vatNumber,
    sizeOf(company),
    sbiCodes,
    company.identifiers?.lei,
  ];
}

export function unpackCompany(sent: SentCompany): IndexedCompany {
  const [kvkNumber, isActive, name, statutoryName, tradingNames, ...rest] = sent;
  const [city, postalCode, houseNumber, legalForm, rsin, vatNumber, total, codes, lei] = rest;
  const activities = codes.map((sbiCode) => ({ sbiCode }));
  const texts = { name, statutoryName, tradingNames, city, postalCode, houseNumber, legalForm, rsin };
  const numbers = { vatNumber, identifiers: { lei } };
  return { kvkNumber, isActive, ...texts, ...numbers, employees: { total }, activities };
}
