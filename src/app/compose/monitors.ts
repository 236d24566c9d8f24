/** Monitors: their operations, and the background work that finds and delivers changes. */
import { COURT_ORIGIN } from "../../contract/insolvency.ts";
import { known } from "../../lib/values.ts";
import type { Companies } from "../../lookup/companies.ts";
import type { Meter } from "../../metering/meter.ts";
import { Monitors } from "../../monitors/monitors.ts";
import { MonitorWorker } from "../../monitors/monitorWorker.ts";
import { Observer } from "../../monitors/observer.ts";
import { type MonitorSource, reportsOf } from "../../monitors/sources.ts";
import { TestMonitors } from "../../monitors/testMonitors.ts";
import type { SharedParts } from "./parts.ts";
import type { Upstreams } from "./upstreams.ts";

const DAY_MS = 86_400_000;

interface MonitorParts extends SharedParts {
  readonly meter: Meter;
  readonly companies: Companies;
  readonly upstreams: Upstreams;
}

export function composeMonitors(parts: MonitorParts) {
  const { settings, state, registry, suppressed, meter, companies, logger, failures, upstreams } = parts;
  const court = upstreams.insolvency?.cases;
  const { now, monitorOptions = {} } = parts;
  const store = state.monitors;
  const observer = new Observer({
    store,
    registry,
    live: settings.KVK_API_KEY === undefined ? undefined : state.live,
    peppol: upstreams.peppol && state.peppol,
    court,
    suppressed,
    now,
  });
  const worker = new MonitorWorker({
    store,
    turns: state.turns,
    observer,
    court,
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

/** The origins of the registry, the court's register and the live sources. */
function sourcesOf({ registry, upstreams }: MonitorParts): MonitorSource[] {
  const sources = new Map<string, Omit<MonitorSource, "source" | "reports">>();
  const origins = registry.current?.info.origins ?? [];
  for (const { origin, asOf } of origins) sources.set(origin, { asOfMs: Date.parse(asOf) });
  for (const { source, ...facts } of upstreams.all.flatMap(({ monitors }) => monitors ?? [])) {
    sources.set(source, { ...sources.get(source), ...facts });
  }
  const court = upstreams.insolvency?.cases;
  if (court !== undefined) sources.set(COURT_ORIGIN, known("asOfMs", court.currency?.observedAtMs));
  return [...sources].map(([source, facts]) => ({ source, reports: reportsOf(source), ...facts }));
}
