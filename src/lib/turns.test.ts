import { expect, it, onTestFinished, vi } from "vitest";
import { type Turn, TurnLoop, type TurnLoopParts, type TurnStore } from "./turns.ts";

/** A store of one turn, in memory. */
class MemoryTurns implements Pick<TurnStore, "takeTurn" | "endTurn"> {
  readonly ended: { readonly cursor: string; readonly waitMs: number }[] = [];
  isTaken = false;
  #claim = 0;
  #cursor = "";

  async takeTurn(name: Turn["name"]): Promise<Turn | number> {
    if (this.isTaken) return 1;
    this.isTaken = true;
    this.#claim += 1;
    return { name, claim: this.#claim, cursor: this.#cursor };
  }

  async endTurn({ claim, cursor }: Turn, waitMs: number): Promise<boolean> {
    this.ended.push({ cursor, waitMs });
    this.#cursor = cursor;
    this.isTaken = false;
    return claim === this.#claim;
  }
}

function loopOver(store: MemoryTurns, parts: Partial<TurnLoopParts> = {}): TurnLoop {
  const loop = new TurnLoop({
    store,
    name: "signals",
    everyMs: 0,
    leaseMs: 1_000,
    pollEveryMs: 1,
    work: { run: async ({ cursor }) => ({ cursor: `${cursor}x`, waitMs: 0 }) },
    onError: () => {},
    ...parts,
  });
  onTestFinished(() => loop.close());
  return loop;
}

it("does one turn after the other, each with the cursor of the previous one", async () => {
  const store = new MemoryTurns();
  loopOver(store).nudge();
  await vi.waitFor(() => expect(store.ended.length).toBeGreaterThan(2));
  expect(store.ended.slice(0, 3).map(({ cursor }) => cursor)).toEqual(["x", "xx", "xxx"]);
});

it("keeps the cursor when a turn names no other", async () => {
  const store = new MemoryTurns();
  await store.endTurn({ name: "signals", claim: 0, cursor: "kept" }, 0);
  loopOver(store, { work: { run: async () => ({ waitMs: 5 }) } }).nudge();
  await vi.waitFor(() => expect(store.ended.length).toBeGreaterThan(1));
  expect(store.ended[1]).toEqual({ cursor: "kept", waitMs: 5 });
});

it("takes no turn while it is not ready", async () => {
  const store = new MemoryTurns();
  let isReady = false;
  const looks = vi.fn(() => isReady);
  loopOver(store, { isReady: looks }).nudge();
  await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(2));
  expect(store.ended).toEqual([]);
  isReady = true;
  await vi.waitFor(() => expect(store.ended.length).toBeGreaterThan(0));
});

it("ends the running turn when it is closed, and stores its cursor", async () => {
  const store = new MemoryTurns();
  const started = Promise.withResolvers<void>();
  const loop = loopOver(store, {
    work: {
      run: (_, ending) => {
        started.resolve();
        return new Promise((resolve) => {
          ending.addEventListener("abort", () => resolve({ cursor: "half", waitMs: 0 }));
        });
      },
    },
  });
  loop.nudge();
  await started.promise;
  await loop.close();
  expect(store.ended).toEqual([{ cursor: "half", waitMs: 0 }]);
});
