import { setImmediate as nextTurn } from "node:timers/promises";
import { vatNumberOfRsin } from "../contract/numbers.ts";
import type { Company } from "../contract/resources.ts";
import type { CompanyOf, KnownCompany } from "../simulators/vies/check.ts";
import { dutchAddress } from "../simulators/vies/shapes.ts";

/** One company in so many has no VAT number of its own: it is taken to be part of a fiscal unit. */
const SHARE_IN_FISCAL_UNIT = 12;
/** So many companies are read before others have their turn: a few milliseconds. */
const READ_AT_ONCE = 200;

/** A company that a simulated VIES is to know; `vatNumber` where the registry itself gives one. */
export interface Holder {
  readonly company: Pick<Company, "name" | "isActive" | "rsin"> & Partial<Pick<Company, "address">>;
  readonly vatNumber?: string | undefined;
}

/**
 * The Dutch VAT number under which a simulated VIES knows a company: the registry's own, else the one that follows from
 * the RSIN. Undefined when it has none or has ended, and for one company in twelve, always the same ones: they are in a
 * fiscal unit, and VIES refuses the number that follows from their RSIN.
 */
export function numberKnownToVies({ company, vatNumber }: Holder): string | undefined {
  if (!company.isActive) return undefined;
  if (vatNumber !== undefined) return vatNumber;
  const { rsin } = company;
  return rsin === undefined || Number(rsin) % SHARE_IN_FISCAL_UNIT === 0 ? undefined : vatNumberOfRsin(rsin);
}

/**
 * What a simulated VIES knows of the companies of a registry, for `startViesSimulator`. They are read when the first Dutch
 * number is asked, so that no start need wait for it, and in steps, so that no other call does.
 */
export function knownToVies(companies: () => Iterable<Holder>): CompanyOf {
  let known: Promise<ReadonlyMap<string, KnownCompany>> | undefined;
  return async (countryCode, national) => {
    if (countryCode !== "NL") return undefined;
    known ??= readCompanies(companies());
    return (await known).get(countryCode + national);
  };
}

/** Every VAT number that a company could have, with what VIES says of it. */
async function readCompanies(companies: Iterable<Holder>): Promise<ReadonlyMap<string, KnownCompany>> {
  const known = new Map<string, KnownCompany>();
  let read = 0;
  for (const holder of companies) {
    const { name, rsin, address = {} } = holder.company;
    if (rsin !== undefined) known.set(vatNumberOfRsin(rsin), "unknown");
    if (holder.vatNumber !== undefined) known.set(holder.vatNumber, "unknown");
    const registered = numberKnownToVies(holder);
    if (registered !== undefined) {
      known.set(registered, { name: name.toUpperCase(), address: dutchAddress(address) });
    }
    if (++read % READ_AT_ONCE === 0) await nextTurn();
  }
  return known;
}
