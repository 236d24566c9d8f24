import type { BreakerTerms } from "../../upstream/breaker.ts";
import type { Breakers, GuardedPart } from "../../upstream/breakers.ts";
import type { LiveHealth } from "../liveSource.ts";
import type { KvkScope, Product } from "./results.ts";

/** For all of KVK, and for each product. */
const TERMS: BreakerTerms = { failures: 5, openForMs: 2_000, maxOpenForMs: 60_000 };

/**
 * The parts of KVK. A response of KVK proves that everything above its scope works: an error for one number shows that
 * KVK is up. Only an answer to the call itself proves that the key is valid.
 */
export const KVK_PARTS: readonly GuardedPart<KvkScope>[] = [
  {
    name: "key",
    // A refused key stays refused until the operator acts, so it is retried slowly. Three, as one refusal can be a
    // gateway's mistake.
    failures: 3,
    openForMs: 30_000,
    maxOpenForMs: 600_000,
    failedBy: ["key"],
    clearedBy: ["call"],
  },
  { ...TERMS, name: "kvk", failedBy: ["kvk"], clearedBy: ["key", "product", "call"] },
  { ...TERMS, name: "product", isPerTarget: true, failedBy: ["product"], clearedBy: ["call"] },
];

/**
 * `down` when the key, KVK or its profiles fail; `degraded` when another product that lookups use does. KVK has no
 * status page.
 */
export function kvkHealth({ failing }: Pick<Breakers<Product, KvkScope>, "failing">): LiveHealth {
  if (failing.isShared || failing.targets.includes("basisprofiel")) return "down";
  return failing.targets.some((product) => product !== "abonnementen") ? "degraded" : "up";
}
