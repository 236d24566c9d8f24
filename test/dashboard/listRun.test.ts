/** How a list is looked up by jobs: once, over outages, pauses and reloads. */
import { describe, expect, it } from "vitest";
import { lockOf } from "../../dashboard/src/pages/try/list/job/lock.ts";
import { JobWorld, type Refusal } from "./support/jobWorld.ts";

const numbersOf = (count: number) => Array.from({ length: count }, (_, index) => String(50_000_001 + index));

describe("a list", () => {
  it("is one job, whose results are kept in the browser before it is deleted at the service", async () => {
    const world = new JobWorld();
    const run = await world.open(numbersOf(10_000));
    expect(run.state()).toMatchObject({
      phase: "done",
      done: 10_000,
      found: 9_999,
      notFound: 1,
      isKept: true,
    });
    expect(world.charged).toBe(9_999);
    expect(world.kept?.answers).toHaveLength(10_000);
    expect(world.kept).not.toHaveProperty("sent");
    expect(world.jobs.size).toBe(0);
  });

  it("that its plan has no room for says so, and has not cost anything", async () => {
    const world = new JobWorld();
    world.room = 0;
    const run = await world.open(numbersOf(3_300));
    expect(run.state()).toMatchObject({ phase: "stopped", stopped: "forbidden", done: 0 });
    expect(world.charged).toBe(0);
  });

  it.each<[string, readonly Refusal[]]>([
    ["an answer to the start is lost", ["lost", "lost"]],
    ["the service is away", ["UNREACHABLE", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"]],
    ["the limits of calls are reached", ["RATE_LIMIT_EXCEEDED", "CONFLICT"]],
  ])("is charged once when %s", async (_what, refusals) => {
    const world = new JobWorld();
    world.refusals.push(...refusals);
    const run = await world.open(numbersOf(1_500));
    expect(run.state()).toMatchObject({ phase: "done", done: 1_500 });
    expect(world.charged).toBe(1_499);
  });

  it("waits longer after each failure, a minute at most", async () => {
    const world = new JobWorld();
    world.refusals.push(...Array<Refusal>(9).fill("UNREACHABLE"));
    await world.open(numbersOf(10));
    expect(world.waitsMs.slice(0, 9)).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000,
    ]);
  });

  it.each(["UNAUTHORIZED", "INVALID_REQUEST"] as const)(
    "stops at %s, and continues the same job",
    async (code) => {
      const world = new JobWorld();
      world.refusals.push("lost", code);
      const run = await world.open(numbersOf(1_500));
      expect(run.state().phase).toBe("stopped");
      run.resume(false);
      await world.settled(run);
      expect(run.state()).toMatchObject({ phase: "done", done: 1_500 });
      expect(world.charged).toBe(1_499);
    },
  );

  it.each([1, 2, 3, 4, 5, 6])("continues the same job after a reload at its wait %i", async (reloadAt) => {
    const world = new JobWorld();
    world.refusals.push("lost");
    const { promise: isClosed, resolve: closed } = Promise.withResolvers<void>();
    world.beforeWait = () => {
      if (world.waitsMs.length !== reloadAt) return;
      world.close();
      closed();
    };
    const opened = world.open(numbersOf(3_000)).catch(() => undefined);
    await isClosed;
    const run = await world.open(numbersOf(3_000));
    await opened;
    expect(run.state()).toMatchObject({ phase: "done", done: 3_000 });
    expect(world.charged).toBe(2_999);
  });

  it("is paused and resumed, and shows the results so far", async () => {
    const world = new JobWorld();
    world.beforeWait = () => {
      if (world.waitsMs.length === 2) world.run?.pause();
    };
    const run = await world.open(numbersOf(5_000));
    expect(run.state()).toMatchObject({ phase: "stopped", stopped: "caller" });
    const { done } = run.state();
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(5_000);
    world.beforeWait = () => {};
    run.resume(false);
    await world.settled(run);
    expect(run.state()).toMatchObject({ phase: "done", done: 5_000 });
    expect(world.charged).toBe(4_999);
  });

  it("without tokens waits for new ones, and continues by itself", async () => {
    const world = new JobWorld();
    world.tokens = 1_000;
    const run = await world.open(numbersOf(2_000));
    expect(run.state()).toMatchObject({ phase: "stopped", stopped: "allowance", done: 1_001 });
    world.tokens = 5_000;
    world.goOn();
    await world.until(() => run.state().phase === "done");
    expect(world.charged).toBe(1_999);
  });

  it("whose job was ended elsewhere keeps its answers, and continues with the rest", async () => {
    const world = new JobWorld();
    world.tokens = 1_000;
    const run = await world.open(numbersOf(2_000));
    for (const job of world.jobs.values()) job.status = "expired";
    world.goOn();
    await world.until(() => run.state().stopped === "ended");
    expect(world.kept?.answers).toHaveLength(1_001);
    world.tokens = 5_000;
    run.resume(false);
    await world.until(() => run.state().phase === "done");
    expect(world.charged).toBe(1_999);
  });

  it("is cancelled at the service when it is removed, also where its start was never confirmed", async () => {
    const world = new JobWorld();
    world.refusals.push("lost", "UNAUTHORIZED");
    const run = await world.open(numbersOf(2_000));
    expect(world.jobs.size).toBe(1);
    run.discard(false);
    await world.until(() => world.kept === undefined);
    expect(world.jobs.size).toBe(0);
  });

  it("reads its results anew when earlier ones have changed", async () => {
    const world = new JobWorld();
    world.beforeWait = () => {
      // A company may no longer be shown: its line is a shorter one from now on.
      for (const job of world.jobs.values()) {
        job.lines = job.lines.replace(/^\{"number":"50000001","result".*$/m, HIDDEN);
      }
    };
    const run = await world.open(numbersOf(2_000));
    expect(run.state()).toMatchObject({ phase: "done", done: 2_000, notFound: 2 });
  });
});

describe("two pages that open the same list at once", () => {
  it("show it on one page; the other says where it is, and takes over when that page closes", async () => {
    const pages = [1, 2].map(() => {
      const page = { closing: new AbortController(), shows: "opening" };
      const waits = () => {
        page.shows = "elsewhere";
      };
      void lockOf("acc_both", page.closing.signal, waits).then(() => {
        page.shows = "list";
      });
      return page;
    });
    const shown = () => pages.map(({ shows }) => shows);
    await expect.poll(shown).toEqual(["list", "elsewhere"]);
    pages[0]?.closing.abort();
    await expect.poll(shown).toEqual(["list", "list"]);
    pages[1]?.closing.abort();
  });
});

const HIDDEN = '{"number":"50000001","error":{"code":"NOT_FOUND","message":""}}';
