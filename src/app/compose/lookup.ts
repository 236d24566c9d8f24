/** The data for endpoints: the registry, cached answers of upstreams, and the upstreams themselves. */
import type { CourtCases } from "../../insolvency/types.ts";
import { known } from "../../lib/values.ts";
import { Companies } from "../../lookup/companies.ts";
import { insolvencyRule } from "../../lookup/companyInsolvency.ts";
import { CompanyFinder } from "../../lookup/finding.ts";
import { Lookup } from "../../lookup/lookup.ts";
import type { SharedParts } from "./parts.ts";
import type { Upstreams } from "./upstreams.ts";

type LookupParts = SharedParts & {
  readonly upstreams: Upstreams;
  /** Undefined without the court's register. */
  readonly court?: CourtCases | undefined;
  /** Called when the court's register and KVK's open data give a company different types. */
  readonly onInsolvencyDifference?: () => void;
};

export function composeLookup(parts: LookupParts) {
  const { settings, registry, suppressed, recorder, court, onInsolvencyDifference } = parts;
  const { vies, live, openData } = parts.upstreams;
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
    insolvency:
      court && insolvencyRule({ cases: court, registry, ...known("onDifference", onInsolvencyDifference) }),
    liveWaits: { oneMs: deadlineMs, batchMs: settings.KVK_BATCH_DEADLINE_MS },
    suppressed,
    onVerdict: ({ status }) => recorder?.verdicts.inc({ status }),
  });
  return { lookup, finder, companies };
}
