import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { PAGE_KEY_PREFIX } from "../../contract/pageKey.ts";
import { lockAccount, withAccount } from "../../database/accountLock.ts";
import { toRow } from "../../database/objects.ts";
import {
  changeRows,
  countRows,
  findRow,
  findRows,
  insertRows,
  updateRows,
  upsertRow,
} from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { minuteStartMs } from "../../lib/periods.ts";
import { type KeyPage, MAX_LISTED_KEYS, type PartOfKeys } from "../people.ts";
import type { AddedKey, BrowserBounds, DailyKeys, Key, KeyChange, NewKey } from "../stored.ts";

/** Keys that people see; the others are page keys. */
export const IS_SHOWN = sql`and prefix <> ${PAGE_KEY_PREFIX}`;
/** Limits the parameters of one statement. */
const NAMED_AT_ONCE = 500;

/** Keys of any account. */
export function operatorsKeyQueries(db: Kysely<Tables>) {
  return {
    /** Adds a key, unless the account has `maxLiveKeys` live keys. Without `daily` it counts towards no daily limit. */
    addKey(key: NewKey, maxLiveKeys: number, daily?: DailyKeys): Promise<AddedKey | "no-account"> {
      // The lock serialises new keys of an account, so that two cannot both be the last one.
      return withAccount(db, key.accountId, "no-account" as const, (transaction) =>
        insertKey(transaction, key, maxLiveKeys, daily),
      );
    },

    /** @returns false if there is no such live key */
    revokeKey(id: string, revokedAt: string): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        if (!(await lockAccountOf(transaction, id))) return false;
        const live = { id, revoked_at: null };
        return (await updateRows(transaction, "keys", live, { revoked_at: revokedAt }, IS_SHOWN)) === 1;
      });
    },

    /** @returns false if there is no such unrevoked key, or it belongs to another account */
    changeKey(id: string, change: KeyChange, accountId?: string): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        if (!(await lockAccountOf(transaction, id))) return false;
        const live = {
          ...{ id, revoked_at: null },
          ...(change.browser !== undefined && { kind: "pub" as const }),
          ...(accountId !== undefined && { account_id: accountId }),
        };
        // An update without changes also shows whether the key exists.
        const changes = { prefix: sql.ref("prefix"), ...boundColumns(change) };
        return (await updateRows(transaction, "keys", live, changes, IS_SHOWN)) === 1;
      });
    },
  };
}

/** Locks the account of a key, like {@link lockAccount}. False if the key does not exist. */
async function lockAccountOf(transaction: Transaction<Tables>, keyId: string): Promise<boolean> {
  const key = await findRow(transaction, "keys", { id: keyId });
  return key !== undefined && lockAccount(transaction, key.account_id);
}

/** Keys of one account, for its owner. */
export function keyQueries(db: Kysely<Tables>) {
  return {
    /**
     * Adds a key that replaces another. The old key ends at `endsAt`; at once when that is the new key's creation time.
     * `no-key`: the account has no such live key, or it is being replaced already.
     */
    rollKey(
      oldId: string,
      key: NewKey,
      endsAt: string,
      maxLiveKeys: number,
      daily?: DailyKeys,
    ): Promise<AddedKey | "no-key"> {
      return withAccount(db, key.accountId, "no-key" as const, async (transaction) => {
        const live = { id: oldId, account_id: key.accountId, revoked_at: null, ends_at: null };
        // It ends at once if its end is the creation of its replacement.
        const end = { ends_at: endsAt, ...(endsAt <= key.createdAt && { revoked_at: endsAt }) };
        if ((await updateRows(transaction, "keys", live, end, IS_SHOWN)) === 0) return "no-key" as const;
        const added = await insertKey(transaction, key, maxLiveKeys, daily);
        // Rolled back, because a transaction that returns is committed.
        if (added !== "added") {
          await updateRows(transaction, "keys", { id: oldId }, { ends_at: null, revoked_at: null });
        }
        return added;
      });
    },

    /** Adds or restores the account page's own key. @returns false if the account does not exist */
    addPageKey(key: NewKey): Promise<boolean> {
      return withAccount(db, key.accountId, false, (transaction) =>
        upsertRow(transaction, "keys", keyRow(key), { revoked_at: null, ends_at: null }),
      );
    },

    /** Revokes replaced keys whose overlap is over. @returns their ids */
    async endRolledKeys(nowIso: string): Promise<readonly string[]> {
      // Checked every second, so without a lock.
      const live = { revoked_at: null };
      const isDue = sql`and ends_at <= ${nowIso}`;
      if ((await findRow(db, "keys", live, sql`${isDue} limit 1`)) === undefined) return [];
      const ended = await changeRows(db, "keys", live, { revoked_at: sql.ref("ends_at") }, isDue);
      return ended.map(({ id }) => id);
    },

    /**
     * Returns a page of keys, except the page's own key: live keys, newest first, then revoked keys, most recently
     * revoked first.
     */
    keyPage: (accountId: string, part: PartOfKeys): Promise<KeyPage> => keyPage(db, accountId, part),

    /** Returns the given keys that belong to the account, unordered, except the page's own key. */
    async keysNamed(accountId: string, keyIds: readonly string[]): Promise<readonly Key[]> {
      const found: Key[] = [];
      for (let from = 0; from < keyIds.length; from += NAMED_AT_ONCE) {
        const named = { id: keyIds.slice(from, from + NAMED_AT_ONCE), account_id: accountId };
        const rows = await findRows(db, "keys", named, IS_SHOWN);
        found.push(...rows.map(asKey));
      }
      return found;
    },
  };
}

async function keyPage(
  db: Kysely<Tables>,
  accountId: string,
  { offset, limit, revokedSince }: PartOfKeys,
): Promise<KeyPage> {
  const own = { account_id: accountId };
  // There are few live keys, so all of them are read to know where the others begin.
  const latestFirst = sql`${IS_SHOWN} order by created_at desc, id`;
  const live = await findRows(db, "keys", { ...own, revoked_at: null }, latestFirst);
  const isRevoked = sql`${IS_SHOWN} and revoked_at >= ${revokedSince ?? ""}`;
  const revoked = await countRows(db, "keys", own, sql`${isRevoked} limit ${MAX_LISTED_KEYS}`);
  const total = Math.min(MAX_LISTED_KEYS, live.length + revoked);
  const room = Math.min(limit, total - offset);
  const page = live.slice(offset, offset + Math.max(0, room));
  const remaining = room - page.length;
  const rest =
    remaining <= 0
      ? []
      : await findRows(
          db,
          "keys",
          own,
          sql`${isRevoked} order by revoked_at desc, id desc limit ${remaining} offset ${Math.max(0, offset - live.length)}`,
        );
  return { keys: [...page, ...rest].map(asKey), total };
}

/** Adds a key within the limits of its account. Call it under the lock of the account. */
async function insertKey(
  transaction: Transaction<Tables>,
  key: NewKey,
  maxLiveKeys: number,
  daily: DailyKeys | undefined,
): Promise<AddedKey> {
  const live = { account_id: key.accountId, revoked_at: null };
  if ((await countRows(transaction, "keys", live, IS_SHOWN)) >= maxLiveKeys) return "too-many";
  if (daily !== undefined && !(await countNewKey(transaction, daily))) return "too-many-today";
  await insertRows(transaction, "keys", keyRow(key));
  return "added";
}

/** Counts a new key of an address today, within its limit. */
function countNewKey(transaction: Transaction<Tables>, { subject, day, limit }: DailyKeys): Promise<boolean> {
  const incremented = { made: sql`key_days.made + 1` };
  const isBelow = sql`where key_days.made < ${limit}`;
  return upsertRow(transaction, "key_days", { subject, day, made: 1 }, incremented, isBelow);
}

/** The row of a new, unused key. */
function keyRow(key: NewKey): Insertable<Tables["keys"]> {
  const unused = { mayLookUp: false, spendingDay: 0, spentInDay: 0, minute: 0, callsInMinute: 0 };
  return { ...toRow("keys", { ...key, ...unused }), ...boundColumns(key) };
}

type KeyBounds = Pick<
  Tables["keys"],
  "name" | "expires_at_ms" | "networks" | "origins" | "may_look_up" | "daily_tokens"
>;

/** The columns of a change. */
function boundColumns({ name, expiresAt, addresses, browser = {} }: KeyChange): Partial<KeyBounds> {
  const { origins, mayLookUp, dailyTokens } = browser;
  return {
    ...(name !== undefined && { name }),
    ...(expiresAt !== undefined && { expires_at_ms: expiresAt === null ? null : Date.parse(expiresAt) }),
    ...(addresses !== undefined && { networks: addresses.length === 0 ? null : addresses.join(",") }),
    ...(origins !== undefined && { origins: origins.join(",") }),
    ...(mayLookUp !== undefined && { may_look_up: mayLookUp ? 1 : 0 }),
    ...(dailyTokens !== undefined && { daily_tokens: dailyTokens }),
  };
}

function asKey(row: Selectable<Tables["keys"]>): Key {
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
    ...(row.expires_at_ms === null ? {} : { expiresAt: new Date(row.expires_at_ms).toISOString() }),
    ...(row.networks === null ? {} : { addresses: row.networks.split(",") }),
    ...(row.kind === "pub" && { browser: browserBoundsIn(row) }),
    ...(row.browser_origin !== null &&
      row.browser_at_ms !== null && {
        browserCall: { origin: row.browser_origin, at: new Date(row.browser_at_ms).toISOString() },
      }),
    ...(row.minute !== 0 && { lastUsedAt: new Date(minuteStartMs(row.minute)).toISOString() }),
  };
}

function browserBoundsIn(row: Selectable<Tables["keys"]>): BrowserBounds {
  return {
    origins: row.origins?.split(",") ?? [],
    mayLookUp: row.may_look_up === 1,
    dailyTokens: row.daily_tokens ?? 0,
  };
}
