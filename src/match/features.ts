import type { CompanyFacts } from "../company/facts.ts";
import type { Compared } from "./comparison.ts";
import type { Evidence } from "./evidence.ts";
import { NUMBER_FIELDS } from "./numberFields.ts";
import { hasNumber } from "./numbers.ts";
import type { PreparedQuery } from "./preparedQuery.ts";
import type { MatchFeatures } from "./types.ts";

/**
 * Returns how well each part of a query fits a company.
 * @param facts needed only for a query with an RSIN, a VAT number or an LEI
 */
export function featuresOf(
  { name, fields }: PreparedQuery,
  { evidence, name: comparison, kvkNumber }: Compared,
  facts: CompanyFacts | undefined,
): MatchFeatures {
  const features: MatchFeatures = {};
  if (comparison !== undefined) features.name = Math.round(comparison.share * 100) / 100;
  if (name?.form !== undefined && evidence.missingForm === undefined)
    features.legalForm = (evidence.otherForm ?? evidence.convertedForm) ? 0 : 1;
  for (const [part, same, other] of PARTS) {
    if (evidence[same] !== undefined) features[part] = evidence[same];
    else if (evidence[other] !== undefined) features[part] = 0;
  }
  if (evidence.postalArea !== undefined) features.postalCode = 0.5;
  for (const field of NUMBER_FIELDS) {
    const isSame = hasNumber(fields, field, kvkNumber, facts);
    if (isSame !== undefined) features[field] = Number(isSame);
  }
  return features;
}

const PARTS: readonly (readonly [part: keyof MatchFeatures, same: keyof Evidence, other: keyof Evidence])[] =
  [
    ["city", "city", "otherCity"],
    ["postalCode", "postalCode", "otherPostalCode"],
    ["houseNumber", "houseNumber", "otherHouseNumber"],
    ["street", "street", "otherStreet"],
    ["website", "website", "otherWebsite"],
  ];
