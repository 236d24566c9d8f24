import { expect, it } from "vitest";
import type { Steps } from "../lib/steps.ts";
import { workQueue } from "./workQueue.ts";

/** Longer than other work may have to wait for its turn. */
const STEP_MS = 8;

function* slowSteps(count: number, done: string[], name: string): Steps<string> {
  for (let nth = 0; nth < count; nth++) {
    const endMs = performance.now() + STEP_MS;
    while (performance.now() < endMs);
    done.push(name);
    yield;
  }
  return name;
}

it("steps of several match calls alternate, and other work waits for one of them at most", async () => {
  const done: string[] = [];
  const matches = ["a", "b", "c"].map((name) => workQueue.finishOneByOne(slowSteps(4, done, name)));
  const others = (async () => {
    for (let nth = 0; nth < 5; nth++) await workQueue.run(() => done.push("other"));
  })();
  expect(await Promise.all(matches)).toEqual(["a", "b", "c"]);
  await others;
  expect(done.filter((name) => name !== "other").join("")).toBe("abcabcabcabc");
  expect(done.slice(0, 9)).toEqual(["other", "a", "other", "b", "other", "c", "other", "a", "other"]);
});

it("an error in a step ends its own match call alone", async () => {
  const failing = (function* (): Steps<string> {
    yield;
    throw new Error("failed");
  })();
  const done: string[] = [];
  const [first, second] = await Promise.allSettled([
    workQueue.finishOneByOne(failing),
    workQueue.finishOneByOne(slowSteps(2, done, "a")),
  ]);
  expect([first?.status, second?.status]).toEqual(["rejected", "fulfilled"]);
});
