import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BackupFailed, backupState } from "./backupState.ts";

it("a data folder in which nothing can be written is told as that", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "opzoek-backup-"));
  const folder = join(dataDir, "backups");
  try {
    writeFileSync(join(dataDir, "state.sqlite"), "");
    // What stands where the lock is made cannot be written, by whichever user.
    mkdirSync(join(dataDir, "backup-lock.sqlite"));
    const made = backupState({ dataDir, folder, version: "1", keyFile: join(dataDir, "key") });
    await expect(made).rejects.toThrow(BackupFailed);
    await expect(made).rejects.toThrow(/cannot be written.*check that it may be, and has room/);
    expect(readdirSync(dataDir)).not.toContain("backups");
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
