import { DatabaseSync } from "node:sqlite";
import {
  type Charged,
  LIMIT,
  OPERATION,
  type PlainCompany,
  type PlainKey,
  type PlainStore,
  periodsOf,
  TABLES,
} from "./design.ts";

const DURABLE = "pragma journal_mode = wal; pragma synchronous = full";

/** Creates the database with its keys and companies. */
export function createSqlite(
  file: string,
  keys: readonly PlainKey[],
  companies: readonly PlainCompany[],
): void {
  const db = new DatabaseSync(file);
  db.exec(`${DURABLE}; begin; ${TABLES.replaceAll("\n  )", "\n  ) without rowid")}`);
  const [account, key, company] = [
    db.prepare("insert into accounts values (?, 0, 0)"),
    db.prepare("insert into keys values (?, ?, ?, 0, 0)"),
    db.prepare("insert into companies values (?, ?)"),
  ];
  for (const { hash, number } of keys) {
    account.run(`account-${number}`);
    key.run(hash, `key-${number}`, `account-${number}`);
  }
  for (const { kvkNumber, body } of companies) company.run(kvkNumber, body);
  db.exec("commit");
  db.close();
}

/** Charges each call in one transaction on SQLite. */
export function openSqlite(file: string): PlainStore {
  const db = new DatabaseSync(file);
  db.exec(DURABLE);
  const [begin, commit, rollBack] = [
    db.prepare("begin immediate"),
    db.prepare("commit"),
    db.prepare("rollback"),
  ];
  const company = db.prepare("select body from companies where kvk_number = ?");
  const window = db.prepare(`
    update keys set minute = ?2, calls = case when minute = ?2 then calls else 0 end + 1
    where hash = ?1 and (minute <> ?2 or calls < ${LIMIT}) returning id, account_id, calls`);
  const allowance = db.prepare(`
    update accounts set month = ?2, used = case when month = ?2 then used else 0 end + 1
    where id = ?1 and (month <> ?2 or used < ${LIMIT}) returning used`);
  const ledger = db.prepare(`
    insert into ledger values (?, ?, ?, '${OPERATION}', 1, 1)
    on conflict do update set requests = requests + 1, tokens = tokens + 1`);
  const charge = (keyHash: string, kvkNumber: string, nowMs: number): Charged | undefined => {
    const { minute, month, day } = periodsOf(nowMs);
    const found = company.get(kvkNumber);
    const key = window.get(keyHash, minute);
    const account = key && allowance.get(key["account_id"] ?? null, month);
    if (found === undefined || key === undefined || account === undefined) return undefined;
    ledger.run(key["account_id"] ?? null, key["id"] ?? null, day);
    return { calls: Number(key["calls"]), used: Number(account["used"]), body: String(found["body"]) };
  };
  return {
    lookUp(keyHash, kvkNumber, nowMs) {
      begin.run();
      const charged = charge(keyHash, kvkNumber, nowMs);
      if (charged === undefined) rollBack.run();
      else commit.run();
      return charged;
    },
    close: () => db.close(),
  };
}
