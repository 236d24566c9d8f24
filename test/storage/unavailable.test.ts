import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openStateOnThread } from "../../src/app/state/thread/stateThread.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { StoreUnavailable } from "../../src/lib/storeErrors.ts";
import { afterFile } from "../kit/afterFile.ts";
import { describeWith } from "../kit/needs.ts";
import { call, clockAt, outcomes, StoreFixture, TIERS } from "../kit/stores/fixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";

async function openState(folder: string) {
  const fixture = new StoreFixture(
    ({ clock }) => openStateOnThread({ path: statePath(folder), tiers: TIERS, clock }),
    NOW,
  );
  afterFile(() => fixture.close());
  const store = await fixture.connect();
  return { store, ...(await fixture.addAccount(store, "wide", 1)) };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-unavailable-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("a state locked by another process", () => {
  it("is unavailable, charges nothing, and works again when it is released", async () => {
    const folder = newFolder();
    const { store, accountId, keyIds } = await openState(folder);
    const [key = ""] = keyIds;
    expect(await outcomes(store.metering.apply([call(key, 5)]))).toEqual(["granted 5"]);
    const other = new DatabaseSync(statePath(folder));
    other.exec("begin exclusive");
    // Reads work during writes, even when the file is only opened now.
    const reader = await openStateOnThread({
      path: statePath(folder),
      tiers: TIERS,
      clock: clockAt(Date.parse(NOW)),
    });
    expect((await reader.ledger.spent(accountId))?.used).toBe(5);
    await reader.close();
    const settled = await Promise.allSettled([
      store.metering.apply([call(key, 5)]),
      store.accounts.setTier(accountId, "small"),
    ]);
    for (const result of settled) {
      expect(result).toMatchObject({ status: "rejected", reason: expect.any(StoreUnavailable) });
      expect(String(result.status === "rejected" && result.reason)).toMatch(
        /^StoreUnavailable: the state store is unavailable: [^:]*; another process is writing to it, try again$/,
      );
    }
    other.exec("rollback");
    other.close();
    expect((await store.ledger.spent(accountId))?.used).toBe(5);
    expect((await store.accounts.find(accountId))?.tierName).toBe("wide");
    expect(await outcomes(store.metering.apply([call(key, 5)]))).toEqual(["granted 5"]);
  });
});

/** A file system of one megabyte, if this process may create one. */
function smallDisk(): string | undefined {
  const folder = newFolder();
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]);
  if (status !== 0) return undefined;
  afterFile(() => spawnSync("umount", ["-l", folder]));
  return folder;
}

const disk = smallDisk();

describeWith(
  { isMet: disk !== undefined, lack: "mount cannot create a file system" },
  "a state on a full disk",
  () => {
    it("is unavailable, charges nothing, and works again when there is room", async () => {
      const folder = disk ?? "";
      const { store, accountId, keyIds } = await openState(folder);
      const [key = ""] = keyIds;
      await store.metering.apply([call(key, 5)]);
      const filler = join(folder, "filler");
      fill(filler);
      let charged = 5;
      let refusals = 0;
      // The free space in existing pages is used first; then every write fails.
      for (let round = 0; round < 40 && refusals < 3; round++) {
        const [result] = await Promise.allSettled([outcomes(store.metering.apply([call(key, 1)]))]);
        if (result?.status === "fulfilled") charged += 1;
        else {
          refusals += 1;
          expect(result?.reason).toBeInstanceOf(StoreUnavailable);
          expect(String(result?.reason)).toContain("free some space on its disk");
        }
      }
      expect(refusals).toBe(3);
      await expect(store.probe()).rejects.toBeInstanceOf(StoreUnavailable);
      expect((await store.ledger.spent(accountId))?.used).toBe(charged);
      rmSync(filler);
      expect(await outcomes(store.metering.apply([call(key, 1)]))).toEqual(["granted 1"]);
      expect((await store.ledger.spent(accountId))?.used).toBe(charged + 1);
      await store.probe();
    });
  },
);

function fill(path: string): void {
  const file = openSync(path, "w");
  try {
    for (;;) writeSync(file, Buffer.alloc(4_096));
  } catch (error) {
    expect(error).toMatchObject({ code: "ENOSPC" });
  } finally {
    closeSync(file);
  }
}
