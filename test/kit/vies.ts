/** VIES, simulated: the names and numbers are plainly made up. */
import { passesElfproef } from "../../src/contract/numbers.ts";
import {
  startViesSimulator,
  type ViesSimulator,
  type ViesSimulatorOptions,
} from "../../src/simulators/vies/server.ts";
import { afterFile } from "./afterFile.ts";
import { freePort } from "./freePort.ts";

/** Makes every well-formed number a registered one, as `companyOf`. */
export const REGISTERED = {
  name: "DE FABELKORST",
  address: "\nSPROOKJESLAAN 00017\n1234AB VERZINSTAD\n",
} as const;
/** How the service tells the address of {@link REGISTERED}. */
export const REGISTERED_ADDRESS = "SPROOKJESLAAN 17, 1234AB VERZINSTAD";

/** Starts a simulator on a free port, which nobody takes when it has stopped; it is stopped when the file's tests have ended. */
export async function startVies(options: ViesSimulatorOptions = {}): Promise<ViesSimulator> {
  const vies = await startViesSimulator({ port: await freePort(), ...options });
  afterFile(() => vies.stop());
  return vies;
}

/** The numbers that were asked so far, as callers write them, in the order of the requests. */
export function askedOf({ log }: ViesSimulator): readonly string[] {
  return log.map(({ request }) => request.countryCode + request.vatNumber);
}

/** How many requests for one number have come in so far. */
export function requestsFor(vies: ViesSimulator, vatNumber: string): number {
  return askedOf(vies).filter((asked) => asked === vatNumber).length;
}

const FIRST_RSIN = 700_000_000;

/** So many numbers of nine digits that pass the elfproef, each one another. */
export function fictionalRsins(count: number): readonly string[] {
  const found: string[] = [];
  for (let digits = FIRST_RSIN; found.length < count; digits++) {
    if (passesElfproef(String(digits))) found.push(String(digits));
  }
  return found;
}
