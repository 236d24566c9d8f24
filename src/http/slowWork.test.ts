import { expect, it } from "vitest";
import { MeterOverloaded } from "../metering/meter.ts";
import { SlowWork } from "./slowWork.ts";

it("does so much and no more: what comes on top is the overload that operators are told of", async () => {
  const slow = new SlowWork();
  const done = Promise.withResolvers<string>();
  const underWay = Array.from({ length: 1_000 }, () => slow.run(() => done.promise));
  await expect(slow.run(() => "more")).rejects.toThrow(MeterOverloaded);
  done.resolve("done");
  expect(new Set(await Promise.all(underWay))).toEqual(new Set(["done"]));
  expect(await slow.run(() => "again")).toBe("again");
});
