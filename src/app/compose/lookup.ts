import { Companies } from "../../lookup/companies.ts";
import { Completion } from "../../lookup/completion.ts";
import { CompanyFinder } from "../../lookup/finding.ts";
import { Lookup } from "../../lookup/lookup.ts";
import type { Suppressed, SuppressedCompanies } from "../../lookup/suppression/suppressed.ts";
import type { Registry } from "../../snapshot/types.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import type { Verdicts } from "../../vat/verdicts/verdicts.ts";
import type { Log } from "../log/log.ts";
import type { Recorder } from "../metrics/recorder.ts";
import type { Settings } from "../settings/settings.ts";
import type { HeldLive, Live } from "./live.ts";

/** KVK's API with the data that it sent before, when there is a key for it. */
export async function openLiveSource(
  settings: Settings,
  state: StateStore,
  suppressed: SuppressedCompanies,
  logger: Log["logger"],
  recorder?: Recorder,
): Promise<Live | undefined> {
  if (settings.KVK_API_KEY === undefined) return undefined;
  const { openLive } = await import("./kvk.ts");
  return openLive(settings, { state, suppressed }, logger, recorder);
}

interface LookupParts {
  readonly registry: Registry;
  readonly suppressed: Suppressed;
  readonly live: HeldLive | undefined;
  readonly verdicts: Verdicts;
  readonly recorder?: Recorder | undefined;
}

/** What endpoints ask for. */
export function composeLookup(
  settings: Settings,
  { registry, suppressed, live, verdicts, recorder }: LookupParts,
): { readonly lookup: Lookup; readonly companies: Companies } {
  const companies = new Companies({
    registry,
    live: live?.companies,
    freshForMs: settings.REGISTRY_FRESH_FOR * 1_000,
    suppressed,
  });
  const lookup = new Lookup({
    companies,
    completion: settings.KVK_SEARCHES_PER_MINUTE === 0 ? undefined : live && completionBy(live, suppressed),
    finder: new CompanyFinder({
      registry,
      searches: live?.searches,
      origin: live?.companies.origin,
      suppressed,
    }),
    verdicts,
    liveWaits: { oneMs: settings.KVK_DEADLINE_MS, batchMs: settings.KVK_BATCH_DEADLINE_MS },
    suppressed,
    ...(recorder && { onVerdict: ({ status }) => recorder.verdict(status) }),
  });
  return { lookup, companies };
}

/** KVK's search beside the snapshot. */
function completionBy(
  { searches, companies: { origin } }: HeldLive,
  suppressed: SuppressedCompanies,
): Completion {
  return new Completion({ searches, suppressed, origin });
}
