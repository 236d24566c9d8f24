import { afterAll, beforeAll, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";

const MINUTE_MS = 60_000;

/** The nodes that use a state, by version. */
export function nodesOfState(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  beforeAll(async () => {
    fixture = new StoreFixture(open, "2026-03-15T12:00:30.000Z");
    store = await fixture.connect();
  });
  afterAll(() => fixture.close());

  it("are counted by version while they are seen, and not once they stop, disappear or come from a wrong clock", async () => {
    const { nodes } = store;
    await nodes.nodeSeen("a", "1.1.0");
    await nodes.nodeSeen("b", "1.2.0");
    await nodes.nodeSeen("c", "1.2.0");
    const mixed = [
      { version: "1.1.0", nodes: 1 },
      { version: "1.2.0", nodes: 2 },
    ];
    expect(await nodes.nodeVersions()).toEqual(mixed);
    expect(await (await fixture.connect()).nodes.nodeVersions()).toEqual(mixed);
    await nodes.nodeSeen("a", "1.2.0");
    await nodes.nodeStopped("c");
    expect(await nodes.nodeVersions()).toEqual([{ version: "1.2.0", nodes: 2 }]);
    fixture.nowMs += 2 * MINUTE_MS;
    await nodes.nodeSeen("b", "1.2.0");
    fixture.nowMs += 2 * MINUTE_MS;
    expect(await nodes.nodeVersions()).toEqual([{ version: "1.2.0", nodes: 1 }]);
    await nodes.nodeSeen("ahead", "1.3.0");
    fixture.nowMs -= 60 * MINUTE_MS;
    expect(await nodes.nodeVersions()).toEqual([]);
    // Deletes every node of another time.
    await nodes.nodeSeen("a", "1.1.0");
    fixture.nowMs += 60 * MINUTE_MS;
    expect(await nodes.nodeVersions()).toEqual([]);
  });
}
