/** Monitors: their operations, and the background work that finds and delivers changes. */
import { errorOf } from "../../http/endpoints/batch.ts";
import { known } from "../../lib/values.ts";
import type { Meter } from "../../metering/meter.ts";
import { Monitors } from "../../monitors/monitors.ts";
import { MonitorWorker } from "../../monitors/monitorWorker.ts";
import { Observer } from "../../monitors/observer.ts";
import { TestMonitors } from "../../sandbox/monitors.ts";
import type { SharedParts } from "./parts.ts";

const DAY_MS = 86_400_000;
const LOOK_UP_FIRST = "look it up first, because adding a monitor does not call KVK";

interface MonitorParts extends SharedParts {
  readonly meter: Meter;
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
    keepMs: settings.EVENT_RETENTION_DAYS * DAY_MS,
    now,
    onCompared: ({ companies, changes, tookMs }) => {
      if (changes === 0) return;
      const ms = Math.round(tookMs);
      logger.info({ companies, changes, ms }, "monitored companies were compared with the registry");
    },
    onError: (error) => failures.failed(error, "changes of monitored companies cannot be processed"),
    ...known("lookEveryMs", monitorOptions.lookEveryMs),
  });
  const shared = {
    store,
    tiers: settings.TIERS_FILE,
    webhookNetworks: settings.WEBHOOK_NETWORKS,
    onPending: () => worker.nudge(),
  };
  const hasLive = settings.KVK_API_KEY !== undefined;
  const companyError: typeof errorOf = (sent, answer) => {
    if (answer.kind !== "absent") return errorOf(sent, answer);
    if (hasLive) return errorOf(sent, { ...answer, hint: LOOK_UP_FIRST });
    return errorOf(sent, registry.current === undefined ? { kind: "no-registry" } : answer);
  };
  return {
    monitors: new Monitors({ ...shared, companyError, observer, suppressed }),
    testMonitors: new TestMonitors({ ...shared, companyError: errorOf }),
    worker,
  };
}
