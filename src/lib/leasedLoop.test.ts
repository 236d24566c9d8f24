import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { LeasedLoop, type LeasedLoopOptions } from "./leasedLoop.ts";

interface Work {
  readonly name: string;
}

/** A loop over work in memory, which runs until it is released. */
class Loop extends LeasedLoop<Work> {
  readonly waiting: Work[] = [];
  readonly begun: string[] = [];
  readonly renewed: string[] = [];
  readonly held = new Map<string, PromiseWithResolvers<void>>();
  looks = 0;
  isDown = false;

  constructor(options: Partial<LeasedLoopOptions> = {}) {
    super({ onError: () => {}, ...options });
    onTestFinished(() => {
      for (const { resolve } of this.held.values()) resolve();
      return this.close();
    });
  }

  add(...names: readonly string[]): void {
    this.waiting.push(...names.map((name) => ({ name })));
    this.nudge();
  }

  protected override async claim(): Promise<Work | undefined> {
    this.looks += 1;
    if (this.isDown) throw new Error("the store is unavailable");
    return this.waiting.shift();
  }

  protected override async run({ name }: Work): Promise<void> {
    this.begun.push(name);
    if (name.startsWith("bad")) throw new Error(name);
    if (!name.startsWith("held")) return;
    const held = Promise.withResolvers<void>();
    this.held.set(name, held);
    await held.promise;
  }

  protected override async renew({ name }: Work): Promise<void> {
    this.renewed.push(name);
    throw new Error("the claim cannot be renewed");
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it("does all work at once when it is nudged, and finds later work by itself", async () => {
  const loop = new Loop();
  loop.add("a", "b", "c");
  await pass(0);
  expect(loop.begun).toEqual(["a", "b", "c"]);
  loop.waiting.push({ name: "d" });
  await pass(1_000);
  expect(loop.begun).toEqual(["a", "b", "c", "d"]);
});

it("finds work that is added while it looks", async () => {
  const loop = new Loop();
  loop.nudge();
  loop.add("a");
  await pass(0);
  expect(loop.begun).toEqual(["a"]);
});

it("runs no more at once than it may, and more when one ends", async () => {
  const loop = new Loop({ maxAtOnce: 2 });
  loop.add("held 1", "held 2", "held 3");
  await pass(60_000);
  expect(loop.begun).toEqual(["held 1", "held 2"]);
  loop.held.get("held 1")?.resolve();
  await pass(0);
  expect(loop.begun).toEqual(["held 1", "held 2", "held 3"]);
});

it("rests after work, so that another process may claim the next", async () => {
  const loop = new Loop({ restMs: 500 });
  loop.add("a", "b");
  await pass(499);
  expect(loop.begun).toEqual(["a"]);
  await pass(1);
  expect(loop.begun).toEqual(["a", "b"]);
});

it("renews a claim until its work ends, also after a failed renewal", async () => {
  const loop = new Loop({ renewEveryMs: 100 });
  loop.add("held");
  await pass(250);
  expect(loop.renewed).toEqual(["held", "held"]);
  loop.held.get("held")?.resolve();
  await pass(1_000);
  expect(loop.renewed).toEqual(["held", "held"]);
});

it("reports an outage once, pauses, and works afterwards", async () => {
  const onError = vi.fn();
  const loop = new Loop({ onError });
  loop.isDown = true;
  for (let second = 0; second < 60; second++) {
    loop.add("a");
    await pass(1_000);
  }
  expect(onError).toHaveBeenCalledTimes(1);
  expect(loop.looks).toBeLessThan(15);
  loop.isDown = false;
  await pass(5_000);
  expect(loop.begun).toHaveLength(60);
  loop.isDown = true;
  await pass(10_000);
  expect(onError).toHaveBeenCalledTimes(2);
});

it("reports failing work once until work succeeds", async () => {
  const errors: string[] = [];
  const loop = new Loop({ onError: (error) => errors.push(String(error)) });
  loop.add("bad 1", "bad 2", "good", "bad 3");
  await pass(60_000);
  expect(loop.begun).toEqual(["bad 1", "bad 2", "good", "bad 3"]);
  expect(errors).toEqual(["Error: bad 1", "Error: bad 3"]);
});

it("waits for work in progress when it is closed, and claims no more", async () => {
  const loop = new Loop();
  loop.add("held", "later");
  await pass(0);
  let isClosed = false;
  void loop.close().then(() => {
    isClosed = true;
  });
  await pass(5_000);
  expect(isClosed).toBe(false);
  loop.held.get("held")?.resolve();
  await pass(0);
  expect(isClosed).toBe(true);
  loop.nudge();
  await pass(60_000);
  expect(loop.begun).toEqual(["held"]);
});

it("waits no longer than it may when it is closed", async () => {
  const loop = new Loop({ closeWithinMs: 3_000 });
  loop.add("held");
  await pass(0);
  const closed = loop.close();
  await pass(3_000);
  await closed;
});

it("ends the claim of work that it got while it was closed", async () => {
  const loop = new Loop();
  loop.add("a");
  await loop.close();
  expect(loop.begun).toEqual(["a"]);
});
