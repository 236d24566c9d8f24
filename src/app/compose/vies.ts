import { partOf } from "../../lib/values.ts";
import { withoutSuppressedDetails } from "../../lookup/suppression/suppressed.ts";
import { Verdicts } from "../../vat/verdicts/verdicts.ts";
import { viesBreakers } from "../../vat/vies/breakers.ts";
import { ViesClient } from "../../vat/vies/client.ts";
import { viesHealth } from "../../vat/vies/health.ts";
import { SLOT_MS, ViesHistory } from "../../vat/vies/history.ts";
import { viesOverHttp } from "../../vat/vies/upstream.ts";
import type { Tracing } from "../tracing/tracing.ts";
import type { SharedParts, Upstream } from "./parts.ts";

/** VIES behind its breakers. */
export function composeVies(
  { settings, state, logger, suppressed, now, recorder }: SharedParts,
  tracing: Tracing | undefined,
) {
  const store = state.verdicts;
  const history = new ViesHistory({
    store,
    now,
    onError: (error) => logger.debug({ err: error }, "answers of VIES cannot be counted now"),
  });
  const upstream = viesOverHttp(settings.VIES_URL, (country) =>
    logger.warn({ state: country }, "VIES answered about another number; this counts as an outage"),
  );
  const breakers = viesBreakers({
    onChange: (what, isOpen, reason) =>
      isOpen
        ? logger.warn({ what, reason }, "VIES calls fail and are paused")
        : logger.info({ what }, "VIES answers again"),
  });
  const client = new ViesClient({
    upstream,
    breakers,
    perState: partOf(settings.VIES_PER_STATE, settings.WORKERS),
    callWithinMs: settings.VIES_DEADLINE_MS,
    onTried: (country, result, tookMs) => recorder?.viesTried(country, result, tookMs),
  });
  const verdicts = new Verdicts({
    store,
    ask: withoutSuppressedDetails(suppressed, async (number, requester, deadline) => {
      const result = await client.ask(number, requester, deadline);
      history.observe(number.countryCode, result);
      return result;
    }),
    lifetimes: {
      freshForMs: settings.VIES_FRESH_FOR * 1_000,
      refusalFreshForMs: settings.VIES_REFUSAL_FRESH_FOR * 1_000,
      staleForMs: settings.VIES_STALE_FOR * 1_000,
    },
    deadlineMs: settings.VIES_DEADLINE_MS,
    batchDeadlineMs: settings.VIES_BATCH_DEADLINE_MS,
    observe: tracing?.upstream("VIES"),
  });
  return {
    verdicts,
    metricsName: "vies",
    health: { vies: viesHealth(upstream, breakers) },
    breakers: () => breakers.shown,
    /** Writes the remaining counts of its answers. */
    closeHistory: () => history.close(),
    /** The answers of VIES in the last 24 hours. @throws {StoreUnavailable} if they cannot be read */
    day: async () => ({ slotMs: SLOT_MS, slots: await history.lastDay() }),
    /** Stops sending requests: waiting callers get cached verdicts. */
    close: () => upstream.close(),
  } satisfies Upstream & Record<string, unknown>;
}
