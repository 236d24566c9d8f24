import { afterAll, beforeAll, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { CompanyFacts, SourcedFacts } from "../../../src/company/facts.ts";
import { NOTHING_SUPPRESSED } from "../../../src/lookup/suppression/suppressed.ts";
import { Observer } from "../../../src/monitors/observer.ts";
import { importFacts } from "../../../src/registry/importFacts.ts";
import { current, temporaryFolder } from "../registry.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";
import { monitor, newCompanies, newOwner } from "./monitorFixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";

/** Monitored companies whose activities are imported in both versions of the SBI. */
export function monitoredActivities(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  beforeAll(async () => {
    fixture = new StoreFixture(open, NOW);
    store = await fixture.connect();
  });
  afterAll(() => fixture.close());

  it("change with an imported code, but not with the version of the codes", async () => {
    const directory = temporaryFolder();
    const kvkNumbers = newCompanies(1);
    await monitor(store, await newOwner(fixture, store), kvkNumbers);
    const observer = new Observer({
      store: store.monitors,
      registry: {
        get current() {
          return current(directory);
        },
      },
      live: undefined,
      suppressed: NOTHING_SUPPRESSED,
      now: () => fixture.nowMs,
    });
    const imported = async (day: string, ...sbiCodes: string[]) => {
      const facts = kvkNumbers.map((kvkNumber): SourcedFacts => {
        const activities = sbiCodes.map((sbiCode, nth) => ({ sbiCode, isMain: nth === 0 }));
        const stated: CompanyFacts = { kvkNumber, name: "Fabel B.V.", isActive: true, activities };
        return { origin: "import:crm", asOf: `${day}T00:00:00.000Z`, facts: stated };
      });
      await importFacts(directory, facts, { replace: true });
      return (await observer.observe(kvkNumbers)).changes;
    };
    expect(await imported("2026-01-01", "1071", "01241")).toBe(0);
    expect(await imported("2026-02-01", "10710", "56210")).toBe(0);
    expect(await imported("2026-03-01", "10710", "56210")).toBe(0);
    expect(await imported("2026-04-01", "10710")).toBe(1);
    expect(await imported("2026-04-02", "1071")).toBe(0);
  });
}
