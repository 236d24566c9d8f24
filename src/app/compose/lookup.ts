/** The data for endpoints: the registry, cached answers of upstreams, and the upstreams themselves. */
import { Insolvencies } from "../../kvk/openData/insolvencies.ts";
import { Companies } from "../../lookup/companies.ts";
import { CompanyFinder } from "../../lookup/finding.ts";
import { Lookup } from "../../lookup/lookup.ts";
import type { Upstreams } from "./live.ts";
import type { SharedParts } from "./parts.ts";

type LookupParts = SharedParts & { readonly upstreams: Upstreams };

export function composeLookup(parts: LookupParts) {
  const { settings, state, registry, suppressed, recorder } = parts;
  const { vies, live } = parts.upstreams;
  const deadlineMs = settings.KVK_DEADLINE_MS;
  const companies = new Companies({
    registry,
    live: live?.companies,
    freshForMs: settings.REGISTRY_FRESH_FOR * 1_000,
    suppressed,
  });
  const finder = new CompanyFinder({
    registry,
    searches: live?.searches,
    suppressed,
    completion:
      live === undefined || settings.KVK_SEARCHES_PER_MINUTE === 0
        ? undefined
        : { searches: live.searches, suppressed, origin: live.companies.origin },
  });
  const lookup = new Lookup({
    companies,
    verdicts: vies.verdicts,
    insolvencies: parts.upstreams.openData && new Insolvencies({ read: state.monitors.insolvencies }),
    liveWaits: { oneMs: deadlineMs, batchMs: settings.KVK_BATCH_DEADLINE_MS },
    suppressed,
    onVerdict: ({ status }) => recorder?.verdicts.inc({ status }),
  });
  return { lookup, finder, companies };
}
