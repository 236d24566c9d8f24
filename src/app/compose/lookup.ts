/** The data for endpoints: the registry, cached answers of upstreams, and the upstreams themselves. */
import { Companies } from "../../lookup/companies.ts";
import { insolvencyRule } from "../../lookup/companyInsolvency.ts";
import { CompanyFinder } from "../../lookup/finding.ts";
import { Lookup } from "../../lookup/lookup.ts";
import type { SharedParts } from "./parts.ts";
import type { Upstreams } from "./upstreams.ts";

type LookupParts = SharedParts & { readonly upstreams: Upstreams };

export function composeLookup(parts: LookupParts) {
  const { settings, registry, suppressed, recorder } = parts;
  const { vies, live, openData, insolvency, peppol } = parts.upstreams;
  const court = insolvency?.cases;
  const onDifference = () => recorder?.courtDifferences.inc();
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
    court,
    completion:
      live === undefined || settings.KVK_SEARCHES_PER_MINUTE === 0
        ? undefined
        : { searches: live.searches, suppressed, origin: live.companies.origin },
  });
  const lookup = new Lookup({
    companies,
    verdicts: vies.verdicts,
    openData: openData?.answers,
    insolvency: court && insolvencyRule({ cases: court, registry, onDifference }),
    peppol: peppol?.verdicts,
    liveWaits: { oneMs: deadlineMs, batchMs: settings.KVK_BATCH_DEADLINE_MS },
    suppressed,
    onVerdict: ({ status }) => recorder?.verdicts.inc({ status }),
  });
  return { lookup, finder, companies };
}
