/** What goes between a service and the thread that keeps its registry up. */
import type { SourcedFacts } from "../../company/facts.ts";
import type { Leaving } from "../withdrawing/staleRows.ts";
import type { Withdrawn } from "../withdrawing/withdraw.ts";
import type { Learned, Learning } from "./learnFacts.ts";

/** What the thread is told: facts, some at a time, and then what to do with them; or what has to leave. */
export type UpkeepMessage =
  | { readonly kind: "facts"; readonly facts: readonly SourcedFacts[] }
  | { readonly kind: "learn"; readonly learning: Omit<Learning, "facts"> }
  | { readonly kind: "withdraw"; readonly directory: string; readonly leaving: Leaving };

/** What it says at the end; `busy`: another process is changing the registry. */
export type UpkeepAnswer =
  | { readonly kind: "learned"; readonly learned: Learned }
  | { readonly kind: "withdrawn"; readonly withdrawn: Withdrawn }
  | { readonly kind: "busy" }
  /** In words for whoever runs the service. */
  | { readonly kind: "refused"; readonly message: string };
