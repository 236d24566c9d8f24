import { askingWithout, type SuppressedVatNumbers } from "../../lookup/suppression/suppressed.ts";
import { type VerdictFlights, ViesFlights } from "../../vat/verdicts/flights.ts";
import type { VerdictStore } from "../../vat/verdicts/store.ts";
import type { Lifetimes } from "../../vat/verdicts/verdict.ts";
import { Verdicts } from "../../vat/verdicts/verdicts.ts";
import { Breakers } from "../../vat/vies/breakers.ts";
import { ViesClient } from "../../vat/vies/client.ts";
import { type ViesState, viesHealth } from "../../vat/vies/health.ts";
import { SLOT_MS, ViesHistory, type ViesHistoryStore, type ViesSlot } from "../../vat/vies/history.ts";
import { viesOverHttp } from "../../vat/vies/upstream.ts";
import type { Log } from "../log/log.ts";
import type { Recorder } from "../metrics/recorder.ts";
import type { Settings } from "../settings/settings.ts";

/** Something that is left alone after failures, or would be. */
export interface ShownBreaker {
  readonly what: string;
  readonly isOpen: boolean;
}

/** VIES, of which there is one in a service: what answering calls needs of it. */
export interface Vies {
  readonly flights: VerdictFlights;
  health(): Promise<ViesState>;
  shown(): readonly ShownBreaker[];
  /** What became of the questions of the last twenty-four hours. @throws {StoreUnavailable} when that cannot be read */
  day(): Promise<{ readonly slotMs: number; readonly slots: readonly ViesSlot[] }>;
}

export interface OwnVies extends Vies {
  readonly history: ViesHistory;
  /** Asks no more: who waits is told what is held. */
  close(): Promise<void>;
}

/** VIES behind its breakers, for all threads together. */
export function composeVies(
  settings: Settings,
  store: VerdictStore & ViesHistoryStore,
  logger: Log["logger"],
  {
    suppressed,
    now,
    recorder,
  }: {
    readonly suppressed: SuppressedVatNumbers;
    readonly now: () => number;
    readonly recorder?: Recorder | undefined;
  },
): OwnVies {
  const history = new ViesHistory({
    store,
    now,
    onError: (error) => logger.debug({ err: error }, "what VIES answered cannot be counted now"),
  });
  const upstream = viesOverHttp(settings.VIES_URL, (state) =>
    logger.warn(
      { state },
      "VIES answered about another number than it was asked; that is taken for no answer",
    ),
  );
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
    ...(recorder && { onTried: (state, result, tookMs) => recorder.viesTried(state, result, tookMs) }),
  });
  const flights = new ViesFlights({
    store,
    ask: askingWithout(suppressed, async (number, requester, deadline) => {
      const result = await client.ask(number, requester, deadline);
      history.observe(number.countryCode, result);
      return result;
    }),
    permits: (state) => breakers.permits(state),
    lifetimes: lifetimesOf(settings),
  });
  return {
    flights,
    health: viesHealth(upstream, breakers),
    shown: () => breakers.shown,
    history,
    day: async () => ({ slotMs: SLOT_MS, slots: await history.lastDay() }),
    close: () => upstream.close(),
  };
}

/** Verdicts of what is held and of flights to VIES, for one thread. */
export function composeVerdicts(settings: Settings, store: VerdictStore, flights: VerdictFlights): Verdicts {
  return new Verdicts({
    store,
    flights,
    lifetimes: lifetimesOf(settings),
    deadlineMs: settings.VIES_DEADLINE_MS,
    batchDeadlineMs: settings.VIES_BATCH_DEADLINE_MS,
  });
}

function lifetimesOf(settings: Settings): Lifetimes {
  return {
    freshForMs: settings.VIES_FRESH_FOR * 1_000,
    refusalFreshForMs: settings.VIES_REFUSAL_FRESH_FOR * 1_000,
    staleForMs: settings.VIES_STALE_FOR * 1_000,
  };
}
