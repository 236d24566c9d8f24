import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { call, StoreFixture, TIERS } from "../../../test/kit/stores/fixture.ts";
import { statePath } from "../../database/sqlite/statePath.ts";
import { StateRefused } from "../../database/stateErrors.ts";
import { openSqliteState } from "./sqliteState.ts";
import { openStateOnThread } from "./thread/stateThread.ts";

const folder = mkdtempSync(join(tmpdir(), "opzoek-refused-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The path of a closed state with one account that has spent tokens. */
async function closedState(): Promise<string> {
  const path = statePath(mkdtempSync(join(folder, "state-")));
  const fixture = new StoreFixture(() => openSqliteState({ path, tiers: TIERS }), "2026-05-05T12:00:00.000Z");
  const store = await fixture.connect();
  const { keyIds } = await fixture.addAccount(store, "wide", 20);
  await store.metering.apply(keyIds.map((keyId) => call(keyId, 1)));
  await fixture.close();
  return path;
}

async function refusalOf(path: string, open = openSqliteState): Promise<string> {
  const error: unknown = await open({ path, tiers: TIERS }).then(
    async (store) => {
      await store.close();
      return "opened";
    },
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StateRefused);
  return error instanceof StateRefused ? error.message : "";
}

describe("refuses an unusable state with the remedy:", () => {
  it("a file that is not an SQLite file", async () => {
    const path = statePath(mkdtempSync(join(folder, "text-")));
    writeFileSync(path, "this is a text and no state\n".repeat(500));
    const message = await refusalOf(path);
    expect(message).toContain(path);
    expect(message).toContain("is damaged");
    expect(message).toContain("restore it from a backup");
    expect(await refusalOf(path, openStateOnThread)).toBe(message);
    expect(readFileSync(path, "utf8")).toContain("this is a text");
  });

  it("a file with damaged pages, at any position", async () => {
    const path = await closedState();
    const whole = readFileSync(path);
    const pageBytes = 4_096;
    for (const page of [1, 2, 4, Math.floor(whole.length / pageBytes) - 1]) {
      const damaged = Buffer.from(whole);
      damaged.fill(0xa5, page * pageBytes, (page + 1) * pageBytes);
      writeFileSync(path, damaged);
      expect(await refusalOf(path)).toContain("is damaged");
    }
  });

  it("a truncated file", async () => {
    const path = await closedState();
    writeFileSync(path, readFileSync(path).subarray(0, 10_000));
    expect(await refusalOf(path)).toContain("is damaged");
  });

  it("a folder in place of the file, or a file in place of its folder", async () => {
    const path = statePath(mkdtempSync(join(folder, "folder-")));
    mkdirSync(path);
    expect(await refusalOf(path)).toContain("cannot be opened");
    const file = join(folder, "plain-file");
    writeFileSync(file, "");
    expect(await refusalOf(statePath(file))).toContain("check that DATA_DIR exists, is writable");
  });

  it("a state of a newer version", async () => {
    const path = await closedState();
    const database = new DatabaseSync(path);
    database.exec("insert into kysely_migration (name, timestamp) values ('9999_later', '2030-01-01')");
    database.close();
    const message = await refusalOf(path);
    expect(message).toContain("newer version of opzoek");
    expect(message).toContain("9999_later");
  });
});

describe("the file of the embedded state", () => {
  it("is readable only by its owner, and is created that way with its folder", async () => {
    const path = join(folder, "new", "deeper", "state.sqlite");
    const store = await openSqliteState({ path, tiers: TIERS });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    await store.close();
    chmodSync(path, 0o644);
    await (await openSqliteState({ path, tiers: TIERS })).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("does not change when it is opened again", async () => {
    const path = await closedState();
    const tables = () => {
      const database = new DatabaseSync(path, { readOnly: true });
      const rows = database
        .prepare("select sql from sqlite_schema union all select name from kysely_migration")
        .all();
      database.close();
      return rows;
    };
    const before = tables();
    await (await openSqliteState({ path, tiers: TIERS })).close();
    expect(tables()).toEqual(before);
  });
});
