/** A simulated VIES: its names and numbers are plainly fictional. */
import { passesElfproef } from "../../src/contract/numbers.ts";
import {
  startViesSimulator,
  type ViesSimulator,
  type ViesSimulatorOptions,
} from "../../src/demo/vies/server.ts";
import { afterFile } from "./afterFile.ts";
import { freePort } from "./freePort.ts";

/** Registers every well-formed number, as `companyOf`. */
export const REGISTERED = {
  name: "DE FABELKORST",
  address: "\nSPROOKJESLAAN 00017\n1234AB VERZINSTAD\n",
} as const;
/** The address of {@link REGISTERED} as the service returns it. */
export const REGISTERED_ADDRESS = "SPROOKJESLAAN 17, 1234AB VERZINSTAD";

/** Starts a simulator on a port that stays free after it stops; stopped after the file's tests. */
export async function startVies(options: ViesSimulatorOptions = {}): Promise<ViesSimulator> {
  const vies = await startViesSimulator({ port: await freePort(), ...options });
  afterFile(() => vies.stop());
  return vies;
}

/** The requested numbers so far, as callers write them, in order. */
export function queriedNumbers({ log }: ViesSimulator): readonly string[] {
  return log.map(({ request }) => request.countryCode + request.vatNumber);
}

/** The requests for one number so far. */
export function requestsFor(vies: ViesSimulator, vatNumber: string): number {
  return queriedNumbers(vies).filter((queried) => queried === vatNumber).length;
}

const FIRST_RSIN = 700_000_000;

/** Distinct nine-digit numbers that pass the elfproef. */
export function fictionalRsins(count: number): readonly string[] {
  const found: string[] = [];
  for (let digits = FIRST_RSIN; found.length < count; digits++) {
    if (passesElfproef(String(digits))) found.push(String(digits));
  }
  return found;
}
