import type { BatchChanges } from "../../metering/batchRows.ts";
import type { Books } from "../books.ts";
import { columnLiterals } from "./arrayLiterals.ts";
import type { PreparedStatement } from "./statementGroup.ts";

/** What keys for browsers have spent on their day, in a statement where there are any. */
export function daysStatements(windows: BatchChanges["windows"]): PreparedStatement[] {
  const days = windows.flatMap(({ keyId, browser }) => (browser ? [{ keyId, ...browser.cap }] : []));
  if (days.length === 0) return [];
  return [
    {
      name: "opzoek_days",
      text: `update keys set spending_day = d.day, spent_in_day = d.spent
             from unnest($1::text[], $2::bigint[], $3::bigint[]) as d (id, day, spent) where keys.id = d.id`,
      values: columnLiterals(days, ["keyId", "day", "spent"]),
    },
  ];
}

export function reserveStatement(
  reserved: BatchChanges["reserved"],
  { reservations }: Books,
): PreparedStatement {
  return {
    name: `opzoek_reserve_${reservations}`,
    text: `insert into ${reservations} (id, account_id, key_id, operation, month, tokens, expires_at_ms, given_back,
                                       keep_id, request_hash, spending_day, session, session_began_ms)
             select id, account_id, key_id, operation, month, tokens, expires_at_ms, 0,
                    nullif(keep_id, ''), nullif(request_hash, ''), spending_day, session, session_began_ms
             from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::bigint[], $7::bigint[],
                         $8::text[], $9::text[], $10::bigint[], $11::text[], $12::bigint[])
               as r (id, account_id, key_id, operation, month, tokens, expires_at_ms, keep_id, request_hash, spending_day,
                     session, session_began_ms)`,
    values: columnLiterals(
      reserved.map(({ keep, ...rest }) => ({
        ...rest,
        keepId: keep?.id ?? "",
        requestHash: keep?.requestHash ?? "",
      })),
      [
        ...(["id", "accountId", "keyId", "operation", "month", "tokens", "expiresAtMs"] as const),
        ...(["keepId", "requestHash", "spendingDay", "session", "beganAtMs"] as const),
      ],
    ),
  };
}

/** Reservations that share what one of them set aside, in a statement where there are any. */
export function shareStatements(
  shared: BatchChanges["shared"],
  { reservations }: Books,
): PreparedStatement[] {
  if (shared.length === 0) return [];
  return [
    {
      name: `opzoek_share_${reservations}`,
      text: `update ${reservations} set tokens = s.tokens, spending_day = s.day, session_began_ms = s.began
             from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) as s (id, tokens, day, began)
             where ${reservations}.id = s.id`,
      values: columnLiterals(shared, ["id", "tokens", "spendingDay", "beganAtMs"]),
    },
  ];
}
