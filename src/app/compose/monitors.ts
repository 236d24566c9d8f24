/** Monitors: their operations, and the background work that finds and delivers changes. */
import { KVK_API_ORIGIN, OPEN_DATA_ORIGIN } from "../../kvk/liveSource.ts";
import { renewalEveryMs } from "../../kvk/monitored/renewals.ts";
import { known } from "../../lib/values.ts";
import type { Companies } from "../../lookup/companies.ts";
import type { Meter } from "../../metering/meter.ts";
import { Monitors } from "../../monitors/monitors.ts";
import { MonitorWorker } from "../../monitors/monitorWorker.ts";
import { Observer } from "../../monitors/observer.ts";
import { type MonitorSource, reportsOf } from "../../monitors/sources.ts";
import { TestMonitors } from "../../monitors/testMonitors.ts";
import { monitorShare } from "./live.ts";
import type { SharedParts } from "./parts.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

interface MonitorParts extends SharedParts {
  readonly meter: Meter;
  readonly companies: Companies;
}

export function composeMonitors(parts: MonitorParts) {
  const { settings, state, registry, suppressed, meter, companies, logger, failures } = parts;
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
    turns: state.turns,
    observer,
    meter,
    tiers: settings.TIERS_FILE,
    keepMs: settings.EVENT_RETENTION_DAYS * DAY_MS,
    now,
    onCompared: ({ companies, changes, tookMs }) => {
      if (changes === 0) return;
      const ms = Math.round(tookMs);
      logger.info({ companies, changes, ms }, "monitored companies were compared with the registry");
    },
    onError: (error) => failures.failed(error, "changes of monitored companies cannot be processed"),
    ...known("pollEveryMs", monitorOptions.pollEveryMs),
  });
  const shared = {
    store,
    tiers: settings.TIERS_FILE,
    webhookNetworks: settings.WEBHOOK_NETWORKS,
    onPending: () => worker.nudge(),
  };
  const service = {
    retentionDays: settings.EVENT_RETENTION_DAYS,
    liveFigures: store.liveFigures,
    sources: () => sourcesOf(parts),
  };
  return {
    monitors: new Monitors({ ...shared, observer, suppressed, companies, service }),
    testMonitors: new TestMonitors({ ...shared, service }),
    worker,
  };
}

/** The origins of the registry, and the live sources. */
function sourcesOf({ settings, registry }: MonitorParts): MonitorSource[] {
  const { KVK_API_KEY, KVK_OPEN_DATA_PER_MINUTE: perMinute } = settings;
  const share = monitorShare(settings);
  const sources = new Map<string, Omit<MonitorSource, "source" | "reports">>();
  const origins = registry.current?.info.origins ?? [];
  for (const { origin, asOf } of origins) sources.set(origin, { asOfMs: Date.parse(asOf) });
  const round = share > 0 ? { everyMs: renewalEveryMs(share) } : {};
  if (KVK_API_KEY !== undefined) sources.set(KVK_API_ORIGIN, { ...sources.get(KVK_API_ORIGIN), ...round });
  if (perMinute > 0) sources.set(OPEN_DATA_ORIGIN, { everyMs: MINUTE_MS / perMinute });
  return [...sources].map(([source, facts]) => ({ source, reports: reportsOf(source), ...facts }));
}
