import { askingWithout } from "../../lookup/suppression/suppressed.ts";
import type { SuppressionList } from "../../lookup/suppression/suppressionList.ts";
import type { VerdictStore } from "../../vat/verdicts/store.ts";
import { Verdicts } from "../../vat/verdicts/verdicts.ts";
import { Breakers } from "../../vat/vies/breakers.ts";
import { ViesClient } from "../../vat/vies/client.ts";
import { viesHealth } from "../../vat/vies/health.ts";
import { SLOT_MS, ViesHistory, type ViesHistoryStore } from "../../vat/vies/history.ts";
import { viesOverHttp } from "../../vat/vies/upstream.ts";
import type { Log } from "../log/log.ts";
import type { Settings } from "../settings/settings.ts";

/** VIES behind its breakers, and the verdicts that come of asking it. */
export function composeVies(
  settings: Settings,
  store: VerdictStore & ViesHistoryStore,
  logger: Log["logger"],
  { suppressed, now }: { readonly suppressed: SuppressionList; readonly now: () => number },
) {
  const history = new ViesHistory({
    store,
    now,
    onError: (error) => logger.debug({ err: error }, "what VIES answered cannot be counted now"),
  });
  const upstream = viesOverHttp(settings.VIES_URL);
  const breakers = new Breakers({
    now: () => performance.now(),
    onChange: (what, isOpen, reason) =>
      isOpen
        ? logger.warn({ what, reason }, "VIES fails and is left alone for a while")
        : logger.info({ what }, "VIES answers again"),
  });
  const client = new ViesClient({
    upstream,
    breakers,
    perState: settings.VIES_PER_STATE,
    callWithinMs: settings.VIES_DEADLINE_MS,
  });
  const verdicts = new Verdicts({
    store,
    ask: askingWithout(suppressed, async (number, requester, deadline) => {
      const result = await client.ask(number, requester, deadline);
      history.observe(number.countryCode, result);
      return result;
    }),
    permits: ({ countryCode }) => breakers.permits(countryCode),
    lifetimes: {
      freshForMs: settings.VIES_FRESH_FOR * 1_000,
      refusalFreshForMs: settings.VIES_REFUSAL_FRESH_FOR * 1_000,
      staleForMs: settings.VIES_STALE_FOR * 1_000,
    },
    deadlineMs: settings.VIES_DEADLINE_MS,
    batchDeadlineMs: settings.VIES_BATCH_DEADLINE_MS,
  });
  return {
    verdicts,
    health: viesHealth(upstream, breakers),
    shown: () => breakers.shown,
    history,
    day: async () => ({ slotMs: SLOT_MS, slots: await history.lastDay() }),
    close: () => upstream.close(),
  };
}
