import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { withTimeout } from "./deadline.ts";
import { SingleFlight } from "./singleFlight.ts";

it("serves all callers while it is in progress, and the next caller starts again", async () => {
  const flights = new SingleFlight<string>();
  const gates: PromiseWithResolvers<string>[] = [];
  const run = (name: string) =>
    flights.run(name, () => {
      const gate = Promise.withResolvers<string>();
      gates.push(gate);
      return gate.promise;
    });
  const all = Array.from({ length: 100 }, () => run("a"));
  const other = run("b");
  expect(gates).toHaveLength(2);
  expect(flights.inProgress("a")).toBe(all[0]);
  gates[0]?.resolve("one");
  gates[1]?.resolve("two");
  expect(new Set(await Promise.all(all))).toEqual(new Set(["one"]));
  expect(await other).toBe("two");
  expect(flights.inProgress("a")).toBeUndefined();
  void run("a");
  expect(gates).toHaveLength(3);
});

it("ends after all callers have left, without an unhandled rejection", async () => {
  const flights = new SingleFlight<string>();
  const gate = Promise.withResolvers<void>();
  let isDone = false;
  const work = async () => {
    await gate.promise;
    isDone = true;
    return "late";
  };
  expect(await withTimeout(1, flights.run("a", work))).toBeUndefined();
  gate.resolve();
  await turn();
  expect(isDone).toBe(true);
  const failing = Promise.withResolvers<string>();
  const failed = flights.run("a", () => failing.promise);
  expect(await withTimeout(1, failed)).toBeUndefined();
  failing.reject(new Error("late failure"));
  await turn();
  expect(flights.inProgress("a")).toBeUndefined();
});

it("fails for each caller, and the next one starts again", async () => {
  const flights = new SingleFlight<string>();
  const fail = () => Promise.reject(new Error("away"));
  const outcomes = await Promise.allSettled([flights.run("a", fail), flights.run("a", fail)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await flights.run("a", async () => "kept")).toBe("kept");
});
