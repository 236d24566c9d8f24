import { afterAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const [ONE, OTHER, THIRD] = ["60000001", "60000002", "60000003"];
const AT_ONCE = 12;

/** The mark of the suppression list changes with each change, so a service knows when to read the list again. */
export function suppressionMarks(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  let marks: string[];
  const opened: StoreFixture[] = [];
  const look = async () => marks.push(await store.suppressed.suppressionMark());
  async function forget(kvkNumber: string, forgottenAtMs: number, ...vatNumbers: string[]): Promise<void> {
    await store.suppressed.forget({ kvkNumber, vatNumbers, forgottenAtMs });
    await look();
  }
  async function undo(kvkNumber: string): Promise<void> {
    expect(await store.suppressed.undoForget(kvkNumber)).toBe(true);
    await look();
  }

  beforeEach(async () => {
    fixture = new StoreFixture(open, NOW);
    opened.push(fixture);
    store = await fixture.connect();
    marks = [];
    await look();
  });
  afterAll(() => Promise.all(opened.map((each) => each.close())));

  it("changes with a VAT number of a forgotten company, even if another node's clock was ahead", async () => {
    await forget(ONE, 1_000);
    await forget(OTHER, 2_000_000);
    await forget(ONE, 3_000, "NL000000001B01");
    await forget(ONE, 3_000, "NL000000002B01");
    await forget(OTHER, 3_000, "NL000000003B01");
    expect(new Set(marks).size).toBe(marks.length);
  });

  it("does not return to an earlier value when one entry is removed and another added", async () => {
    await forget(ONE, 2_000_000);
    await forget(OTHER, 3_000);
    await undo(OTHER);
    await forget(THIRD, 3_000);
    await undo(THIRD);
    await forget(OTHER, 3_000);
    await forget(THIRD, 3_000);
    await undo(OTHER);
    await undo(THIRD);
    await forget(OTHER, 3_000);
    expect(new Set(marks).size).toBe(marks.length);
  });

  it("does not change the times of other entries when one added by a wrong clock is removed", async () => {
    await forget(ONE, 1_000);
    await forget(OTHER, 2_000_000);
    await undo(OTHER);
    expect(await store.suppressed.suppressedCompanies()).toMatchObject([{ forgottenAtMs: 1_000 }]);
  });

  it("changes with each of many concurrent additions", async () => {
    const pending = Array.from({ length: AT_ONCE }, (_, nth) =>
      store.suppressed.forget({
        kvkNumber: `${70_000_000 + nth}`,
        vatNumbers: [],
        forgottenAtMs: 1_000,
      }),
    );
    await Promise.all(pending);
    const all = await store.suppressed.suppressedCompanies();
    expect(new Set(all.map(({ forgottenAtMs }) => forgottenAtMs)).size).toBe(AT_ONCE);
  });
}
