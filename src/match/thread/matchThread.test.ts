import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { companyFacts, sourcedFacts, temporaryFolder } from "../../../test/kit/registry.ts";
import { until } from "../../../test/kit/until.ts";
import { importFacts } from "../../registry/importFacts.ts";
import { openRegistry } from "../../registry/registry.ts";
import type { MatchQuery } from "../types.ts";
import { MatchThread, type MatchThreadOptions } from "./matchThread.ts";

const MILL = sourcedFacts(1, { name: "Kwistelmolen Zwaluwkade B.V." });
const FERRY = sourcedFacts(2, { name: "Veerpont Drentelaar B.V." });
const OTHERS = Array.from({ length: 200 }, (_, nth) => sourcedFacts(100 + nth));
const QUERIES: readonly MatchQuery[] = [{ name: "Kwistelmolen Zwaluwkade" }, { name: "Veerpont Drentelaar" }];
const [MILL_NUMBER, FERRY_NUMBER] = [1, 2].map((number) => companyFacts(number).kvkNumber);

/** A thread over a registry of the mill and others. */
async function threadOver(options: Partial<MatchThreadOptions> = {}) {
  const directory = temporaryFolder();
  await importFacts(directory, [MILL, ...OTHERS], { replace: true });
  const registry = await openRegistry(directory, { pollMs: 5 });
  onTestFinished(() => registry.close());
  const errors: unknown[] = [];
  const none = new Set<string>();
  const thread = new MatchThread({
    registry,
    hidden: () => none,
    limit: 3,
    onError: (error) => errors.push(error),
    ...options,
  });
  onTestFinished(() => thread.close());
  const matched = async (queries = QUERIES) =>
    (await thread.match(queries))?.map((result) => result?.candidates.find(({ match }) => match)?.kvkNumber);
  return { directory, registry, thread, errors, matched };
}

it("matches to the current snapshot, and follows it", async () => {
  const { directory, registry, errors, matched } = await threadOver();
  expect(await matched()).toEqual([MILL_NUMBER, undefined]);
  const before = registry.current;
  await importFacts(directory, [FERRY], { replace: false });
  await until("the registry is followed", () => registry.current !== before);
  expect(await matched()).toEqual([MILL_NUMBER, FERRY_NUMBER]);
  expect(errors).toEqual([]);
});

it("treats hidden companies as absent from the next query on", async () => {
  let hidden = new Set<string>();
  const { thread, matched } = await threadOver({ hidden: () => hidden });
  expect(await matched()).toEqual([MILL_NUMBER, undefined]);
  hidden = new Set([MILL_NUMBER ?? ""]);
  const [result] = (await thread.match(QUERIES)) ?? [];
  expect(result?.candidates.map(({ kvkNumber }) => kvkNumber)).not.toContain(MILL_NUMBER);
  expect(result?.decision).not.toBe("matched");
});

it("starts another thread when one crashes, and gives up when each crashes", async () => {
  const crashing = () => new Worker("process.exit(3)", { eval: true });
  let started = 0;
  const once = await threadOver({
    startThread: () =>
      started++ === 0 ? crashing() : new Worker(new URL("./matchWorker.ts", import.meta.url)),
  });
  expect(await once.matched()).toEqual([MILL_NUMBER, undefined]);
  expect(once.errors).toEqual([new Error("the thread that matches rows ended")]);
  const always = await threadOver({ startThread: crashing });
  expect(await always.thread.match(QUERIES)).toBeUndefined();
  expect(always.errors).toHaveLength(1);
});

it("starts again after it ended for want of queries", async () => {
  let started = 0;
  const exits: Promise<unknown>[] = [];
  const { matched } = await threadOver({
    idleMs: 1,
    startThread: () => {
      started += 1;
      const worker = new Worker(new URL("./matchWorker.ts", import.meta.url));
      exits.push(new Promise((resolve) => worker.once("exit", resolve)));
      return worker;
    },
  });
  expect(await matched()).toEqual([MILL_NUMBER, undefined]);
  await exits[0];
  expect(await matched()).toEqual([MILL_NUMBER, undefined]);
  expect(started).toBe(2);
});

it("returns nothing without a snapshot, and rejects after it was closed", async () => {
  const { thread } = await threadOver({ registry: { current: undefined } });
  expect(await thread.match(QUERIES)).toBeUndefined();
  await thread.close();
  await expect(thread.match(QUERIES)).rejects.toThrow("closed");
});

it("gives one failing query no result, and reports it", async () => {
  const { thread, errors } = await threadOver();
  // A value that no reader of queries returns.
  const broken: MatchQuery = JSON.parse(`{"name":7}`);
  const results = await thread.match([broken, ...QUERIES]);
  expect(results?.map((result) => result?.decision)).toEqual([undefined, "matched", "none"]);
  expect(errors).toHaveLength(1);
});
