import { Type } from "typebox";
import {
  type AccountUsage,
  AccountUsageSchema,
  type UsageMonths,
  UsageMonthsSchema,
} from "../../../contract/accountResources.ts";
import { SPREADSHEET_START, spreadsheetRow } from "../../../lib/spreadsheet.ts";
import { type Month, monthNamed, NO_FIGURES, presentMonth, usageOf } from "../../../metering/usage.ts";
import { type AccountRoute, forSignedIn, type Visit } from "../route.ts";
import { namesOf } from "./keyNames.ts";

const MONTHS = 12;
/** The keys that spent most are shown; the others together. */
const MOST_KEYS = 100;
const CSV_COLUMNS = [
  "day",
  "key_id",
  "key_name",
  "operation",
  "requests",
  "tokens",
  "refused_by_rate",
  "refused_by_allowance",
  "failed_by_caller",
  "failed_by_service",
  "sessions",
  "session_calls",
];

/** The month of a query. */
export const MonthField = Type.Optional(
  Type.String({
    pattern: "^[0-9]{4}-(0[1-9]|1[0-2])$",
    description: "Which month; the present one when left out.",
    "x-rule": "a month such as 2026-11",
  }),
);

/** What was used, from the ledger's own lines. */
export const usageRoutes: readonly AccountRoute[] = [
  forSignedIn({
    method: "GET",
    path: "/account/usage",
    status: 200,
    schema: { response: AccountUsageSchema },
    handler: async (_input, visit): Promise<AccountUsage> => {
      const { account, services, signedIn } = visit;
      const { id, tierName } = signedIn.person.account;
      const month = await presentMonth(services.ledger, id, account.now());
      const { firstDay, lastDay } = month;
      const [days, tested, keys] = await Promise.all([
        services.ledger.days(id, firstDay, lastDay),
        services.testLedger.days(id, firstDay, lastDay),
        services.ledger.keys(id, firstDay, lastDay, { most: MOST_KEYS }),
      ]);
      const tier = Object.hasOwn(services.tiers, tierName) ? services.tiers[tierName] : undefined;
      return usageOf({
        tierName,
        limit: tier?.monthlyTokens ?? 0,
        month,
        days,
        tested,
        keys,
        names: await namesOf(
          visit,
          id,
          keys.map(({ keyId }) => keyId),
        ),
      });
    },
  }),

  forSignedIn({
    method: "GET",
    path: "/account/usage/months",
    status: 200,
    schema: { response: UsageMonthsSchema },
    handler: (_input, visit) => monthsOf(visit, visit.signedIn.person.account.id),
  }),

  forSignedIn({
    method: "GET",
    path: "/account/usage.csv",
    status: 200,
    schema: {
      querystring: Type.Object({
        month: MonthField,
      }),
    },
    handler: async ({ query }, visit): Promise<string> => {
      const { services, signedIn } = visit;
      const { id } = signedIn.person.account;
      const month = await monthAsked(visit, id, query.month);
      const lines = await services.ledger.lines(id, month.firstDay, month.lastDay);
      const keys = await namesOf(
        visit,
        id,
        lines.map(({ keyId }) => keyId),
      );
      visit.asFile(`opzoek-usage-${month.name}.csv`, "text/csv; charset=utf-8");
      const rows = lines.map((line) =>
        spreadsheetRow([
          line.day,
          line.keyId,
          keys.get(line.keyId)?.name ?? "",
          line.operation,
          ...[
            line.requests,
            line.tokens,
            line.refusedByRate,
            line.refusedByAllowance,
            line.failedByCaller,
            line.failedByService,
            line.sessions,
            line.sessionCalls,
          ].map(String),
        ]),
      );
      return SPREADSHEET_START + spreadsheetRow(CSV_COLUMNS) + rows.join("");
    },
  }),
];

/** Twelve months of an account. */
export async function monthsOf({ account, services }: Visit, accountId: string): Promise<UsageMonths> {
  const last = await presentMonth(services.ledger, accountId, account.now());
  const months = Array.from({ length: MONTHS }, (_, index) => monthNamed(last.month - MONTHS + 1 + index));
  const used = await services.ledger.months(accountId, months[0]?.firstDay ?? last.firstDay);
  const byName = new Map(used.map(({ month, ...figures }) => [month, figures]));
  return { months: months.map(({ name }) => ({ month: name, ...(byName.get(name) ?? NO_FIGURES) })) };
}

/** The month that was asked for (YYYY-MM), else the one that an account's calls count in. */
export async function monthAsked(
  { account, services }: Visit,
  accountId: string,
  asked: string | undefined,
): Promise<Month> {
  if (asked === undefined) return presentMonth(services.ledger, accountId, account.now());
  return monthNamed(Number(asked.slice(0, 4)) * 12 + Number(asked.slice(5)) - 1);
}
