/** The data that endpoints ask for: the registry, cached answers of upstreams, and the upstreams themselves. */
import { LiveCompanies } from "../../kvk/cache/liveCompanies.ts";
import { LiveSearches } from "../../kvk/cache/liveSearches.ts";
import { Companies } from "../../lookup/companies.ts";
import { Completion } from "../../lookup/completion.ts";
import { CompanyFinder } from "../../lookup/finding.ts";
import { Lookup } from "../../lookup/lookup.ts";
import type { Tracing } from "../../tracing/tracing.ts";
import { liveLifetimes, type Upstreams } from "./live.ts";
import type { SharedParts } from "./parts.ts";

type LookupParts = SharedParts & { readonly upstreams: Upstreams; readonly tracing: Tracing | undefined };

export function composeLookup(parts: LookupParts) {
  const { settings, state, registry, suppressed, recorder, tracing } = parts;
  const { vies, live } = parts.upstreams;
  const observe = tracing?.upstream("KVK");
  const deadlineMs = settings.KVK_DEADLINE_MS;
  const liveCompanies =
    live &&
    new LiveCompanies({
      flights: live.companies,
      cache: live.cache,
      store: state.live,
      lifetimes: liveLifetimes(settings),
      observe,
    });
  const searches =
    live &&
    new LiveSearches({
      flights: live.searches,
      store: state.live,
      freshForMs: settings.KVK_SEARCH_FRESH_FOR * 1_000,
      deadlineMs,
      observe,
    });
  const origin = live?.companies.origin;
  const companies = new Companies({
    registry,
    live: liveCompanies,
    freshForMs: settings.REGISTRY_FRESH_FOR * 1_000,
    suppressed,
  });
  const lookup = new Lookup({
    companies,
    completion:
      searches === undefined || origin === undefined || settings.KVK_SEARCHES_PER_MINUTE === 0
        ? undefined
        : new Completion({ searches, suppressed, origin }),
    finder: new CompanyFinder({ registry, searches, suppressed }),
    verdicts: vies.verdicts,
    liveWaits: { oneMs: deadlineMs, batchMs: settings.KVK_BATCH_DEADLINE_MS },
    suppressed,
    onVerdict: ({ status }) => recorder?.verdict(status),
  });
  return { lookup, companies };
}
