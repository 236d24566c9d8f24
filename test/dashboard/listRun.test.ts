/** Looking up a list with jobs: exactly once, through outages, pauses and reloads. */
import { describe, expect, it } from "vitest";
import { lockOf } from "../../dashboard/src/pages/try/list/job/lock.ts";
import { JobWorld, type Refusal } from "./support/jobWorld.ts";

const numbersOf = (count: number) => Array.from({ length: count }, (_, index) => String(50_000_001 + index));

describe("a list", () => {
  it("is one job, whose results are stored in the browser before it is deleted at the service", async () => {
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
    expect(world.answers).toHaveLength(10_000);
    expect(world.stored).not.toHaveProperty("sent");
    expect(world.jobs.size).toBe(0);
  });

  it("that exceeds the plan is refused and costs nothing", async () => {
    const world = new JobWorld();
    world.room = 0;
    const run = await world.open(numbersOf(3_300));
    expect(run.state()).toMatchObject({ phase: "stopped", stopped: "forbidden", done: 0 });
    expect(world.charged).toBe(0);
  });

  it.each<[string, readonly Refusal[]]>([
    ["a response to the start is lost", ["lost", "lost"]],
    ["the service is unavailable", ["UNREACHABLE", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"]],
    ["the rate limit is reached", ["RATE_LIMIT_EXCEEDED", "CONFLICT"]],
  ])("is charged once when %s", async (_what, refusals) => {
    const world = new JobWorld();
    world.refusals.push(...refusals);
    const run = await world.open(numbersOf(1_500));
    expect(run.state()).toMatchObject({ phase: "done", done: 1_500 });
    expect(world.charged).toBe(1_499);
  });

  it("waits longer after each failure, up to a minute", async () => {
    const world = new JobWorld();
    world.refusals.push(...Array<Refusal>(9).fill("UNREACHABLE"));
    await world.open(numbersOf(10));
    expect(world.waitsMs.slice(0, 9)).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000,
    ]);
  });

  it.each(["UNAUTHORIZED", "INVALID_REQUEST"] as const)(
    "stops at %s and later continues the same job",
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

  it.each([1, 2, 3, 4, 5, 6])("continues the same job after a reload during wait %i", async (reloadAt) => {
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

  it("can be paused and resumed, and shows the results so far", async () => {
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

  it("waits for new tokens and continues automatically", async () => {
    const world = new JobWorld();
    world.tokens = 1_000;
    const run = await world.open(numbersOf(2_000));
    expect(run.state()).toMatchObject({ phase: "stopped", stopped: "allowance", done: 1_001 });
    world.tokens = 5_000;
    world.goOn();
    await world.until(() => run.state().phase === "done");
    expect(world.charged).toBe(1_999);
  });

  it("keeps its results when its job is ended elsewhere, and continues with the rest", async () => {
    const world = new JobWorld();
    world.tokens = 1_000;
    const run = await world.open(numbersOf(2_000));
    for (const job of world.jobs.values()) job.status = "expired";
    world.goOn();
    await world.until(() => run.state().stopped === "ended");
    expect(world.answers).toHaveLength(1_001);
    world.tokens = 5_000;
    run.resume(false);
    await world.until(() => run.state().phase === "done");
    expect(world.charged).toBe(1_999);
  });

  it("is cancelled at the service when it is removed, even if its start was never confirmed", async () => {
    const world = new JobWorld();
    world.refusals.push("lost", "UNAUTHORIZED");
    const run = await world.open(numbersOf(2_000));
    expect(world.jobs.size).toBe(1);
    run.discard(false);
    await world.until(() => world.stored === undefined);
    expect(world.jobs.size).toBe(0);
  });

  it("rereads its results when earlier ones have changed", async () => {
    const world = new JobWorld();
    world.beforeWait = () => {
      // A company was removed from the service, so its line becomes shorter.
      for (const job of world.jobs.values()) {
        job.lines = job.lines.replace(/^\{"number":"50000001","result".*$/m, HIDDEN);
      }
    };
    const run = await world.open(numbersOf(2_000));
    expect(run.state()).toMatchObject({ phase: "done", done: 2_000, notFound: 2 });
  });
});

describe("a list of numbers and rows to match", () => {
  const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

  it("is one job after the other, each charged once, and says when no other one follows", async () => {
    const world = new JobWorld();
    const isLast = new Set<string>();
    world.beforeWait = () => {
      const { found, matched, isLast: last } = world.run?.state() ?? { found: 0, matched: 0, isLast: false };
      isLast.add(`${found > 0 && matched === 0 ? "numbers" : matched > 0 ? "rows" : ""} ${last}`);
    };
    const run = await world.open([...numbersOf(1_500), ...rowsOf(1_500)]);
    expect(run.state()).toMatchObject({ phase: "done", done: 3_000, found: 1_499, matched: 1_500 });
    expect(isLast).toContain("numbers false");
    expect(isLast).toContain("rows true");
    expect(world.charged).toBe(2_999);
    expect(world.jobs.size).toBe(0);
  });

  it.each([2, 3, 4, 5, 6, 7, 8])("continues by itself after a reload during wait %i", async (reloadAt) => {
    const world = new JobWorld();
    const { promise: isClosed, resolve: closed } = Promise.withResolvers<void>();
    world.beforeWait = () => {
      if (world.waitsMs.length !== reloadAt) return;
      world.close();
      closed();
    };
    const keys = [...numbersOf(2_500), ...rowsOf(2_500)];
    const opened = world.open(keys).catch(() => undefined);
    await isClosed;
    const run = await world.open(keys);
    await opened;
    expect(run.state()).toMatchObject({ phase: "done", done: 5_000 });
    expect(world.charged).toBe(4_999);
  });

  it("never sends the rows of a preview, also after a reload", async () => {
    const world = new JobWorld();
    const previewed = rowsOf(10).map((key) => ({
      key,
      result: { decision: "none" as const, candidates: [] },
    }));
    world.answers = previewed;
    world.refusals.push("lost", "UNAUTHORIZED");
    const keys = [...numbersOf(100), ...rowsOf(100)];
    const stopped = await world.open(keys);
    expect(stopped.state()).toMatchObject({ phase: "stopped", done: 10 });
    expect(world.stored?.answered).toBe(10);
    const run = await world.open(keys);
    expect(run.state()).toMatchObject({ phase: "done", done: 200, none: 10, matched: 90 });
    expect(world.charged).toBe(99 + 90);

    const whole = new JobWorld();
    whole.answers = previewed;
    expect((await whole.open(rowsOf(10))).state()).toMatchObject({ phase: "done", none: 10 });
    expect(whole.stored).toMatchObject({ answered: 10 });
    expect(whole.charged).toBe(0);
  });

  it.each([
    [50, 0],
    [99, 0],
    [120, 21],
  ])(
    "stops at a maximum of %i tokens, also after a reload, and uses more when the person continues",
    async (maxTokens, matched) => {
      const world = new JobWorld();
      world.maxTokens = maxTokens;
      const keys = [...numbersOf(100), ...rowsOf(100)];
      const run = await world.open(keys);
      expect(run.state()).toMatchObject({ phase: "stopped", stopped: "cap", matched });
      expect(world.charged).toBe(maxTokens);
      const reopened = await world.open(keys);
      expect(reopened.state()).toMatchObject({ phase: "stopped", stopped: "cap", matched });
      reopened.resume(false);
      await world.until(() => reopened.state().phase === "done");
      expect(world.charged).toBe(199);
    },
  );
});

describe("two tabs with the same list", () => {
  it("show it in one tab; the other one waits and takes over when that tab closes", async () => {
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
