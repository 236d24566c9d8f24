import { beforeEach, expect, it } from "vitest";
import { KnownTabs } from "./knownTabs.ts";

let tabs: KnownTabs;
beforeEach(() => {
  tabs = new KnownTabs();
});

/** Grants batches until a tab is due. @returns how many it took */
function batchesUntilDue(keyId = "key"): number {
  for (let batches = 1; batches < 100_000; batches++) {
    if (tabs.isDue("acc", keyId)) return batches;
    tabs.granted("acc", keyId);
  }
  return 100_000;
}

it("opens a tab with the fourth batch that is granted with one key", () => {
  expect(batchesUntilDue()).toBe(4);
  expect(tabs.isOpen("acc")).toBe(false);
  tabs.opened("acc", "key");
  expect([tabs.isOpen("acc"), tabs.isOpen("acc", "key"), tabs.isOpen("acc", "other")]).toEqual([
    true,
    true,
    false,
  ]);
  expect([tabs.isDue("acc", "key"), tabs.isOpen("acc_2")]).toEqual([false, false]);
});

it("begins to count anew with another key, and with whatever else is asked of the account", () => {
  tabs.granted("acc", "key");
  tabs.granted("acc", "key");
  tabs.granted("acc", "key");
  tabs.granted("acc", "other");
  expect([tabs.isDue("acc", "key"), tabs.isDue("acc", "other")]).toEqual([false, false]);
  expect(batchesUntilDue("other")).toBe(3);
  tabs.interrupted("acc");
  expect(batchesUntilDue("other")).toBe(4);
});

it("waits twice as long for the next tab each time one was closed before it paid off, up to a bound", () => {
  const waits = Array.from({ length: 14 }, () => {
    const batches = batchesUntilDue();
    tabs.opened("acc", "key");
    tabs.charged("acc");
    tabs.closed("acc");
    return batches;
  });
  expect(waits.slice(0, 4)).toEqual([4, 8, 16, 32]);
  expect(waits.slice(-2)).toEqual([4_096, 4_096]);
  batchesUntilDue();
  tabs.opened("acc", "key");
  for (let charge = 0; charge < 64; charge++) tabs.charged("acc");
  tabs.closed("acc");
  expect(batchesUntilDue()).toBe(4);
});

it("takes a tab that another node has opened, for whichever key", () => {
  tabs.granted("acc", "key");
  tabs.opened("acc", "other");
  expect([tabs.isOpen("acc", "key"), tabs.isOpen("acc", "other")]).toEqual([false, true]);
  tabs.closed("acc");
  expect(tabs.isOpen("acc")).toBe(false);
});

it("waits twice as long each time the database opened no tab", () => {
  const waits = Array.from({ length: 3 }, () => {
    const batches = batchesUntilDue();
    tabs.notOpened("acc");
    return batches;
  });
  expect(waits).toEqual([4, 8, 16]);
  batchesUntilDue();
  tabs.opened("acc", "key");
  tabs.notOpened("acc");
  expect(tabs.isOpen("acc", "key")).toBe(true);
});
