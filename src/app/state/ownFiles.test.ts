import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/kit/registry.ts";
import { openSqliteState } from "./sqliteState.ts";

it("the files of the state are for their owner only, and an existing folder keeps its mode", async () => {
  const folder = temporaryFolder();
  const chosen = join(folder, "chosen");
  mkdirSync(chosen);
  chmodSync(chosen, 0o755);
  for (const path of [join(folder, "made", "state.sqlite"), join(chosen, "state.sqlite")]) {
    const state = await openSqliteState({ path, tiers: {} });
    onTestFinished(() => state.close());
  }
  const modes = ["made", "chosen"].flatMap((name) =>
    readdirSync(join(folder, name)).map((file) => [file, statSync(join(folder, name, file)).mode & 0o777]),
  );
  expect(modes.sort()).toEqual(
    ["state.sqlite", "state.sqlite-shm", "state.sqlite-wal"].flatMap((file) => [
      [file, 0o600],
      [file, 0o600],
    ]),
  );
  expect(["made", "chosen"].map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o700, 0o755]);
});
