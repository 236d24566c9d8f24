import { setImmediate as nextTurn } from "node:timers/promises";
import { vatNumberOfRsin } from "../../contract/numbers.ts";
import type { Company } from "../../contract/resources.ts";
import { openCurrentSnapshot } from "../../registry/openSnapshot.ts";
import type { CompanyRecord } from "../../registry/types.ts";
import type { CompanyOf, KnownCompany } from "./check.ts";
import { startViesSimulator, type ViesSimulator } from "./server.ts";
import { dutchAddress } from "./traders.ts";

/** One company in twelve is treated as part of a fiscal unit and has no VAT number of its own. */
const SHARE_IN_FISCAL_UNIT = 12;
/** Companies read before the event loop gets a turn: a few milliseconds of work. */
const BATCH_SIZE = 200;

/** A company that a simulated VIES knows; `vatNumber` where the registry itself has one. */
export interface NumberHolder {
  readonly company: Pick<Company, "name" | "isActive" | "rsin"> & Partial<Pick<Company, "address">>;
  readonly vatNumber?: string | undefined;
}

/** Starts the simulated VIES of the demo, which knows the companies of the registry in `directory`. */
export function startDemoVies(host: string, directory: string): Promise<ViesSimulator> {
  return startViesSimulator({ host, companyOf: knownToVies(() => companiesIn(directory)) });
}

function* companiesIn(directory: string): Generator<CompanyRecord> {
  const snapshot = openCurrentSnapshot(directory);
  try {
    yield* snapshot?.all() ?? [];
  } finally {
    snapshot?.close();
  }
}

/**
 * The Dutch VAT number under which the simulated VIES knows a company: the registry's own, else the one derived from
 * the RSIN. Undefined for companies that have neither or have ended, and for one in twelve, always the same ones: these
 * belong to a fiscal unit, so VIES rejects their derived number.
 */
export function numberKnownToVies({ company, vatNumber }: NumberHolder): string | undefined {
  if (!company.isActive) return undefined;
  if (vatNumber !== undefined) return vatNumber;
  const { rsin } = company;
  return rsin === undefined || Number(rsin) % SHARE_IN_FISCAL_UNIT === 0 ? undefined : vatNumberOfRsin(rsin);
}

/**
 * `companyOf` for `startViesSimulator` over the companies of a registry. They are read on the first request for a Dutch
 * number, so that the start does not wait for them, and in batches, so that other calls do not either.
 */
export function knownToVies(companies: () => Iterable<NumberHolder>): CompanyOf {
  let known: Promise<ReadonlyMap<string, KnownCompany>> | undefined;
  return async (countryCode, national) => {
    if (countryCode !== "NL") return undefined;
    known ??= readCompanies(companies());
    return (await known).get(countryCode + national);
  };
}

/** Returns the VAT numbers that one of the companies could have, as VIES knows them. */
async function readCompanies(companies: Iterable<NumberHolder>): Promise<ReadonlyMap<string, KnownCompany>> {
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
    if (++read % BATCH_SIZE === 0) await nextTurn();
  }
  return known;
}
