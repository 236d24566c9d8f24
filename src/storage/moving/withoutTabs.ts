import type { MovedTable } from "./tables.ts";

/** Beside the open tab of the row's account, if it has one. */
const BESIDE = {
  account_months: "tab.account_id = held.account_id and tab.month = held.month",
  keys: "tab.account_id = held.account_id and tab.key_id = held.id",
  ledger:
    "tab.account_id = held.account_id and tab.key_id = held.key_id and tab.open_day = held.day and tab.open_operation = held.operation",
} as const;

/** What an open tab tells in the place of the row. */
const TOLD = {
  account_months: { used: "coalesce(tab.used, held.used)" },
  keys: {
    minute: "coalesce(tab.minute, held.minute)",
    calls_in_minute: "coalesce(tab.calls_in_minute, held.calls_in_minute)",
  },
  ledger: {
    requests: "held.requests + coalesce(tab.open_requests, 0)",
    tokens: "held.tokens + coalesce(tab.open_tokens, 0)",
  },
} as const satisfies Record<keyof typeof BESIDE, Record<string, string>>;

/** The columns of the ledger's line that a tab holds. */
const LINE_OF_TAB: Readonly<Record<string, string>> = {
  account_id: "tab.account_id",
  day: "tab.open_day",
  key_id: "tab.key_id",
  operation: "tab.open_operation",
  requests: "tab.open_requests",
  tokens: "tab.open_tokens",
};

/**
 * The rows of a table on PostgreSQL as they would be if no tab were open, in SQL to be selected from. What is moved holds no tabs: they are how one
 * store counts, and a state must be the same on each.
 * @param columns the table's own, in their order
 */
export function withoutTabs(table: MovedTable, columns: readonly string[]): string {
  if (table !== "account_months" && table !== "keys" && table !== "ledger") return table;
  const told: Readonly<Record<string, string>> = TOLD[table];
  const listed = columns.map((name) => `${told[name] ?? `held.${name}`} as ${name}`);
  const rows = `select ${listed.join(", ")} from ${table} as held left join account_tabs as tab on ${BESIDE[table]}`;
  if (table !== "ledger") return `(${rows}) as closed`;
  const line = columns.map((name) => `${LINE_OF_TAB[name] ?? "0"} as ${name}`);
  return `(${rows} union all
    select ${line.join(", ")} from account_tabs as tab
    where tab.open_day is not null and not exists (select from ledger as held where ${BESIDE.ledger})) as closed`;
}
