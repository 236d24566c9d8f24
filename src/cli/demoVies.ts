import { openCurrentSnapshot } from "../registry/snapshot/openSnapshot.ts";
import type { CompanyRecord } from "../registry/snapshot/types.ts";
import type { CompanyOf } from "../vat/simulator/check.ts";
import { startViesSimulator, type ViesSimulator } from "../vat/simulator/server.ts";
import { dutchAddress } from "../vat/simulator/shapes.ts";

/** One company in so many has no VAT number of its own: it is taken to be part of a fiscal unit. */
const SHARE_IN_FISCAL_UNIT = 12;

/** Starts the simulated VIES of the demo, in which the companies of its registry exist. */
export function startDemoVies(host: string, directory: string): Promise<ViesSimulator> {
  return startViesSimulator({ host, companyOf: companiesOf(directory) });
}

/**
 * The Dutch VAT number under which the demo's VIES knows a company: the registry's own, else the one that follows from
 * the RSIN. Undefined when it has none or has ended, and for one company in twelve, always the same ones: they are in a
 * fiscal unit, and VIES refuses the number that follows from their RSIN.
 */
export function demoVatNumber({ company, vatNumber }: Holder): string | undefined {
  if (!company.isActive) return undefined;
  if (vatNumber !== undefined) return vatNumber;
  const { rsin } = company;
  return rsin === undefined || Number(rsin) % SHARE_IN_FISCAL_UNIT === 0 ? undefined : derived(rsin);
}

interface Holder {
  readonly company: Pick<CompanyRecord["company"], "isActive" | "rsin">;
  readonly vatNumber?: string;
}

function derived(rsin: string): string {
  return `NL${rsin}B01`;
}

/** Reads the registry when the first Dutch number is asked, so that the demo's start need not wait for it. */
function companiesOf(directory: string): CompanyOf {
  let known: ReadonlyMap<string, ReturnType<CompanyOf>> | undefined;
  return (countryCode, national) => {
    if (countryCode !== "NL") return undefined;
    known ??= readCompanies(directory);
    return known.get(countryCode + national);
  };
}

/** Every VAT number that a company of the registry could have, with what VIES says of it. */
function readCompanies(directory: string): ReadonlyMap<string, ReturnType<CompanyOf>> {
  const known = new Map<string, ReturnType<CompanyOf>>();
  const snapshot = openCurrentSnapshot(directory);
  try {
    for (const record of snapshot?.all() ?? []) {
      const { name, rsin, address = {} } = record.company;
      if (rsin !== undefined) known.set(derived(rsin), "unknown");
      if (record.vatNumber !== undefined) known.set(record.vatNumber, "unknown");
      const registered = demoVatNumber(record);
      if (registered !== undefined) {
        known.set(registered, { name: name.toUpperCase(), address: dutchAddress(address) });
      }
    }
  } finally {
    snapshot?.close();
  }
  return known;
}
