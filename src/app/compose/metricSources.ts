import { AllowanceUse } from "../../accounts/allowanceUse.ts";
import type { Registry } from "../../snapshot/types.ts";
import { readNote } from "../../storage/backup/lastBackup.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import { healthCheck } from "../health.ts";
import type { House } from "../house/house.ts";
import { accountReadings } from "../metrics/accounts.ts";
import { readDisk, readProcess } from "../metrics/machine.ts";
import type { ReadSources } from "../metrics/readAll.ts";
import {
  backupReadings,
  breakerReadings,
  budgetReadings,
  healthReadings,
  registryReadings,
} from "../metrics/service.ts";
import { type SeenThreads, threadReadings } from "../metrics/threads.ts";
import { readinessCheck } from "../readiness.ts";
import type { Settings } from "../settings/settings.ts";
import { StateProbe } from "../stateProbe.ts";
import { programVersion } from "../version.ts";
import { paidCallsToday } from "./live.ts";

export interface MetricSourceParts {
  readonly state: StateStore;
  readonly registry: Registry;
  readonly house: House;
  readonly isBehind: () => boolean;
  readonly isDraining: () => boolean;
  /** How the threads that answer calls fare. */
  readonly threads: () => SeenThreads;
}

export interface MetricSources {
  readonly sources: ReadSources;
  /** Looks at accounts no more. */
  close(): Promise<void>;
}

/** What the main thread reads of a service when its metrics are asked for. */
export function metricSources(settings: Settings, parts: MetricSourceParts): MetricSources {
  const { registry, house, isBehind, isDraining, threads } = parts;
  const { vies, live } = house;
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
  void allowances.look();
  return {
    sources: {
      process: async () => [
        { name: "opzoek_build_info", labels: { version: programVersion(), node: process.version }, value: 1 },
        ...(await readProcess()),
      ],
      threads: () => threadReadings(threads()),
      disk: () => readDisk(settings.DATA_DIR),
      registry: () =>
        registryReadings({
          info: registry.current?.info,
          isFindable: companies.isFindable,
          isBehind: isBehind(),
        }),
      health: async () => {
        const [told, { isReady }] = await Promise.all([health(), readiness()]);
        return healthReadings(told, isReady && threads().listening > 0);
      },
      upstreams: () =>
        breakerReadings([
          ...vies.shown().map((one) => ({ upstream: "vies" as const, ...one })),
          ...(live?.breakers() ?? []).map((one) => ({ upstream: "kvk" as const, ...one })),
        ]),
      budget: async () =>
        live === undefined ? [] : budgetReadings(await paidCallsToday(settings, parts.state.live)),
      accounts: () => accountReadings(allowances.counts),
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
