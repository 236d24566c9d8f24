import { Type } from "typebox";
import {
  type AccountUsage,
  AccountUsageSchema,
  type UsageMonths,
  UsageMonthsSchema,
} from "../../../contract/accountResources.ts";
import { SPREADSHEET_START, spreadsheetRow } from "../../../registry/spreadsheet.ts";
import { type AccountRoute, forSignedIn, type SignedInVisit } from "../route.ts";
import { monthNamed, type NamedKeys, NO_FIGURES, presentMonth, usageOf } from "../usage.ts";

const MONTHS = 12;
const CSV_COLUMNS = [
  "day",
  "key_id",
  "key_name",
  "operation",
  "requests",
  "tokens",
  "refused_by_rate",
  "refused_by_allowance",
];

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
      const lines = await services.ledger.ledger(id, month.firstDay, month.lastDay);
      const tier = Object.hasOwn(services.tiers, tierName) ? services.tiers[tierName] : undefined;
      return usageOf({
        tierName,
        limit: tier?.monthlyTokens ?? 0,
        month,
        lines,
        keys: await keysOf(visit),
      });
    },
  }),

  forSignedIn({
    method: "GET",
    path: "/account/usage/months",
    status: 200,
    schema: { response: UsageMonthsSchema },
    handler: async (_input, { account, services, signedIn }): Promise<UsageMonths> => {
      const { id } = signedIn.person.account;
      const last = await presentMonth(services.ledger, id, account.now());
      const months = Array.from({ length: MONTHS }, (_, index) =>
        monthNamed(last.month - MONTHS + 1 + index),
      );
      const used = await account.people.ledgerMonths(id, months[0]?.firstDay ?? last.firstDay);
      const byName = new Map(used.map(({ month, ...figures }) => [month, figures]));
      return { months: months.map(({ name }) => ({ month: name, ...(byName.get(name) ?? NO_FIGURES) })) };
    },
  }),

  forSignedIn({
    method: "GET",
    path: "/account/usage.csv",
    status: 200,
    schema: {
      querystring: Type.Object({
        month: Type.Optional(
          Type.String({
            pattern: "^[0-9]{4}-(0[1-9]|1[0-2])$",
            description: "Which month; the present one when left out.",
            "x-rule": "a month such as 2026-11",
          }),
        ),
      }),
    },
    handler: async ({ query }, visit): Promise<string> => {
      const { account, services, signedIn } = visit;
      const { id } = signedIn.person.account;
      const month =
        query.month === undefined
          ? await presentMonth(services.ledger, id, account.now())
          : monthNamed(Number(query.month.slice(0, 4)) * 12 + Number(query.month.slice(5)) - 1);
      const lines = await services.ledger.ledger(id, month.firstDay, month.lastDay);
      const keys = await keysOf(visit);
      visit.asFile(`opzoek-usage-${month.name}.csv`, "text/csv; charset=utf-8");
      const rows = lines.map((line) =>
        spreadsheetRow([
          line.day,
          line.keyId,
          keys.get(line.keyId)?.name ?? "",
          line.operation,
          ...[line.requests, line.tokens, line.refusedByRate, line.refusedByAllowance].map(String),
        ]),
      );
      return SPREADSHEET_START + spreadsheetRow(CSV_COLUMNS) + rows.join("");
    },
  }),
];

async function keysOf({ account, signedIn }: SignedInVisit): Promise<NamedKeys> {
  const keys = await account.accounts.keys(signedIn.person.account.id);
  return new Map(keys.map(({ id, name, lastFour }) => [id, { name, lastFour }]));
}
