import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Steps } from "../lib/steps.ts";
import { MeterOverloaded } from "../metering/meter.ts";
import { Turns } from "./turns.ts";

it("does so much and no more: what comes on top is the overload that operators are told of", async () => {
  const turns = new Turns();
  const done = Promise.withResolvers<string>();
  const underWay = Array.from({ length: 1_000 }, () => turns.run(() => done.promise));
  await expect(turns.run(() => "more")).rejects.toThrow(MeterOverloaded);
  done.resolve("done");
  expect(new Set(await Promise.all(underWay))).toEqual(new Set(["done"]));
  expect(await turns.run(() => "again")).toBe("again");
});

describe("a first step", () => {
  function* steps(work: () => void): Steps<string> {
    work();
    yield;
    return "done";
  }

  it("is done at once, until those of this turn took their share; the others wait for a turn of their own", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const turns = new Turns();
    const begun: number[] = [];
    const first = (nth: number) =>
      turns.first(
        steps(() => {
          begun.push(nth);
          vi.advanceTimersByTime(2);
        }),
      );
    const all = [1, 2, 3, 4, 5].map(first);
    expect(begun).toEqual([1, 2, 3]);
    expect(all.map((one) => one instanceof Promise)).toEqual([false, false, false, true, true]);
    expect(await Promise.all(all)).toEqual(Array(5).fill({ done: false, value: undefined }));
    expect(begun).toEqual([1, 2, 3, 4, 5]);
    await nextTurn();
    expect(first(6) instanceof Promise).toBe(false);
  });

  it("that throws has thrown by then, and takes its share too", () => {
    const turns = new Turns();
    const failing = steps(() => {
      throw new RangeError("broken");
    });
    expect(() => turns.first(failing)).toThrow("broken");
  });

  it("is refused as overload when too many wait", async () => {
    const turns = new Turns();
    const underWay = Array.from({ length: 1_000 }, () => turns.run(() => "done"));
    expect(() => turns.first(steps(() => {}))).toThrow(MeterOverloaded);
    await Promise.all(underWay);
  });
});
