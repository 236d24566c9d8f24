/** The thread of the embedded state: work in progress is decided before it is closed. */

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openPostgresState } from "../../src/app/state/postgresState.ts";
import type { StateStore } from "../../src/app/state/stateStore.ts";
import { openStateOnThread } from "../../src/app/state/thread/stateThread.ts";
import type { TierTable } from "../../src/contract/tiers.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { StateRefused } from "../../src/database/stateErrors.ts";
import { afterFile } from "../kit/afterFile.ts";
import { startDatabaseProxy } from "../kit/databaseProxy.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { call, clockAt, outcomes, StoreFixture } from "../kit/stores/fixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const TIERS: TierTable = { endless: { monthlyTokens: 1_000_000_000, ratePerMinute: 1_000_000_000 } };

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-state-thread-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return statePath(folder);
}

/** A state with an account. */
async function started(path: string, onLost?: (error: Error) => void) {
  const state = await openStateOnThread({ path, tiers: TIERS, clock: clockAt(Date.parse(NOW)) }, onLost);
  afterFile(() => state.close());
  const fixture = new StoreFixture(async () => state, NOW);
  return { state, ...(await fixture.addAccount(state, "endless", 1)) };
}

const spent = async (state: StateStore, accountId: string) =>
  (await state.ledger.spent(accountId))?.used ?? 0;

describe("the thread of the embedded state", () => {
  it("decides work in progress before it is closed, and refuses later calls", async () => {
    const path = newPath();
    const onLost = vi.fn();
    const { state, accountId, keyIds } = await started(path, onLost);
    const [key = ""] = keyIds;
    const pending = outcomes(state.metering.apply([call(key, 1), call(key, 2)]));
    const closed = state.close();
    await expect(state.probe()).rejects.toThrow("it is closed");
    expect(await pending).toEqual(["granted 1", "granted 2"]);
    await closed;
    await state.close();
    expect(onLost).not.toHaveBeenCalled();
    const again = await openStateOnThread({ path, tiers: TIERS, clock: clockAt(Date.parse(NOW)) });
    expect(await spent(again, accountId)).toBe(3);
    await again.close();
  });

  it("runs nothing between the statements of a transaction, and decides a batch that arrived meanwhile after it", async () => {
    const { state, accountId, keyIds } = await started(newPath());
    const [key = ""] = keyIds;
    const during = Promise.withResolvers<Awaited<ReturnType<StateStore["metering"]["apply"]>>>();
    state.onCall(() => {
      state.onCall(() => {});
      during.resolve(state.metering.apply([call(key, 1)]));
    });
    const results = await Promise.all([
      state.accounts.setTier(accountId, "gone"),
      state.accounts.setSuspended(accountId, true, NOW),
    ]);
    expect(results).toEqual([true, true]);
    const [decision] = await during.promise;
    expect(await decision).toMatchObject({ outcome: "quota", balance: { tierName: "gone" } });
    expect(await state.accounts.find(accountId)).toMatchObject({ tierName: "gone", isSuspended: true });
  });

  it("ends the open transaction when it is closed", async () => {
    const path = newPath();
    const { state, accountId } = await started(path);
    let closed: Promise<void> | undefined;
    state.onCall(() => {
      closed ??= state.close();
    });
    expect(await state.accounts.setTier(accountId, "gone")).toBe(true);
    await closed;
    const again = await openStateOnThread({ path, tiers: TIERS });
    expect(await again.accounts.find(accountId)).toMatchObject({ tierName: "gone" });
    await again.close();
  });

  it("reports why a state cannot be opened", async () => {
    const path = newPath();
    mkdirSync(path, { recursive: true });
    await expect(openStateOnThread({ path, tiers: TIERS })).rejects.toThrow(StateRefused);
  });
});

it("a state on PostgreSQL closed during a batch returns the batch's decisions", async () => {
  const server = await sharedPostgres();
  const url = await server.newDatabase("state");
  const proxy = await startDatabaseProxy(server.port);
  const now = () => Date.parse(NOW);
  const direct = await openPostgresState({ url, tiers: TIERS, now });
  afterFile(() => direct.close());
  const fixture = new StoreFixture(async () => direct, NOW);
  const { accountId, keyIds } = await fixture.addAccount(direct, "endless", 1);
  const [key = ""] = keyIds;
  const state = await openPostgresState({ url: proxy.through(url), tiers: TIERS, now });
  await state.metering.apply([call(key, 0)]);
  proxy.delayAnswers(20);
  const pending = outcomes(state.metering.apply([call(key, 1), call(key, 1)]));
  await state.close();
  expect(await pending).toEqual(["granted 1", "granted 1"]);
  expect(await spent(direct, accountId)).toBe(2);
});
