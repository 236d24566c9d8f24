import { beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { courtCase, kvkNumberOf, type ModelCourt } from "../modelCourt.ts";
import { courtStage } from "./courtStage.ts";
import type { OpenStore, StoreFixture } from "./fixture.ts";

const DAY_MS = 86_400_000;
const [A, B] = [kvkNumberOf(1), kvkNumberOf(2)];

/** Lists of the court that remove cases, or whose dates are not in order. */
export function courtRemovals(open: OpenStore): void {
  const stage = courtStage(open);
  let fixture: StoreFixture;
  let store: StateStore;
  let court: ModelCourt;
  beforeEach(() => {
    ({ fixture, store, court } = stage);
  });
  const { step, run, nextDay, inMemory, stored } = stage;

  it("keeps a case that was removed and published again between two lists", async () => {
    court.put(courtCase(1));
    court.put(courtCase(2));
    await run();
    court.nowMs += 1;
    court.remove(courtCase(1).id);
    court.nowMs += 1;
    court.put(courtCase(1));
    await nextDay();
    expect((await inMemory()).casesOf(A)).toMatchObject([{ since: "2026-01-05" }]);
    expect(await store.removedCases.removalsToErase(10)).toEqual([]);
  });

  it("deletes no case of another court that has the number of a removed one", async () => {
    const [own, other] = ["utr", "haa"].map((letters, nth) => {
      const publication = `${letters}.09.150.F.1300.1.09`;
      const names = { caseNumber: "F.09/150", publication, publications: [publication] };
      return courtCase(nth + 1, { id: `F.09/150 ${letters}`, ...names });
    });
    if (own === undefined || other === undefined) throw new Error("there are two cases");
    court.put(own);
    court.putPrivate(other.id, other.publication);
    await run();
    court.nowMs += 1;
    court.remove(other.id);
    await nextDay();
    expect((await inMemory()).casesOf(A)).toHaveLength(1);
    court.nowMs += 1;
    court.remove(own.id);
    await nextDay();
    expect((await inMemory()).casesOf(A)).toEqual([]);
  });

  it("deletes a case that a removal names by its number and the reference of an earlier court", async () => {
    court.put(courtCase(1));
    court.put(courtCase(2));
    await run();
    court.nowMs += 1;
    court.remove(courtCase(1).id, "Eindevindbaarheid", "16.utr.26.1.F.1300.1.26");
    await nextDay();
    expect((await stored()).map(({ id }) => id)).toEqual([courtCase(2).id]);
    court.nowMs += 1;
    court.put(courtCase(3));
    court.nowMs += DAY_MS;
    court.onCall = (call) => {
      if (call !== `case ${courtCase(3).publication}`) return;
      court.onCall = () => {};
      court.nowMs += 1;
      court.remove(courtCase(3).id, "Eindevindbaarheid", "16.utr.26.3.F.1300.1.26");
    };
    expect((await run()).kind).toBe("failed");
    expect(await run(false)).toEqual({ kind: "done" });
  });

  it("keeps a case of which the court has removed the reference of an earlier court only", async () => {
    const earlier = "16.utr.26.1.F.1300.1.26";
    const moved = courtCase(1, { publications: [earlier, courtCase(1).publication] });
    court.put(moved);
    court.put(courtCase(2));
    await run();
    court.nowMs += 1;
    court.remove(moved.id, "Correctie", earlier);
    court.nowMs -= DAY_MS;
    court.put(moved);
    await nextDay(2);
    expect((await inMemory()).casesOf(A)).toHaveLength(1);
  });

  it("fetches what a list names that has the date of the last one, or an earlier one", async () => {
    court.put(courtCase(1));
    await run();
    const first = court.nowMs;
    for (const [number, earlierMs] of [
      [2, 0],
      [3, 5_000],
    ] as const) {
      court.nowMs = first + number;
      court.put(courtCase(number));
      court.extractedAt = new Date(first - earlierMs).toISOString();
      expect(await step(true)).toEqual({ kind: "working" });
      expect((await inMemory()).currency?.isCurrent).toBe(false);
      expect(await run(false)).toEqual({ kind: "done" });
      const replica = await inMemory();
      expect([replica.currency?.isCurrent, replica.size]).toEqual([true, number]);
    }
  });

  it("removes nothing that a list with an earlier date names during a full load", async () => {
    court.put(courtCase(1));
    court.put(courtCase(2));
    expect(await step(true)).toEqual({ kind: "working" });
    court.extractedAt = new Date(court.nowMs - 5_000).toISOString();
    expect(await run()).toEqual({ kind: "done" });
    expect(await stored()).toEqual(court.cases);
  });

  it("hides too many removals and permits no `none` for them, until they are allowed", async () => {
    for (let number = 1; number <= 40; number++)
      court.put(courtCase(number, number === 40 ? { kvkNumbers: [] } : {}));
    await run();
    court.nowMs += 1;
    for (let number = 1; number <= 21; number++) court.remove(courtCase(number).id);
    await nextDay();
    expect(await stored()).toHaveLength(40);
    let replica = await inMemory();
    expect(replica.currency?.isCurrent).toBe(true);
    expect([replica.insolvent.size, replica.uncertain.size, replica.unplaced.length]).toEqual([18, 21, 1]);
    const [hidden] = replica.casesOf(A);
    expect(hidden).toMatchObject({ caseNumber: "F.16/26/1", curators: [] });
    expect(hidden).not.toHaveProperty("since");
    // One of them is published again: it is shown.
    court.nowMs += 1;
    court.put(courtCase(1));
    await nextDay();
    expect((await inMemory()).casesOf(A)).toMatchObject([{ since: "2026-01-05" }]);
    expect(await store.court.deleteHeld()).toBe(20);
    replica = await inMemory();
    expect(replica.casesOf(B)).toEqual([]);
    expect(await stored()).toHaveLength(20);
    expect((await store.court.courtProgress())?.held).toEqual([]);
    // Twenty need no permission, however large a part of all.
    court.nowMs += 1;
    for (const { id } of court.cases.slice(0, 20)) court.remove(id);
    await nextDay();
    expect(await stored()).toEqual([]);
  });

  it("notes a removed case for erasing, unless the court publishes it again", async () => {
    court.put(courtCase(1));
    court.put(courtCase(2));
    await run();
    court.nowMs += 1;
    court.remove(courtCase(1).id);
    await nextDay();
    const noted = () => store.removedCases.removalsToErase(10);
    fixture.nowMs += DAY_MS;
    expect(await noted()).toMatchObject([{ caseNumber: "F.16/26/1", kvkNumber: A }]);
    court.nowMs += 1;
    court.put(courtCase(1));
    await nextDay();
    expect(await noted()).toEqual([]);
  });

  it("believes that there is no case only if the court has removed it", async () => {
    court.put(courtCase(1));
    court.put(courtCase(2));
    await run();
    court.nowMs += 1;
    court.put(courtCase(2, { court: "Rechtbank Rommeldam" }));
    court.nowMs += DAY_MS;
    // Removed after the list of changes was made.
    court.onCall = (call) => {
      if (call !== `case ${courtCase(2).publication}`) return;
      court.onCall = () => {};
      court.nowMs += 1;
      court.remove(courtCase(2).id);
    };
    expect((await run()).kind).toBe("failed");
    expect((await inMemory()).currency?.isCurrent).toBe(false);
    expect(await run(false)).toEqual({ kind: "done" });
    expect((await stored()).map(({ id }) => id)).toEqual([courtCase(1).id]);
  });
}
