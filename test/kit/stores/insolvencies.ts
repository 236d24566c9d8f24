import { beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { courtCase, kvkNumberOf, type ModelCourt } from "../modelCourt.ts";
import { courtStage } from "./courtStage.ts";
import type { OpenStore } from "./fixture.ts";

const DAY_MS = 86_400_000;
const [A, B] = [kvkNumberOf(1), kvkNumberOf(2)];

/** The replica of the court's register: what is loaded, removed and forgotten. */
export function insolvencies(open: OpenStore): void {
  const stage = courtStage(open);
  let store: StateStore;
  let court: ModelCourt;
  let suppressed: Set<string>;
  beforeEach(() => {
    ({ store, court, suppressed } = stage);
  });
  const { step, run, nextDay, inMemory, stored, forget } = stage;

  it("loads every case, then asks for what has changed and been removed since the court's own date", async () => {
    court.put(courtCase(1));
    court.put(courtCase(2, { kvkNumbers: [] }));
    court.putPrivate("R.16/26/9 mne", "16.mne.26.9.R.2100.1.26");
    expect((await inMemory()).currency).toBeUndefined();
    expect(await run()).toEqual({ kind: "done" });
    expect(await stored()).toEqual(court.cases);
    const replica = await inMemory();
    expect(replica.currency).toEqual({ isCurrent: true, observedAtMs: court.nowMs });
    expect(replica.casesOf(A).map(({ caseNumber, curators }) => [caseNumber, curators.length])).toEqual([
      ["F.16/26/1", 1],
    ]);
    expect(replica.unplaced.map(({ addresses }) => addresses)).toEqual([
      [{ postalCode: "1234AB", houseNumber: "2" }],
    ]);
    expect([...replica.insolvent]).toEqual([A]);
    court.calls.length = 0;
    await nextDay();
    const since = "2026-06-01T04:30:00.0005393+02:00";
    expect(court.calls).toEqual([`modified ${since}`, `removed ${since}`]);
    expect((await store.court.courtProgress())?.completeAtMs).toBe(court.nowMs);
  });

  it("replaces a case, and notes its old and new numbers", async () => {
    court.put(courtCase(1));
    court.put(courtCase(3));
    await run();
    court.nowMs += 1;
    court.put(courtCase(1, { kvkNumbers: [B], curators: [] }));
    await nextDay();
    const replica = await inMemory();
    expect(replica.casesOf(A)).toEqual([]);
    expect(replica.casesOf(B).map(({ curators }) => curators)).toEqual([[]]);
    court.nowMs += 1;
    court.putPrivate("F.16/26/1 mne", courtCase(1).publication);
    await nextDay();
    expect((await stored()).map(({ id }) => id)).toEqual([courtCase(3).id]);
  });

  it("is not current until every case of the last list is stored, and no failed case blocks the others or the next list", async () => {
    court.put(courtCase(1));
    await run();
    court.nowMs += 1;
    for (const number of [1, 2, 3, 4]) court.put(courtCase(number, { names: ["Fabel Anders B.V."] }));
    court.failing.add(courtCase(2).publication);
    court.nowMs += DAY_MS;
    expect(await run()).toEqual({ kind: "failed", reason: "the court is down" });
    let replica = await inMemory();
    expect(replica.currency?.isCurrent).toBe(false);
    expect(replica.casesOf(kvkNumberOf(4))).toHaveLength(1);
    court.nowMs += 1;
    court.put(courtCase(5));
    court.nowMs += DAY_MS;
    expect((await run()).kind).toBe("failed");
    replica = await inMemory();
    expect(replica.casesOf(kvkNumberOf(5))).toHaveLength(1);
    expect(replica.currency?.isCurrent).toBe(false);
    court.failing.clear();
    expect(await run(false)).toEqual({ kind: "done" });
    expect((await inMemory()).currency?.isCurrent).toBe(true);
  });

  it("loads everything again when the court's history has expired, without `none` meanwhile, and removes what it no longer finds", async () => {
    for (const number of [1, 2, 3]) court.put(courtCase(number));
    await run();
    court.nowMs += 1;
    court.remove(courtCase(1).id);
    court.nowMs += 40 * DAY_MS;
    court.historyFromMs = court.nowMs - DAY_MS;
    expect(await step(true)).toEqual({ kind: "working" });
    let replica = await inMemory();
    expect([replica.currency?.isCurrent, replica.casesOf(A).length]).toEqual([false, 1]);
    expect(await run(false)).toEqual({ kind: "done" });
    replica = await inMemory();
    expect([replica.currency?.isCurrent, replica.casesOf(A).length]).toEqual([true, 0]);
    expect((await stored()).map(({ id }) => id)).toEqual([courtCase(2).id, courtCase(3).id]);
  });

  it("deletes a case six months after its end by the court's clock, and reduces that of a sole trader until the next run", async () => {
    court.put(courtCase(1));
    court.put(courtCase(2, { isLegalPerson: false }));
    court.put(courtCase(3));
    await run();
    court.nowMs += 1;
    court.put(courtCase(1, { endedOn: "2026-06-01" }));
    court.put(courtCase(2, { isLegalPerson: false, endedOn: "2026-06-01" }));
    court.put(courtCase(4, { isLegalPerson: false, endedOn: "2026-06-01" }));
    court.put(courtCase(5, { endedOn: "2025-11-20" }));
    await nextDay();
    const reduced = (await stored()).find(({ id }) => id === courtCase(2).id);
    expect(reduced).toMatchObject({
      kvkNumbers: [B],
      endedOn: "2026-06-01",
      names: [],
      addresses: [],
      curators: [],
    });
    expect((await stored()).map(({ id }) => id)).toEqual([1, 2, 3].map((number) => courtCase(number).id));
    expect([...(await inMemory()).insolvent]).toEqual([kvkNumberOf(3)]);
    await nextDay();
    expect((await stored()).map(({ id }) => id)).toEqual([1, 3].map((number) => courtCase(number).id));
    await nextDay(181);
    expect(court.day).toBe("2026-12-01");
    expect((await stored()).map(({ id }) => id)).toEqual([courtCase(3).id]);
  });

  it("deletes a case six months after its end while another one gets no answer", async () => {
    court.put(courtCase(1, { endedOn: "2026-06-01" }));
    court.put(courtCase(2));
    await run();
    court.nowMs += 1;
    court.put(courtCase(2));
    court.failing.add(courtCase(2).publication);
    court.nowMs += 183 * DAY_MS;
    expect((await run()).kind).toBe("failed");
    expect((await stored()).map(({ id }) => id)).toEqual([courtCase(2).id]);
    expect((await inMemory()).currency?.isCurrent).toBe(false);
  });

  it("shows no case after its time of publication, and permits no `none` while it has no end", async () => {
    court.put(courtCase(1, { visibleUntil: "2026-06-01" }));
    court.put(courtCase(2, { visibleUntil: "2026-06-01", endedOn: "2026-05-01" }));
    await run();
    expect((await inMemory()).casesOf(A)).toMatchObject([{ since: "2026-01-05" }]);
    await nextDay();
    const replica = await inMemory();
    expect(replica.casesOf(A).map(({ since }) => since)).toEqual([undefined]);
    expect(replica.casesOf(B)).toEqual([]);
    expect([...replica.insolvent]).toEqual([]);
  });

  it("deletes nothing when a clock jumps, and takes no list of another time", async () => {
    court.put(courtCase(1, { endedOn: "2026-05-20", visibleUntil: "2026-12-20" }));
    court.put(courtCase(2));
    await run();
    const before = await stored();
    const [now, jumps] = [court.nowMs, [-3_650, -3, 2, 3_650].map((days) => days * DAY_MS)];
    for (const jumpMs of jumps) {
      court.extractedAt = new Date(now + DAY_MS + jumpMs).toISOString();
      court.nowMs = now + DAY_MS;
      expect(await step(true), String(jumpMs)).toMatchObject({ kind: "failed", reason: /clock/ });
      court.extractedAt = undefined;
      const replica = await inMemory();
      court.nowMs = now + 4 * jumpMs;
      expect(replica.currency?.isCurrent, String(jumpMs)).toBe(false);
      expect(replica.casesOf(A)).toHaveLength(1);
    }
    expect(await stored()).toEqual(before);
  });

  it("forgets a company: its cases are deleted, and never stored again", async () => {
    court.put(courtCase(1));
    court.put(courtCase(2, { kvkNumbers: [A, B] }));
    court.put(courtCase(3));
    await run();
    await forget(A);
    suppressed.add(A);
    expect((await stored()).map(({ id, kvkNumbers }) => [id, kvkNumbers])).toEqual([
      [courtCase(2).id, [B]],
      [courtCase(3).id, [kvkNumberOf(3)]],
    ]);
    court.nowMs += 1;
    court.put(courtCase(1, { names: ["Fabel Anders B.V."] }));
    await nextDay();
    expect(JSON.stringify(await stored())).not.toContain(A);
    expect((await inMemory()).casesOf(A)).toEqual([]);
  });

  it("cannot say that a company has no case after it was forgotten and allowed again, until all cases are loaded again", async () => {
    court.put(courtCase(1));
    await run();
    await forget(A);
    await store.suppressed.undoForget(A);
    expect((await inMemory()).currency?.isCurrent).toBe(false);
    await nextDay();
    const replica = await inMemory();
    expect([replica.currency?.isCurrent, replica.casesOf(A).length]).toEqual([true, 1]);
  });
}
