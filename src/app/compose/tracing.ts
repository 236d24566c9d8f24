import type { CompanyFlights, CompanyHit } from "../../kvk/cache/companyFlights.ts";
import type { SearchFlights, SearchHit } from "../../kvk/cache/searchFlights.ts";
import type { Tracing } from "../../tracing/tracing.ts";
import type { VerdictFlights } from "../../vat/verdicts/flights.ts";
import type { House } from "../house/house.ts";
import type { Log } from "../log/log.ts";
import type { Settings } from "../settings/settings.ts";
import { programVersion } from "../version.ts";

/**
 * What sends spans to the collector that the settings name; loaded only then.
 * @param secret by which traces are chosen, the same in all threads
 */
export async function composeTracing(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share }: Settings,
  secret: string,
  logger: Log["logger"],
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const { openTelemetry } = await import("../../tracing/openTelemetry.ts");
  return openTelemetry({
    endpoint,
    share,
    secret,
    version: programVersion(),
    onLost: (reason) =>
      logger.warn({ reason }, "spans could not be sent: check OTEL_EXPORTER_OTLP_ENDPOINT and its collector"),
  });
}

/** The same house; what a call waits for while VIES or KVK is asked is a span. */
export function tracedHouse(house: House, tracing: Tracing): House {
  const { vies, live } = house;
  return {
    ...house,
    vies: {
      flights: tracedVies(vies.flights, tracing),
      health: () => vies.health(),
      shown: () => vies.shown(),
      day: () => vies.day(),
    },
    live: live && {
      companies: tracedCompanies(live.companies, tracing),
      searches: tracedSearches(live.searches, tracing),
      ...(live.cache !== undefined && { cache: live.cache }),
      breakers: () => live.breakers(),
    },
  };
}

function tracedVies(flights: VerdictFlights, tracing: Tracing): VerdictFlights {
  return {
    permits: (state) => flights.permits(state),
    onKept: (listener) => flights.onKept(listener),
    fly: (number, deadlineMs, consulting, knownAtMs) =>
      tracing.upstream(
        "VIES",
        () => flights.fly(number, deadlineMs, consulting, knownAtMs),
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
