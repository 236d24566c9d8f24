import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openStateOnThread } from "../../src/app/state/thread/stateThread.ts";
import { checkState } from "../../src/database/consistency/checkState.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { afterFile } from "../kit/afterFile.ts";
import { clockAt, StoreFixture, TIERS } from "../kit/stores/fixture.ts";
import { thoroughIt, variants } from "../kit/thorough.ts";

/** The time of the stopped clock in `charge.ts`. */
const NOW = "2026-05-05T12:00:00.000Z";
const CHARGE = fileURLToPath(new URL("./charge.ts", import.meta.url));

/** A closed state with one account and some keys, and the means to inspect it again. */
async function closedState(tierName: string, keyCount: number) {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-processes-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const path = statePath(folder);
  const fixture = new StoreFixture(() => openStateOnThread({ path, tiers: TIERS }), NOW);
  const { accountId, keyIds } = await fixture.addAccount(await fixture.connect(), tierName, keyCount);
  await fixture.close();
  return { path, accountId, keyIds };
}

function startCharging(path: string, keyIds: readonly string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [CHARGE, path, ...keyIds]);
  afterFile(() => child.kill("SIGKILL"));
  return child;
}

/** The output of a child process as numbers; `see` may end it. */
async function grantedBy(
  child: ChildProcessWithoutNullStreams,
  see: (lines: number) => void = () => {},
): Promise<number[]> {
  const granted: number[] = [];
  const closed = once(child, "close");
  for await (const line of createInterface({ input: child.stdout })) {
    granted.push(Number(line));
    see(granted.length);
  }
  await closed;
  return granted;
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

async function ledgerOf(path: string, accountId: string) {
  const { findings } = await checkState({ path }, { now: () => Date.parse(NOW) });
  expect(findings).toEqual([]);
  const store = await openStateOnThread({ path, tiers: TIERS, clock: clockAt(Date.parse(NOW)) });
  const used = (await store.ledger.spent(accountId))?.used ?? 0;
  const lines = await store.ledger.lines(accountId, "2000-01-01", "2999-12-31");
  await store.close();
  return { used, inLedger: sumOf(lines.map(({ tokens }) => tokens)) };
}

describe("an acknowledged charge", () => {
  it.each(variants([3, 1, 7], { ordinary: 1 }))(
    "survives the kill of its process at batch %i, with at most one more",
    async (at) => {
      const { path, accountId, keyIds } = await closedState("endless", 3);
      const child = startCharging(path, keyIds);
      const seen = await grantedBy(child, (lines) => {
        if (lines === at) child.kill("SIGKILL");
      });
      expect(child.signalCode).toBe("SIGKILL");
      const { used, inLedger } = await ledgerOf(path, accountId);
      expect(used).toBe(inLedger);
      expect(used).toBeGreaterThanOrEqual(sumOf(seen));
      expect(used).toBeLessThanOrEqual(sumOf(seen) + keyIds.length);
      expect(used % keyIds.length).toBe(0);
    },
  );
});

describe("several processes on one file", () => {
  it("together spend exactly an allowance", async () => {
    const { path, accountId, keyIds } = await closedState("wide", 4);
    const [first = "", second = "", third = "", fourth = ""] = keyIds;
    const granted = await Promise.all(
      [
        [first, second, third],
        [third, fourth, first],
      ].map((ids) => grantedBy(startCharging(path, ids))),
    );
    expect(sumOf(granted.map(sumOf))).toBe(TIERS["wide"]?.monthlyTokens);
    expect(await ledgerOf(path, accountId)).toEqual({ used: 100, inLedger: 100 });
  });

  thoroughIt("may open a new one concurrently", async () => {
    const folder = mkdtempSync(join(tmpdir(), "opzoek-new-"));
    afterFile(() => rmSync(folder, { recursive: true, force: true }));
    const children = [1, 2, 3, 4].map(() => startCharging(statePath(folder), ["key_none"]));
    expect(await Promise.all(children.map((child) => grantedBy(child)))).toEqual([[0], [0], [0], [0]]);
    expect(children.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
  });
});
