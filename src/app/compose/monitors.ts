/** Monitors: their operations, and the background work that finds and delivers changes. */
import { errorOf } from "../../http/endpoints/batch.ts";
import { known } from "../../lib/values.ts";
import type { Meter } from "../../metering/meter.ts";
import { Monitors } from "../../monitors/monitors.ts";
import { MonitorWorker } from "../../monitors/monitorWorker.ts";
import { Observer } from "../../monitors/observer.ts";
import type { SharedParts } from "./parts.ts";

/** How long events are stored. */
const KEEP_EVENTS_MS = 90 * 86_400_000;

interface MonitorParts extends SharedParts {
  readonly meter: Pick<Meter, "decideUnawaited">;
}

export function composeMonitors(parts: MonitorParts) {
  const { settings, state, registry, suppressed, meter, logger, failures } = parts;
  const { now, monitorOptions = {} } = parts;
  const store = state.monitors;
  const observer = new Observer({
    store,
    registry,
    live: settings.KVK_API_KEY === undefined ? undefined : state.live,
    suppressed,
    now,
  });
  const worker = new MonitorWorker({
    store,
    observer,
    charge: (changes) => meter.decideUnawaited({ kind: "events", operation: "monitors.change", ...changes }),
    tiers: settings.TIERS_FILE,
    keepMs: KEEP_EVENTS_MS,
    now,
    onCompared: ({ companies, changes, tookMs }) => {
      if (changes === 0) return;
      const ms = Math.round(tookMs);
      logger.info({ companies, changes, ms }, "monitored companies were compared with the registry");
    },
    onError: (error) => failures.failed(error, "changes of monitored companies cannot be processed"),
    ...known("lookEveryMs", monitorOptions.lookEveryMs),
  });
  const monitors = new Monitors({
    store,
    observer,
    tiers: settings.TIERS_FILE,
    suppressed,
    webhookNetworks: settings.WEBHOOK_NETWORKS,
    companyError: errorOf,
    onPending: () => worker.nudge(),
  });
  return { monitors, worker };
}
