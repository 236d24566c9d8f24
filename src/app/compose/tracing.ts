import type { PeopleStore } from "../../accounts/peopleStore.ts";
import type { CompanyFlights, CompanyHit } from "../../kvk/cache/companyFlights.ts";
import type { SearchFlights, SearchHit } from "../../kvk/cache/searchFlights.ts";
import { newTraceSecret } from "../../tracing/chosen.ts";
import type { Tracing } from "../../tracing/tracing.ts";
import type { VerdictFlights } from "../../vat/verdicts/flights.ts";
import type { Log } from "../log/log.ts";
import type { Settings } from "../settings/settings.ts";
import { programVersion } from "../version.ts";
import type { Live } from "./live.ts";
import type { Vies } from "./vies.ts";

/** The services of others that a call may wait for. */
export interface Upstreams {
  readonly vies: Vies;
  /** Undefined without a key for KVK. */
  readonly live: Live | undefined;
}

/** Sends spans to the collector that the settings name; loaded only then. */
export async function composeTracing(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share }: Settings,
  people: PeopleStore,
  logger: Log["logger"],
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const { openTelemetry } = await import("../../tracing/openTelemetry.ts");
  return openTelemetry({
    endpoint,
    share,
    // The same in all processes, so that all spans of a trace are recorded or none.
    secret: await people.secret("traces", newTraceSecret()),
    version: programVersion(),
    onLost: () => logger.warn("spans could not be sent: check OTEL_EXPORTER_OTLP_ENDPOINT and its collector"),
  });
}

/** The same upstreams; waiting for VIES or KVK is a span of the call. */
export function tracedUpstreams({ vies, live }: Upstreams, tracing: Tracing): Upstreams {
  return {
    vies: { ...vies, flights: tracedVies(vies.flights, tracing) },
    live: live && {
      ...live,
      companies: tracedCompanies(live.companies, tracing),
      searches: tracedSearches(live.searches, tracing),
    },
  };
}

function tracedVies(flights: VerdictFlights, tracing: Tracing): VerdictFlights {
  return {
    permits: (state) => flights.permits(state),
    onKept: (listener) => flights.onKept(listener),
    fly: (number, deadlineMs, consulting) =>
      tracing.upstream(
        "VIES",
        () => flights.fly(number, deadlineMs, consulting),
        (flown) => flown?.result.kind ?? NOBODY_ASKED,
      ),
  };
}

function tracedCompanies(flights: CompanyFlights, tracing: Tracing): CompanyFlights {
  return {
    get origin() {
      return flights.origin;
    },
    get awayBecause() {
      return flights.awayBecause;
    },
    get health() {
      return flights.health;
    },
    onKept: (listener) => flights.onKept(listener),
    company: (kvkNumber, asking) =>
      tracing.upstream("KVK", () => flights.company(kvkNumber, asking), outcomeOfHit),
    branches: (kvkNumber, asking) =>
      tracing.upstream("KVK", () => flights.branches(kvkNumber, asking), outcomeOfHit),
  };
}

function tracedSearches(flights: SearchFlights, tracing: Tracing): SearchFlights {
  return {
    search: (criteria, accountId) =>
      tracing.upstream(
        "KVK",
        () => flights.search(criteria, accountId),
        (hit) => (hit === "share-over" ? hit : outcomeOfHit(hit)),
      ),
  };
}

const NOBODY_ASKED = "nobody asked";

function outcomeOfHit(hit: CompanyHit | SearchHit | undefined): string {
  if (hit === undefined) return NOBODY_ASKED;
  return hit.kind === "miss" ? hit.cause : hit.kind;
}
