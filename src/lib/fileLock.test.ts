import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { takeFileLock } from "./fileLock.ts";

/** Whether another process gets the lock. */
function isFreeElsewhere(path: string): boolean {
  const module = JSON.stringify(new URL("fileLock.ts", import.meta.url).href);
  const script = `const { takeFileLock } = await import(${module}); console.log(takeFileLock(${JSON.stringify(path)}) !== undefined);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  expect(stdout, stderr).toMatch(/^(true|false)\n$/);
  return stdout.startsWith("true");
}

it("excludes other processes until it is released, even after a second attempt by the same process", () => {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-lock-"));
  try {
    const path = join(folder, "lock.sqlite");
    const lock = takeFileLock(path);
    expect(takeFileLock(path)).toBeUndefined();
    expect(isFreeElsewhere(path)).toBe(false);
    lock?.release();
    expect(isFreeElsewhere(path)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
