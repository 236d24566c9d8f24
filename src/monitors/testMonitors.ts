import { CHANGE_TYPES, CHANGES, type ChangeType, USUAL_CHANGE_TYPES } from "../contract/eventTypes.ts";
import { Companies } from "../lookup/companies.ts";
import { TEST_COMPANIES } from "../lookup/sandbox/companies.ts";
import { testRegistry } from "../lookup/sandbox/sources.ts";
import { NOTHING_SUPPRESSED } from "../lookup/suppression/suppressed.ts";
import { newEventId } from "./changeEvent.ts";
import { type MonitorReader, Monitors, type MonitorsParts } from "./monitors.ts";
import type { MonitorQueries } from "./queries.ts";
import { type SandboxEvent, TEST_ORIGIN } from "./stored.ts";

const NUMBERS = new Set(TEST_COMPANIES.map(({ facts }) => facts.kvkNumber));
/** The type of change of each company that changes. */
const TYPES = new Map<string, ChangeType>(CHANGE_TYPES.map((type) => [CHANGES[type].testNumber, type]));
/** More than the number of test companies, and so of test monitors. */
const ALL = 100;

type TestParts = Omit<MonitorsParts, "observer" | "suppressed" | "store" | "companies"> & {
  readonly store: MonitorsParts["store"] & Pick<MonitorQueries, "addSandboxEvents">;
};

/**
 * Monitors of test keys, which only know the test companies. Some of them change whenever a caller has read all events.
 */
export class TestMonitors extends Monitors {
  readonly #store: TestParts["store"];

  constructor(parts: TestParts) {
    const { store } = parts;
    super({
      ...parts,
      observer: {
        observe: async () => {},
        baselinesOf: async (kvkNumbers) =>
          kvkNumbers
            .filter((kvkNumber) => NUMBERS.has(kvkNumber))
            .map((kvkNumber) => ({ kvkNumber, origin: "", asOfMs: 0, serialMs: 0, format: 0, fields: {} })),
      },
      suppressed: NOTHING_SUPPRESSED,
      service: { ...parts.service, sources: () => [{ source: TEST_ORIGIN, reports: CHANGE_TYPES }] },
      companies: new Companies({ registry: testRegistry(), freshForMs: 0 }),
    });
    this.#store = store;
  }

  override async events(...args: Parameters<Monitors["events"]>): ReturnType<Monitors["events"]> {
    const [owner, after, limit, filter] = args;
    const page = await super.events(owner, after, limit, filter);
    const isFiltered = filter.kvkNumber !== undefined || filter.type !== undefined;
    // With a filter a caller could never reach the end.
    if ("expired" in page || page.events.length > 0 || isFiltered) return page;
    await this.#addChanges(owner);
    return super.events(owner, after, limit, filter);
  }

  /** Records a change of each monitored company that changes. */
  async #addChanges(owner: MonitorReader): Promise<void> {
    const { monitors } = await this.#store.monitors(owner, "", ALL);
    const events = monitors.flatMap(
      ({ id, kvkNumber, events: wanted = USUAL_CHANGE_TYPES }): SandboxEvent[] => {
        const type = TYPES.get(kvkNumber);
        if (type === undefined || !wanted.includes(type)) return [];
        const source = { origin: TEST_ORIGIN, asOfMs: Date.now() };
        return [{ id: newEventId(), monitorId: id, type, changes: CHANGES[type].example, source }];
      },
    );
    if (events.length > 0) await this.#store.addSandboxEvents(owner.accountId, events);
  }
}
