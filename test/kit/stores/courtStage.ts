import { afterAll, beforeEach, expect } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { KvkNumber } from "../../../src/contract/numbers.ts";
import { CourtLoading, type CourtStep } from "../../../src/insolvency/loading.ts";
import { CourtReplica } from "../../../src/insolvency/replica.ts";
import { ModelCourt } from "../modelCourt.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";

const NOW = "2026-06-01T02:30:00.000Z";
const DAY_MS = 86_400_000;

/** A court and an empty state for each test of a suite, and the load of one into the other. */
export function courtStage(open: OpenStore) {
  let fixture: StoreFixture;
  let store: StateStore;
  let court: ModelCourt;
  let loading: CourtLoading;
  let suppressed: Set<string>;
  const fixtures: StoreFixture[] = [];

  beforeEach(async () => {
    fixture = new StoreFixture(open, NOW);
    fixtures.push(fixture);
    store = await fixture.connect();
    court = new ModelCourt(NOW);
    suppressed = new Set();
    loading = new CourtLoading({ court, store: store.court, paceMs: 0, now: () => court.nowMs });
  });
  afterAll(async () => {
    for (const one of fixtures) await one.close();
  });

  const step = (isNext = false, signal = new AbortController().signal) =>
    loading.step({ mayBegin: true, isNext, mayList: true, signal, forMs: 60_000 });

  /** A run until it ends or fails. */
  async function run(isNext = true): Promise<CourtStep> {
    for (let isFirst = isNext; ; ) {
      const done = await step(isFirst);
      if (done.kind !== "working") return done;
      isFirst = false;
    }
  }

  async function nextDay(days = 1): Promise<void> {
    court.nowMs += days * DAY_MS;
    fixture.nowMs = court.nowMs;
    expect(await run()).toEqual({ kind: "done" });
  }

  /** The cases as a process has them. */
  async function inMemory(): Promise<CourtReplica> {
    const replica = new CourtReplica({
      store: store.court,
      suppressed,
      now: () => court.nowMs,
      onError: (error) => expect(error).toBeUndefined(),
    });
    await replica.read();
    return replica;
  }

  const stored = async () => (await store.court.courtCases("", 1_000)).map(({ found }) => found);
  const forget = (kvkNumber: KvkNumber) =>
    store.suppressed.forget({ kvkNumber, vatNumbers: [], forgottenAtMs: court.nowMs });

  return {
    ...{ step, run, nextDay, inMemory, stored, forget },
    get fixture() {
      return fixture;
    },
    get store() {
      return store;
    },
    get court() {
      return court;
    },
    get suppressed() {
      return suppressed;
    },
  };
}
