/** KVK's open data, which is asked about monitored companies. Loaded only if it is set. */
import { OPEN_DATA_ORIGIN } from "../../kvk/liveSource.ts";
import { OpenDataClient, openDataOverHttp } from "../../kvk/openData/client.ts";
import { StoredAnswers } from "../../kvk/openData/storedAnswers.ts";
import { OpenDataWorker } from "../../kvk/openData/worker.ts";
import type { Live } from "./live.ts";
import { loopOf } from "./monitorSources.ts";
import type { SharedParts, Upstream } from "./parts.ts";

const OPEN_DATA_TIMEOUT_MS = 15_000;
const MINUTE_MS = 60_000;

/** Builds it without starting its work. */
export function composeOpenData(parts: SharedParts, live: Live | undefined) {
  const { settings, state, logger, recorder } = parts;
  const everyMs = MINUTE_MS / settings.KVK_OPEN_DATA_PER_MINUTE;
  const deviations = new Set<string>();
  const client = new OpenDataClient({
    upstream: openDataOverHttp(settings.KVK_OPEN_DATA_URL),
    callWithinMs: OPEN_DATA_TIMEOUT_MS,
    onChange: (isOpen, reason) =>
      isOpen
        ? logger.warn({ reason }, "KVK's open data does not answer: calls are paused")
        : logger.info("KVK's open data answers again"),
    onTried: (result, tookMs) => recorder?.kvkTried("open-data", result, tookMs),
    onDeviation: ({ path, kind }) => {
      if (deviations.has(path)) return;
      deviations.add(path);
      logger.warn({ path, kind }, "KVK returned a field in an unknown format; it is ignored");
    },
  });
  const loop = loopOf(parts, {
    name: "open-data",
    everyMs,
    isReady: () => client.permitsCalls && live?.isAwaited() !== true,
    work: new OpenDataWorker({ client, store: state.monitors, everyMs }),
  });
  return {
    metricsName: "kvk",
    health: { openData: () => client.health },
    breakers: () => [client.shown],
    loops: [loop],
    monitors: { source: OPEN_DATA_ORIGIN, everyMs },
    answers: new StoredAnswers({ read: state.monitors.insolvencies }),
    close: () => client.close(),
  } satisfies Upstream & Record<string, unknown>;
}
