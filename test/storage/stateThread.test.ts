/** One thread owns the state and many ask it: what they spend together is exact, and what becomes of one is no matter of the others. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import type { TierTable } from "../../src/contract/tiers.ts";
import { StoreUnavailable } from "../../src/metering/store.ts";
import { checkState } from "../../src/storage/checking/checkState.ts";
import { statePath } from "../../src/storage/sqlite/statePath.ts";
import type { StateStore } from "../../src/storage/stateStore.ts";
import { stateOver } from "../../src/storage/thread/stateOver.ts";
import {
  openStateOnThread,
  openStateThread,
  type StateThread,
  stateOn,
} from "../../src/storage/thread/stateThread.ts";
import { afterFile } from "../kit/afterFile.ts";
import { startDatabaseProxy } from "../kit/databaseProxy.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { call, clockAt, outcomes, StoreFixture } from "../kit/stores/fixture.ts";
import { until } from "../kit/until.ts";
import { type AskingData, MOST_UNDER_WAY } from "./askingThread.ts";

const server = await sharedPostgres();

const NOW = "2026-05-05T12:00:00.000Z";
const ALLOWANCE = 2_000;
const TIERS: TierTable = {
  spent: { monthlyTokens: ALLOWANCE, ratePerMinute: 1_000_000 },
  endless: { monthlyTokens: 1_000_000_000, ratePerMinute: 1_000_000_000 },
};
const THREADS = 4;

type Location = { readonly path: string } | { readonly url: string };

function newPath(): Location {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-state-thread-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return { path: statePath(folder) };
}

/** A thread of the state with an account. */
async function started(location: Location, tierName: string) {
  const lost = Promise.withResolvers<Error>();
  const thread = openStateThread(
    { ...location, tiers: TIERS, clock: clockAt(Date.parse(NOW)) },
    lost.resolve,
  );
  await thread.ready;
  const state = stateOn(thread);
  afterFile(() => state.close());
  const fixture = new StoreFixture(async () => state, NOW);
  return { thread, state, lost: lost.promise, ...(await fixture.addAccount(state, tierName, 3)) };
}

/** A thread that charges keys until it is refused. */
function startAsking(thread: StateThread, keyIds: readonly string[]) {
  const port = thread.connect();
  const granted = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const data: AskingData = { port, keyIds, granted };
  const worker = new Worker(new URL("./askingThread.ts", import.meta.url), {
    workerData: data,
    transferList: [port],
  });
  return { worker, ended: once(worker, "exit"), granted: () => Atomics.load(granted, 0) };
}

async function booksOf(state: StateStore, accountId: string) {
  const used = (await state.ledger.spent(accountId))?.used ?? 0;
  const lines = await state.ledger.lines(accountId, "2000-01-01", "2999-12-31");
  return { used, inLedger: sumOf(lines.map(({ tokens }) => tokens)) };
}

/** What `opzoek state check` looks for. */
async function expectSound(location: Location): Promise<void> {
  const { findings } = await checkState(location, { now: () => Date.parse(NOW) });
  expect(findings).toEqual([]);
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

describe.each<[string, () => Promise<Location>]>([
  ["embedded", async () => newPath()],
  ["on PostgreSQL", async () => ({ url: await server.databaseOf(randomUUID()) })],
])("a state %s that several threads ask", (_name, newLocation) => {
  it("grants exactly the allowance, and files what it granted", async () => {
    const { thread, state, accountId, keyIds } = await started(await newLocation(), "spent");
    const threads = Array.from({ length: THREADS }, () => startAsking(thread, keyIds));
    await Promise.all(threads.map(({ ended }) => ended));
    expect(sumOf(threads.map(({ granted }) => granted()))).toBe(ALLOWANCE);
    expect(await booksOf(state, accountId)).toEqual({ used: ALLOWANCE, inLedger: ALLOWANCE });
  });

  it("serves on when one of them is killed, and has charged at most what that one had under way", async () => {
    const location = await newLocation();
    const { thread, state, accountId, keyIds } = await started(location, "endless");
    const threads = [startAsking(thread, keyIds), startAsking(thread, keyIds)];
    for (const { worker, granted } of threads) {
      const before = granted();
      await until("it has charged", () => granted() > before + 100);
      await worker.terminate();
    }
    expect(await outcomes(state.metering.apply([call(keyIds[0] ?? "", 1)]))).toEqual(["granted 1"]);
    const { used, inLedger } = await booksOf(state, accountId);
    expect(used).toBe(inLedger);
    const seen = 1 + sumOf(threads.map(({ granted }) => granted()));
    expect(used).toBeGreaterThanOrEqual(seen);
    expect(used).toBeLessThanOrEqual(seen + threads.length * MOST_UNDER_WAY);
    await expectSound(location);
  });

  it("fails all of them when its thread ends, at once and from then on", async () => {
    const { thread, state, lost, keyIds } = await started(await newLocation(), "endless");
    const port = thread.connect();
    const other = stateOver(thread.connect());
    await other.probe();
    // Is an error of the program, as nothing but asks comes over a port.
    port.postMessage("no ask");
    const asked = stateOver(port).metering.apply([call(keyIds[0] ?? "", 1)]);
    await expect(asked).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await lost).toBeInstanceOf(StoreUnavailable);
    // One after the other: a promise that nobody awaits yet must not be rejected.
    for (const later of [state, other, stateOver(thread.connect())]) {
      await expect(later.probe()).rejects.toThrow("the thread that owns it has ended; restart the program");
    }
    await other.close();
    await thread.close();
  });

  it("tells all of them that it is unavailable when it is left, and is closed then", async () => {
    const location = await newLocation();
    const { thread, state, lost, accountId, keyIds } = await started(location, "endless");
    const other = stateOver(thread.connect());
    await other.probe();
    const asked = stateOver(thread.connect()).metering.apply([call(keyIds[0] ?? "", 1)]);
    thread.leave();
    // It may have been decided before.
    const [outcome] = await Promise.allSettled([asked]);
    const seen = outcome.status === "fulfilled" ? 1 : 0;
    if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(StoreUnavailable);
    for (const later of [state, other]) await expect(later.probe()).rejects.toBeInstanceOf(StoreUnavailable);
    await Promise.all([other.close(), state.close(), thread.close()]);
    expect(await Promise.race([lost, Promise.resolve("nobody is told of a loss")])).toBe(
      "nobody is told of a loss",
    );
    const again = stateOn(openStateThread({ ...location, tiers: TIERS, clock: clockAt(Date.parse(NOW)) }));
    afterFile(() => again.close());
    const { used, inLedger } = await booksOf(again, accountId);
    expect(used).toBe(inLedger);
    expect(used).toBeGreaterThanOrEqual(seen);
    await expectSound(location);
  });
});

it("on PostgreSQL, closed while a batch is at the database, tells what became of it", async () => {
  const location = { url: await server.databaseOf(randomUUID()) };
  const { state: direct, accountId, keyIds } = await started(location, "endless");
  const proxy = await startDatabaseProxy(server.port);
  const clock = clockAt(Date.parse(NOW));
  for (const tellEarly of [undefined, () => {}]) {
    const before = (await direct.ledger.spent(accountId))?.used ?? 0;
    proxy.open();
    const state = await openStateOnThread({ url: proxy.through(location.url), tiers: TIERS, clock });
    await state.metering.apply([call(keyIds[0] ?? "", 0)]);
    proxy.delayAnswers(20);
    const told = outcomes(
      state.metering.apply([call(keyIds[0] ?? "", 1), call(keyIds[0] ?? "", 1)], tellEarly),
    );
    await state.close();
    expect(await told).toEqual(["granted 1", "granted 1"]);
    expect((await direct.ledger.spent(accountId))?.used).toBe(before + 2);
  }
});
