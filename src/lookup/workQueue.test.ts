import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { MeterOverloaded } from "../metering/meter.ts";
import { WorkQueue } from "./workQueue.ts";

it("limits the waiting work: more is reported to operators as an overload", async () => {
  const turns = new WorkQueue();
  const done = Promise.withResolvers<string>();
  const inProgress = Array.from({ length: 1_000 }, () => turns.run(() => done.promise));
  await expect(turns.run(() => "more")).rejects.toThrow(MeterOverloaded);
  done.resolve("done");
  expect(new Set(await Promise.all(inProgress))).toEqual(new Set(["done"]));
  expect(await turns.run(() => "again")).toBe("again");
});

it("gives waiting work its share of each turn of the event loop, in order", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const turns = new WorkQueue();
  const begun: number[] = [];
  const all = [1, 2, 3, 4, 5].map((nth) =>
    turns.run(() => {
      begun.push(nth);
      vi.advanceTimersByTime(2);
    }),
  );
  expect(begun).toEqual([]);
  await nextTurn();
  expect(begun).toEqual([1, 2, 3]);
  await Promise.all(all);
  expect(begun).toEqual([1, 2, 3, 4, 5]);
});
