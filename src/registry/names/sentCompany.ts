import type { CompanyFacts } from "../../company/facts.ts";
import { SBI_VERSIONS } from "../../contract/activities.ts";
import type { LegalForm } from "../../contract/legalForms.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import { known } from "../../lib/values.ts";
import type { VersionedCode } from "../../search/facets.ts";
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
  codes: readonly string[],
  lei: string | undefined,
];

export function packCompany(company: CompanyFacts): SentCompany {
  const { kvkNumber, isActive, name, statutoryName, tradingNames, address, legalForm, rsin } = company;
  const codes = company.activities?.flatMap(({ sbiCode, sbiVersion }) => [sbiCode, sbiVersion ?? ""]) ?? [];
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
    codes,
    company.identifiers?.lei,
  ];
}

export function unpackCompany(sent: SentCompany): IndexedCompany {
  const [kvkNumber, isActive, name, statutoryName, tradingNames, ...rest] = sent;
  const [city, postalCode, houseNumber, legalForm, rsin, vatNumber, total, codes, lei] = rest;
  const activities: VersionedCode[] = [];
  for (let at = 0; at < codes.length; at += 2) {
    const sbiVersion = SBI_VERSIONS.find((version) => version === codes[at + 1]);
    activities.push({ sbiCode: codes[at] ?? "", ...known("sbiVersion", sbiVersion) });
  }
  const texts = { name, statutoryName, tradingNames, city, postalCode, houseNumber, legalForm, rsin };
  const numbers = { vatNumber, identifiers: { lei } };
  return { kvkNumber, isActive, ...texts, ...numbers, employees: { total }, activities };
}
