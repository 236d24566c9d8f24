import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, newKey, TIERS } from "../../../test/kit/stores/fixture.ts";
import { statePath } from "../../database/sqlite/statePath.ts";
import { StateRefused } from "../../database/stateErrors.ts";
import { exportStateLines } from "../../database/transfer/exportLines.ts";
import { importLines } from "../../database/transfer/importLines.ts";
import { openRawSqlite } from "../../database/transfer/rawSqlite.ts";
import { openSqliteState } from "./sqliteState.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const EMAIL = "somebody@fabel.example";

const folder = mkdtempSync(join(tmpdir(), "opzoek-import-lines-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const newPath = () => statePath(mkdtempSync(join(folder, "state-")));
const open = (path: string) => openSqliteState({ path, tiers: TIERS, now: () => Date.parse(NOW) });

async function exported(path: string): Promise<readonly string[]> {
  const raw = openRawSqlite(path, "shared");
  const lines = await Array.fromAsync(exportStateLines(raw));
  await raw.close();
  return lines;
}

async function imported(path: string, lines: readonly string[]): Promise<unknown> {
  await (await open(path)).close();
  const raw = openRawSqlite(path, "exclusive");
  async function* given() {
    yield* lines;
  }
  try {
    return await importLines(given(), raw);
  } catch (error) {
    expect(error).toBeInstanceOf(StateRefused);
    return error;
  } finally {
    await raw.close();
  }
}

let lines: readonly string[];
beforeAll(async () => {
  const path = newPath();
  const state = await open(path);
  await state.accounts.add({
    id: "acc",
    email: EMAIL,
    tierName: "small",
    isSuspended: false,
    createdAt: NOW,
  });
  await state.accounts.addKey(newKey("key", "acc", NOW), 20);
  await state.metering.apply([call("key", 3)]);
  lines = await exported(path);
  await state.close();
});

it("an export of a state in use is imported byte for byte", async () => {
  const path = newPath();
  expect(await imported(path, lines)).toMatchObject({ rows: lines.length - 1 });
  expect(await exported(path)).toEqual(lines);
});

describe("an export is not imported if it", () => {
  const changed = (from: string, to: string) => lines.map((line) => line.replace(from, to));
  it.each<[string, () => readonly string[], string]>([
    ["lacks its end", () => lines.slice(0, -1), "is truncated"],
    ["lacks a line", () => lines.filter((_, index) => index !== 3), "SHA-256 differs"],
    ["is empty", () => [], "is truncated"],
    ["ends within a line", () => [lines[0]?.slice(0, 40) ?? ""], "line 1 was not written by"],
    ["has another number", () => changed('"used":3', '"used":2'), "SHA-256 differs"],
    ["has another table", () => changed('["keys"', '["sqlite_schema"'), "a table that this version"],
    [
      "has an invalid column name",
      () => changed('"tier":', '"tier) values (1); drop table keys; --":'),
      "is not a row of a state",
    ],
    ["has a column of a later version", () => changed('"tier":', '"level":'), "or a later one"],
    ["has a value that no column accepts", () => changed('"used":3', '"used":{}'), "is not a row of a state"],
    ["contains an account twice", () => [lines[0] ?? "", ...lines], "cannot be imported"],
    ["continues after its end", () => [...lines, lines[0] ?? ""], "after the end"],
  ])("%s", async (_, broken, reason) => {
    const path = newPath();
    const refused = await imported(path, broken());
    expect(String(refused)).toContain(reason);
    expect(String(refused)).not.toContain(EMAIL);
    expect(await exported(path)).toHaveLength(1);
  });

  it("would be added to existing rows", async () => {
    const path = newPath();
    await imported(path, lines);
    expect(String(await imported(path, lines))).toContain("is not empty");
    expect(await exported(path)).toEqual(lines);
  });
});
