import { join } from "node:path";
import { expect, it } from "vitest";
import type { PlainStore } from "../../bench/plain/design.ts";
import { createPostgres, openPostgres } from "../../bench/plain/postgres.ts";
import { createSqlite, openSqlite } from "../../bench/plain/sqlite.ts";
import { afterFile } from "../kit/afterFile.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { temporaryFolder } from "../kit/world.ts";

const KEYS = [{ hash: "known", number: 1 }];
const COMPANIES = [{ kvkNumber: "12345678", body: "{}" }];
const NOW_MS = Date.parse("2026-05-05T12:00:00.000Z");

async function openOn(store: string): Promise<PlainStore> {
  if (store === "SQLite") {
    const file = join(temporaryFolder(), "plain.db");
    createSqlite(file, KEYS, COMPANIES);
    return openSqlite(file);
  }
  const url = await (await sharedPostgres()).newDatabase("plain_design");
  await createPostgres(url, KEYS, COMPANIES);
  return openPostgres(url);
}

it.each(["SQLite", "PostgreSQL"])("the plain design counts and charges on %s as ours does", async (name) => {
  const store = await openOn(name);
  afterFile(async () => store.close());
  const lookUp = (hash: string, kvkNumber: string, nowMs = NOW_MS) => store.lookUp(hash, kvkNumber, nowMs);
  expect(await lookUp("known", "12345678")).toEqual({ calls: 1, used: 1, body: "{}" });
  expect(await lookUp("known", "12345678")).toEqual({ calls: 2, used: 2, body: "{}" });
  expect(await lookUp("unknown", "12345678")).toBeUndefined();
  expect(await lookUp("known", "87654321")).toBeUndefined();
  expect(await lookUp("known", "12345678", NOW_MS + 60_000)).toEqual({ calls: 1, used: 3, body: "{}" });
  expect(await lookUp("known", "12345678", NOW_MS + 31 * 86_400_000)).toEqual({
    calls: 1,
    used: 1,
    body: "{}",
  });
});
