import { AllowanceUse } from "../../accounts/allowanceUse.ts";
import type { Registry } from "../../snapshot/types.ts";
import { readNote } from "../../storage/backup/lastBackup.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import { healthCheck } from "../health.ts";
import { accountReadings } from "../metrics/accounts.ts";
import { readDisk, readUsage, startReading } from "../metrics/machine.ts";
import type { ReadSources } from "../metrics/readAll.ts";
import {
  backupReadings,
  breakerReadings,
  budgetReadings,
  healthReadings,
  registryReadings,
} from "../metrics/service.ts";
import { readinessCheck } from "../readiness.ts";
import type { Settings } from "../settings/settings.ts";
import { StateProbe } from "../stateProbe.ts";
import { programVersion } from "../version.ts";
import { paidCallsToday } from "./live.ts";
import type { Upstreams } from "./tracing.ts";

export interface MetricSourceParts {
  readonly state: StateStore;
  readonly registry: Registry;
  readonly upstreams: Upstreams;
  readonly isBehind: () => boolean;
  readonly isDraining: () => boolean;
  readonly isListening: () => boolean;
}

export interface MetricSources {
  /** Read from each process. */
  readonly ofProcess: ReadSources;
  /** Read from one process of a service: every other would report the same. */
  readonly ofService: ReadSources;
  close(): Promise<void>;
}

/** The values that a process reads when it is scraped. */
export function metricSources(settings: Settings, parts: MetricSourceParts): MetricSources {
  const { registry, isBehind, isDraining, isListening } = parts;
  const { vies, live } = parts.upstreams;
  const state = new StateProbe(parts.state);
  const companies = {
    get hasSnapshot() {
      return registry.current !== undefined;
    },
    get isFindable() {
      return registry.current?.isFindable !== false || registry.current.namesSoon !== undefined;
    },
    get liveHealth() {
      return live?.companies.health;
    },
  };
  const health = healthCheck({ companies, state, askVies: () => vies.health(), isBehind });
  const hasSource = () => companies.hasSnapshot || live !== undefined;
  const readiness = readinessCheck({ state, hasSource, isDraining });
  const allowances = new AllowanceUse({ store: parts.state.people, tiers: settings.TIERS_FILE });
  let isLooking = false;
  const allowanceCounts = () => {
    // Begun by the first scrape: of several processes one looks at the accounts.
    if (!isLooking) void allowances.look();
    isLooking = true;
    return allowances.counts;
  };
  return {
    ofProcess: { process: readUsage },
    ofService: {
      build: () => [
        { name: "opzoek_build_info", labels: { version: programVersion(), node: process.version }, value: 1 },
        startReading(),
      ],
      disk: () => readDisk(settings.DATA_DIR),
      registry: () =>
        registryReadings({
          info: registry.current?.info,
          isFindable: companies.isFindable,
          isBehind: isBehind(),
        }),
      health: async () => {
        const [told, { isReady }] = await Promise.all([health(), readiness()]);
        return healthReadings(told, isReady && isListening());
      },
      upstreams: () =>
        breakerReadings([
          ...vies.shown().map((one) => ({ upstream: "vies" as const, ...one })),
          ...(live?.breakers() ?? []).map((one) => ({ upstream: "kvk" as const, ...one })),
        ]),
      budget: async () =>
        live === undefined ? [] : budgetReadings(await paidCallsToday(settings, parts.state.live)),
      accounts: () => accountReadings(allowanceCounts()),
      lists: async () =>
        (await parts.state.jobs.listCounts()).map(({ status, count }) => ({
          name: "opzoek_lists",
          labels: { status },
          value: count,
        })),
      backup: () => (settings.DATABASE_URL === undefined ? backupReadings(readNote(settings.DATA_DIR)) : []),
    },
    close: () => allowances.close(),
  };
}
