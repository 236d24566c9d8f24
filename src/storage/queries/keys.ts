import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from "kysely";
import {
  type KeyPage,
  MOST_LISTED_KEYS,
  type PartOfKeys,
  type PeopleStore,
} from "../../accounts/peopleStore.ts";
import type { AddedKey, BrowserBounds, DailyKeys, Key, KeyChange, NewKey } from "../../accounts/store.ts";
import { PAGE_KEY_PREFIX } from "../../contract/pageKey.ts";
import { minuteStartMs } from "../../metering/periods.ts";
import type { Tables } from "../schema/tables.ts";
import { lockAccount } from "./accountRows.ts";

type KeyQueries = Pick<PeopleStore, "rollKey" | "addPageKey" | "endRolledKeys" | "keyPage" | "keysNamed">;

/** Parameters of one statement are bounded. */
const NAMED_AT_ONCE = 500;

export function keyQueries(db: Kysely<Tables>): KeyQueries {
  return {
    rollKey(oldId, key, endsAt, mostLiveKeys, daily) {
      return db.transaction().execute(async (transaction) => {
        if (!(await lockAccount(transaction, key.accountId))) return "no-key" as const;
        if (!(await endKey(transaction, oldId, key, endsAt))) return "no-key" as const;
        const added = await insertKey(transaction, key, mostLiveKeys, daily);
        // What was changed is put back: a transaction that returns is committed.
        if (added !== "added") await endNoMore(transaction, oldId);
        return added;
      });
    },

    addPageKey(key) {
      return db.transaction().execute(async (transaction) => {
        if (!(await lockAccount(transaction, key.accountId))) return false;
        await transaction
          .insertInto("keys")
          .values(keyRow(key))
          .onConflict((conflict) => conflict.column("id").doUpdateSet({ revoked_at: null, ends_at: null }))
          .execute();
        return true;
      });
    },

    async endRolledKeys(nowIso) {
      const isDue = db
        .selectFrom("keys")
        .select("id")
        .where("ends_at", "<=", nowIso)
        .where("revoked_at", "is", null);
      // Looked at every second: a look takes no lock.
      if ((await isDue.execute()).length === 0) return [];
      const ended = await db
        .updateTable("keys")
        .set((set) => ({ revoked_at: set.ref("ends_at") }))
        .where("ends_at", "<=", nowIso)
        .where("revoked_at", "is", null)
        .returning("id")
        .execute();
      return ended.map(({ id }) => id);
    },

    keyPage: (accountId, part) => keyPage(db, accountId, part),

    async keysNamed(accountId, keyIds) {
      const found: Key[] = [];
      for (let from = 0; from < keyIds.length; from += NAMED_AT_ONCE) {
        const rows = await db
          .selectFrom("keys")
          .selectAll()
          .where("id", "in", keyIds.slice(from, from + NAMED_AT_ONCE))
          .where("account_id", "=", accountId)
          .where("prefix", "!=", PAGE_KEY_PREFIX)
          .execute();
        found.push(...rows.map(asKey));
      }
      return found;
    },
  };
}

/** Has a live key end, at once when that is when the one in its place was made. False when there is none, or it is ending already. */
async function endKey(
  transaction: Transaction<Tables>,
  oldId: string,
  { accountId, createdAt }: NewKey,
  endsAt: string,
): Promise<boolean> {
  const endsNow = endsAt <= createdAt;
  const ended = await transaction
    .updateTable("keys")
    .set({ ends_at: endsAt, ...(endsNow && { revoked_at: endsAt }) })
    .where("id", "=", oldId)
    .where("account_id", "=", accountId)
    .where("prefix", "!=", PAGE_KEY_PREFIX)
    .where("revoked_at", "is", null)
    .where("ends_at", "is", null)
    .returning("id")
    .execute();
  return ended.length === 1;
}

async function endNoMore(transaction: Transaction<Tables>, id: string): Promise<void> {
  await transaction
    .updateTable("keys")
    .set({ ends_at: null, revoked_at: null })
    .where("id", "=", id)
    .execute();
}

async function keyPage(
  db: Kysely<Tables>,
  accountId: string,
  { offset, limit, revokedSince }: PartOfKeys,
): Promise<KeyPage> {
  const own = db
    .selectFrom("keys")
    .where("account_id", "=", accountId)
    .where("prefix", "!=", PAGE_KEY_PREFIX);
  // Limits of live keys are small, so all of them are read to know where the others begin.
  const live = await own
    .selectAll()
    .where("revoked_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  const revoked = own
    .where("revoked_at", "is not", null)
    .$if(revokedSince !== undefined, (query) => query.where("revoked_at", ">=", revokedSince ?? ""));
  const counted = await db
    .selectFrom(revoked.select("id").limit(MOST_LISTED_KEYS).as("listed"))
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const total = Math.min(MOST_LISTED_KEYS, live.length + Number(counted.count));
  const room = Math.min(limit, total - offset);
  const page = live.slice(offset, offset + Math.max(0, room));
  const left = room - page.length;
  const rest =
    left <= 0
      ? []
      : await revoked
          .selectAll()
          .orderBy("revoked_at", "desc")
          .orderBy("id", "desc")
          .offset(Math.max(0, offset - live.length))
          .limit(left)
          .execute();
  return { keys: [...page, ...rest].map(asKey), total };
}

/** Adds a key within its account's limits; call it under the lock of the account. */
export async function insertKey(
  transaction: Transaction<Tables>,
  key: NewKey,
  mostLiveKeys: number,
  daily: DailyKeys | undefined,
): Promise<AddedKey> {
  if ((await liveKeys(transaction, key.accountId)) >= mostLiveKeys) return "too-many";
  if (daily !== undefined && !(await countMade(transaction, daily))) return "too-many-today";
  await transaction.insertInto("keys").values(keyRow(key)).execute();
  return "added";
}

/** Counts one more key of an address today, unless it made as many as it may. */
async function countMade(
  transaction: Transaction<Tables>,
  { subject, day, most }: DailyKeys,
): Promise<boolean> {
  const counted = await transaction
    .insertInto("key_days")
    .values({ subject, day, made: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["subject", "day"])
        .doUpdateSet((set) => ({ made: sql<number>`${set.ref("key_days.made")} + 1` }))
        .where("key_days.made", "<", most),
    )
    .returning("made")
    .execute();
  return counted.length === 1;
}

/** How many keys of an account work; call it under the lock of the account. */
async function liveKeys(transaction: Transaction<Tables>, accountId: string): Promise<number> {
  const { live } = await transaction
    .selectFrom("keys")
    .select((select) => select.fn.countAll<number>().as("live"))
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .where("prefix", "!=", PAGE_KEY_PREFIX)
    .executeTakeFirstOrThrow();
  return Number(live);
}

/** A new key as its row: live, and not called with yet. */
function keyRow(key: NewKey): Insertable<Tables["keys"]> {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    hash: key.hash,
    prefix: key.prefix,
    kind: key.kind,
    last_four: key.lastFour,
    created_at: key.createdAt,
    revoked_at: null,
    ...boundColumns({
      ...(key.expiresAt !== undefined && { expiresAt: key.expiresAt }),
      ...(key.addresses !== undefined && { addresses: key.addresses }),
    }),
    may_look_up: 0,
    ...browserColumns(key.browser),
    spending_day: 0,
    spent_in_day: 0,
    minute: 0,
    calls_in_minute: 0,
  };
}

/** What is written of a change. */
export function boundColumns({ name, expiresAt, addresses, browser }: KeyChange): {
  name?: string;
  expires_at_ms?: number | null;
  networks?: string | null;
} {
  return {
    ...browserColumns(browser),
    ...(name !== undefined && { name }),
    ...(expiresAt !== undefined && { expires_at_ms: expiresAt === null ? null : Date.parse(expiresAt) }),
    ...(addresses !== undefined && { networks: addresses.length === 0 ? null : addresses.join(",") }),
  };
}

function browserColumns({ origins, mayLookUp, dailyTokens }: Partial<BrowserBounds> = {}): {
  origins?: string;
  may_look_up?: number;
  daily_tokens?: number;
} {
  return {
    ...(origins !== undefined && { origins: origins.join(",") }),
    ...(mayLookUp !== undefined && { may_look_up: mayLookUp ? 1 : 0 }),
    ...(dailyTokens !== undefined && { daily_tokens: dailyTokens }),
  };
}

function asKey(row: Selectable<Tables["keys"]>): Key {
  const minute = Number(row.minute);
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    prefix: row.prefix,
    kind: row.kind,
    lastFour: row.last_four,
    createdAt: row.created_at,
    ...(row.ends_at === null ? {} : { endsAt: row.ends_at }),
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
    ...(row.expires_at_ms === null ? {} : { expiresAt: new Date(Number(row.expires_at_ms)).toISOString() }),
    ...(row.networks === null ? {} : { addresses: row.networks.split(",") }),
    ...(row.kind === "pub" && { browser: browserBoundsIn(row) }),
    ...(row.browser_origin === null || row.browser_at_ms === null
      ? {}
      : {
          browserCall: { origin: row.browser_origin, at: new Date(Number(row.browser_at_ms)).toISOString() },
        }),
    ...(minute === 0 ? {} : { lastUsedAt: new Date(minuteStartMs(minute)).toISOString() }),
  };
}

function browserBoundsIn(row: Selectable<Tables["keys"]>): BrowserBounds {
  return {
    origins: row.origins?.split(",") ?? [],
    mayLookUp: row.may_look_up === 1,
    dailyTokens: Number(row.daily_tokens ?? 0),
  };
}
