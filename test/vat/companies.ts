/** Fictional companies with every kind of VAT number in a registry, or none. */
import type { CompanyFacts, SourcedFacts } from "../../src/company/facts.ts";
import type { CompanyOf } from "../../src/demo/vies/check.ts";
import { kvkNumber } from "../kit/companies.ts";
import { fictionalRsins, REGISTERED } from "../kit/vies.ts";

const rsins = fictionalRsins(140);
const rsin = (index: number): string => rsins[index] ?? "";
const ACTIVITIES = [{ sbiCode: "6201", description: "Ontwikkelen van software", isMain: true }];

function company(digits: string, more: Partial<CompanyFacts> = {}): SourcedFacts {
  const facts = { kvkNumber: kvkNumber(digits), name: `Btw-bedrijf ${digits} B.V.`, isActive: true, ...more };
  return { origin: "import:fabel", asOf: "2026-01-01T00:00:00.000Z", facts };
}

/** The registry has its number. */
export const GIVEN = "60000001";
export const GIVEN_NUMBER = "NL123456789B13";
/** Its number is derived from the RSIN. */
export const DERIVED = "60000002";
export const DERIVED_NUMBER = `NL${rsin(0)}B01`;
/** VIES refuses the number derived from the RSIN. */
export const REFUSED_DERIVED = "60000003";
export const REFUSED_DERIVED_NUMBER = `NL${rsin(10)}B01`;
/** VIES refuses the registry's number. */
export const REFUSED_GIVEN = "60000004";
export const REFUSED_GIVEN_NUMBER = "NL000099998B57";
/** The registry's number fails the Dutch checksum. */
export const MALFORMED = "60000005";
/** The registry's value is not a VAT number; the RSIN is valid. */
export const NONSENSE = "60000006";
export const NONSENSE_NUMBER = `NL${rsin(2)}B01`;
/** Its RSIN fails the elfproef. */
export const BAD_RSIN = "60000007";
/** Neither a number nor an RSIN. */
export const NUMBERLESS = "60000008";
/** Like {@link DERIVED}, {@link REFUSED_DERIVED} and {@link NUMBERLESS}, without known activities. */
export const IDLE_DERIVED = "60000012";
export const IDLE_DERIVED_NUMBER = `NL${rsin(3)}B01`;
export const IDLE_REFUSED = "60000013";
export const IDLE_NUMBERLESS = "60000018";
/** Two companies with the number of their fiscal unit. */
export const UNITED = ["60000021", "60000022"] as const;
export const UNITED_NUMBER = `NL${rsin(5)}B01`;
/** A number of another state. */
export const BELGIAN = ["60000031", "60000032", "60000033"] as const;
const BELGIAN_NUMBERS = ["BE0403019261", "BE1000000021", "BE0200000012"] as const;

const plain = Array.from({ length: 100 }, (_, index) => ({
  digits: String(61_000_000 + index),
  rsin: rsin(20 + index),
}));
/** A hundred companies whose numbers are derived from their RSINs. */
export const PLAIN_DERIVED: readonly string[] = plain.map(({ digits }) => digits);

export const VAT_COMPANIES: readonly SourcedFacts[] = [
  company(GIVEN, { activities: ACTIVITIES, vatNumber: GIVEN_NUMBER, rsin: rsin(1) }),
  company(DERIVED, { activities: ACTIVITIES, rsin: rsin(0) }),
  company(REFUSED_DERIVED, { activities: ACTIVITIES, rsin: rsin(10) }),
  company(REFUSED_GIVEN, { activities: ACTIVITIES, vatNumber: REFUSED_GIVEN_NUMBER }),
  company(MALFORMED, { activities: ACTIVITIES, vatNumber: "NL123456789B01", rsin: rsin(6) }),
  company(NONSENSE, { activities: ACTIVITIES, vatNumber: "onbekend", rsin: rsin(2) }),
  company(BAD_RSIN, { activities: ACTIVITIES, rsin: "123456789" }),
  company(NUMBERLESS, { activities: ACTIVITIES }),
  company(IDLE_DERIVED, { rsin: rsin(3) }),
  company(IDLE_REFUSED, { rsin: rsin(11) }),
  company(IDLE_NUMBERLESS),
  ...UNITED.map((digits) => company(digits, { activities: ACTIVITIES, vatNumber: UNITED_NUMBER })),
  ...BELGIAN.map((digits, index) =>
    company(digits, { activities: ACTIVITIES, vatNumber: BELGIAN_NUMBERS[index] ?? "" }),
  ),
  ...plain.map(({ digits, rsin }) => company(digits, { activities: ACTIVITIES, rsin })),
];

const UNREGISTERED = new Set([`NL${rsin(10)}B01`, `NL${rsin(11)}B01`, REFUSED_GIVEN_NUMBER]);

/** The numbers registered at VIES. */
export const knownToVies: CompanyOf = (state, national) =>
  UNREGISTERED.has(state + national) ? "unknown" : REGISTERED;
