/** Whether a company is on Peppol, for lookups and lists. */
import { type ApiError, invalid } from "../contract/errors.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { PeppolCheck } from "../contract/peppol.ts";
import type { Company } from "../contract/resources.ts";
import type { PeppolVerdicts } from "../peppol/verdicts.ts";
import { type Answer, continueWith, type LookupResult, type MaybePromise } from "./answer.ts";
import type { SuppressedCompanies } from "./suppression/suppressed.ts";

/** Answers of the Peppol network, or of test data. */
export type PeppolSource = Pick<PeppolVerdicts, keyof PeppolVerdicts>;

/** The error if this service does not ask Peppol. */
export function peppolOff(): ApiError {
  return invalid("Peppol cannot be asked here: the operator of this service can switch it on with PEPPOL=on");
}

/**
 * Looks a KVK number up on Peppol, whether or not the registry knows the company: a stored answer of the last day, or
 * paid work that asks the network.
 */
export async function checkPeppol(
  source: PeppolSource,
  suppressed: Pick<SuppressedCompanies, "has">,
  kvkNumber: KvkNumber,
): Promise<LookupResult<PeppolCheck>> {
  const answerOf = (peppol: Awaited<ReturnType<PeppolSource["fromNetwork"]>>): Answer<PeppolCheck> => {
    if (suppressed.has(kvkNumber)) return { kind: "absent", kvkNumber };
    if (typeof peppol === "object") return { kind: "found", found: { kvkNumber, ...peppol } };
    return { kind: "unavailable", cause: peppol === "busy" ? "peppol-busy" : "peppol" };
  };
  if (suppressed.has(kvkNumber)) return { kind: "absent", kvkNumber };
  const stored = await source.stored(kvkNumber);
  if (stored !== undefined) return answerOf(stored);
  return { whenPaid: async () => answerOf(await source.fromNetwork(kvkNumber)) };
}

/** Adds the answer to an enriched company; the company as it is if there is none. */
export function withPeppol(
  company: Company,
  check: MaybePromise<LookupResult<PeppolCheck>>,
): MaybePromise<LookupResult<Company>> {
  return continueWith(check, (answer: Answer<PeppolCheck>): Answer<Company> => {
    if (answer.kind !== "found") return { kind: "found", found: company };
    const { kvkNumber: _, ...peppol } = answer.found;
    return { kind: "found", found: { ...company, peppol } };
  });
}
