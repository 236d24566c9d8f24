/** The plain design: each charged lookup is one durable transaction of its own. */

/** The state of a key and its account after a call. */
export interface Charged {
  readonly calls: number;
  readonly used: number;
  /** The company as JSON. */
  readonly body: string;
}

export interface PlainStore {
  /**
   * Counts and charges a call and reads its company; undefined if the key, the rate, the allowance or the company does
   * not allow it.
   */
  lookUp(
    keyHash: string,
    kvkNumber: string,
    nowMs: number,
  ): Charged | undefined | Promise<Charged | undefined>;
  close(): void | Promise<void>;
}

/** A key, with the account of the same number. */
export interface PlainKey {
  readonly hash: string;
  readonly number: number;
}

export interface PlainCompany {
  readonly kvkNumber: string;
  readonly body: string;
}

/** Calls a minute and tokens a month. */
export const LIMIT = 1_000_000_000_000;
export const OPERATION = "lookup";

export const TABLES = `
  create table companies (kvk_number text primary key, body text not null);
  create table accounts (id text primary key, month bigint not null, used bigint not null);
  create table keys (
    hash text primary key, id text not null, account_id text not null, minute bigint not null, calls bigint not null
  );
  create table ledger (
    account_id text not null, key_id text not null, day text not null, operation text not null,
    requests bigint not null, tokens bigint not null, primary key (account_id, key_id, day, operation)
  )`;

/** The clock minute, the month and the day of a call. */
export function periodsOf(nowMs: number) {
  const date = new Date(nowMs);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  return { minute: Math.floor(nowMs / 60_000), month, day: date.toISOString().slice(0, 10) };
}
