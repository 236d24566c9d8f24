import type { Readable } from "node:stream";
import { Type } from "typebox";
import {
  type AccountUsage,
  AccountUsageSchema,
  type UsageMonths,
  UsageMonthsSchema,
} from "../../../contract/accountResources.ts";
import { SPREADSHEET_START, spreadsheetRow } from "../../../lib/spreadsheet.ts";
import type { Figures } from "../../../metering/ledger.ts";
import { linesInSteps } from "../../../metering/ledgerSteps.ts";
import { sumsByDay, sumsByKey, sumsByMonth } from "../../../metering/ledgerSums.ts";
import { type Month, monthNamed, NO_FIGURES, presentMonth, usageOf } from "../../../metering/usage.ts";
import { type AccountRoute, forSignedIn, type SignedInVisit, type Visit } from "../route.ts";
import { fileBody } from "./fileBody.ts";
import { namesOf } from "./keyNames.ts";

const MONTHS = 12;
/** The keys that spent most are shown; the others together. */
const MOST_KEYS = 100;
const LINE_COLUMNS = ["day", "key_id", "key_name", "operation"];
const FIGURE_COLUMNS = [
  ["requests", "requests"],
  ["tokens", "tokens"],
  ["refused_by_rate", "refusedByRate"],
  ["refused_by_allowance", "refusedByAllowance"],
  ["failed_by_caller", "failedByCaller"],
  ["failed_by_service", "failedByService"],
  ["sessions", "sessions"],
  ["session_calls", "sessionCalls"],
] as const satisfies readonly (readonly [string, keyof Figures])[];
/**
 * What test keys did stands in columns of its own, so that who adds a column up has what was paid for or what was tried, never both. Failed calls
 * of test keys are not counted.
 */
const TEST_COLUMNS = FIGURE_COLUMNS.filter(([column]) => !column.startsWith("failed_")).map(
  ([column, figure]) => [`test_${column}`, figure] as const,
);

/** The cells of some columns; empty where a line has nothing in them. */
function cellsOf(columns: readonly (readonly [string, keyof Figures])[]) {
  return (line: Figures | undefined) => columns.map(([, figure]) => (line ? String(line[figure]) : ""));
}

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
        sumsByDay(services.ledger, id, firstDay, lastDay),
        sumsByDay(services.testLedger, id, firstDay, lastDay),
        sumsByKey(services.ledger, id, firstDay, lastDay, { most: MOST_KEYS }),
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
    handler: async ({ query }, visit): Promise<Readable> => {
      const { account } = visit.signedIn.person;
      const month = await monthAsked(visit, account.id, query.month);
      const body = await visit.services.downloads.with(account, (bodyOf) =>
        fileBody(usageRows(visit, month), bodyOf),
      );
      visit.asFile(`opzoek-usage-${month.name}.csv`, "text/csv; charset=utf-8");
      return body;
    },
  }),
];

/** The lines of a month, those of test keys behind the others, as rows under the names of their columns. */
async function* usageRows(visit: SignedInVisit, { firstDay, lastDay }: Month): AsyncGenerator<string, void> {
  const { ledger, testLedger } = visit.services;
  const { id } = visit.signedIn.person.account;
  const columns = [...LINE_COLUMNS, ...[...FIGURE_COLUMNS, ...TEST_COLUMNS].map(([column]) => column)];
  let before = SPREADSHEET_START + spreadsheetRow(columns);
  const live = cellsOf(FIGURE_COLUMNS);
  const test = cellsOf(TEST_COLUMNS);
  for (const [books, cells] of [
    [ledger, (line: Figures) => [...live(line), ...test(undefined)]],
    [testLedger, (line: Figures) => [...live(undefined), ...test(line)]],
  ] as const) {
    for await (const lines of linesInSteps(books, id, firstDay, lastDay)) {
      const keys = await namesOf(
        visit,
        id,
        lines.map(({ keyId }) => keyId),
      );
      const rows = lines.map((line) =>
        spreadsheetRow([
          line.day,
          line.keyId,
          keys.get(line.keyId)?.name ?? "",
          line.operation,
          ...cells(line),
        ]),
      );
      yield before + rows.join("");
      before = "";
    }
  }
  if (before !== "") yield before;
}

/** Twelve months of an account. */
export async function monthsOf({ account, services }: Visit, accountId: string): Promise<UsageMonths> {
  const last = await presentMonth(services.ledger, accountId, account.now());
  const months = Array.from({ length: MONTHS }, (_, index) => monthNamed(last.month - MONTHS + 1 + index));
  const first = months[0]?.firstDay ?? last.firstDay;
  const [used, tested] = await Promise.all([
    sumsByMonth(services.ledger, accountId, first),
    sumsByMonth(services.testLedger, accountId, first),
  ]);
  const byName = new Map(used.map(({ month, ...figures }) => [month, figures]));
  const testByName = new Map(tested.map(({ month, requests, tokens }) => [month, { requests, tokens }]));
  return {
    months: months.map(({ name }) => {
      const test = testByName.get(name);
      return { month: name, ...(byName.get(name) ?? NO_FIGURES), ...(test && { test }) };
    }),
  };
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
