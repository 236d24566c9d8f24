import { parseKvkNumber, passesKvkCheck } from "../../src/contract/numbers.ts";
import { type BenchCase, callsFrom } from "./case.ts";

export const notFound: BenchCase = {
  name: "not-found",
  title: "lookup of a number that nobody has, free",
  operation: "lookup",
  expected: 404,
  tier: "unlimited",
  itemsPerAnswer: 1,
  calls: (companies, random) =>
    callsFrom(companies, random, ({ kvkNumber }) => ({
      method: "GET",
      path: `/v1/lookup/${unheldNumberBelow(kvkNumber)}`,
    })),
};

/** Every number of the fictional registry fails the check of KVK numbers: one that passes is held by nobody. */
function unheldNumberBelow(kvkNumber: string): string {
  for (let candidate = Number(kvkNumber) - 1; ; candidate--) {
    const number = parseKvkNumber(String(candidate));
    if (number === undefined) throw new RangeError(`no number below ${kvkNumber} passes the check`);
    if (passesKvkCheck(number)) return number;
  }
}
