/** For tests: companies of one import, their monitors and their events. */

import type { StateStore } from "../../src/app/state/stateStore.ts";
import type { SourcedFacts } from "../../src/company/facts.ts";
import { type KvkNumber, kvkNumberOf } from "../../src/contract/numbers.ts";
import { DEFAULT_TIERS } from "../../src/contract/tiers.ts";
import { Monitors, type MonitorsParts } from "../../src/monitors/monitors.ts";
import { Observer } from "../../src/monitors/observer.ts";
import type { MonitorOwner, StoredEvent } from "../../src/monitors/stored.ts";
import { openCurrentSnapshot } from "../../src/registry/openSnapshot.ts";
import { registryDirectory } from "../../src/registry/paths.ts";
import type { TestAccount, World } from "../kit/world.ts";
import { PLENTY } from "../kit/world.ts";

const ADDED_AT_ONCE = 1_000;
const READ_AT_ONCE = 1_000;
const FIRST_DAY_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

export const numberedCompanies = (count: number): readonly KvkNumber[] =>
  Array.from({ length: count }, (_, nth) => kvkNumberOf(60_000_000 + nth));

/** The companies in a version of the import: each has another name in each. */
export function* version(nth: number, companies: readonly KvkNumber[]): Generator<SourcedFacts> {
  const asOf = new Date(FIRST_DAY_MS + nth * DAY_MS).toISOString();
  for (const kvkNumber of companies) {
    const facts = { kvkNumber, name: nameIn(nth, kvkNumber), isActive: true };
    yield { origin: "import:fabel", asOf, facts };
  }
}

export const nameIn = (nth: number, kvkNumber: KvkNumber): string => `Fabel ${kvkNumber} ${nth}`;

export const ownerOf = ({ id, keys }: TestAccount): MonitorOwner => ({
  accountId: id,
  keyId: keys[0]?.id ?? "",
});

/** Parts of monitors that do not add or deliver anything. */
export const NO_SERVICE: Pick<MonitorsParts, "companies" | "service" | "webhookNetworks"> = {
  companies: { fromStore: async () => [], hasLiveSource: false, hasSnapshot: true },
  service: {
    sources: () => [],
    retentionDays: 90,
    liveFigures: async () => ({ companies: 0, answeredAtMs: {} }),
  },
  webhookNetworks: [],
};

/** Adds monitors as a service with the current registry does. */
export async function monitorAll(
  state: StateStore,
  { dataDir }: World,
  owner: MonitorOwner,
  companies: readonly KvkNumber[],
): Promise<void> {
  const snapshot = openCurrentSnapshot(registryDirectory(dataDir));
  const suppressed = new Set<string>();
  const observer = new Observer({
    store: state.monitors,
    registry: { current: snapshot },
    live: state.live,
    suppressed,
    now: Date.now,
  });
  const monitors = new Monitors({
    store: state.monitors,
    observer,
    tiers: { ...DEFAULT_TIERS, plenty: PLENTY },
    suppressed,
    ...NO_SERVICE,
  });
  for (let from = 0; from < companies.length; from += ADDED_AT_ONCE) {
    const some = companies.slice(from, from + ADDED_AT_ONCE);
    const added = await monitors.add({ ...owner, tierName: "plenty" }, some, {});
    if (typeof added === "string" || added.some((one) => !("monitor" in one))) {
      throw new Error("some companies cannot be monitored");
    }
  }
  snapshot?.close();
}

/** The events of an account after a place in its sequence, in their order. */
export async function eventsAfter(
  { monitors }: StateStore,
  owner: MonitorOwner,
  after = 0,
): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (;;) {
    const page = await monitors.events(owner, events.at(-1)?.sequence ?? after, READ_AT_ONCE, {});
    if ("expired" in page) throw new Error("events were deleted");
    if (page.events.length === 0) return events;
    events.push(...page.events);
  }
}
