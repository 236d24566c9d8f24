import { Type } from "typebox";
import {
  AccountUsageSchema,
  type UsageMonths,
  UsageMonthsSchema,
  type UsageRange,
  UsageRangeSchema,
} from "../../../contract/accountResources.ts";
import { invalid } from "../../../contract/errors.ts";
import type { LedgerOperation } from "../../../contract/prices.ts";
import { SPREADSHEET_START, spreadsheetRow } from "../../../lib/spreadsheet.ts";
import type { DayFigures, Figures } from "../../../metering/ledger.ts";
import { linesInSteps, sumsByDay, sumsByKey, sumsByMonth } from "../../../metering/ledgerReads.ts";
import type { LedgerQueries } from "../../../metering/queries/ledger.ts";
import {
  addFigures,
  type Month,
  monthNamed,
  NO_FIGURES,
  presentMonth,
  usageOf,
} from "../../../metering/usage.ts";
import { type AccountRoute, forSignedIn, type PersonRequest, type SignedInRequest } from "../route.ts";
import { allowanceOf } from "./adminAccounts.ts";
import { fileOf } from "./export.ts";
import { namesOf } from "./keys.ts";

const MONTHS = 12;
/** The keys with the highest spending are listed; the others are summed. */
const MAX_KEYS = 100;
const LINE_COLUMNS = ["day", "key_id", "key_name", "operation"];
type Column = readonly [name: string, figure: keyof Figures];
const FIGURE_COLUMNS: readonly Column[] = [
  ["requests", "requests"],
  ["tokens", "tokens"],
  ["refused_by_rate", "refusedByRate"],
  ["refused_by_allowance", "refusedByAllowance"],
  ["failed_by_caller", "failedByCaller"],
  ["failed_by_service", "failedByService"],
  ["sessions", "sessions"],
  ["session_calls", "sessionCalls"],
];
/**
 * Usage of test keys has its own columns, so that adding up a column never mixes paid and free calls. Failed calls with test keys are not
 * counted.
 */
const TEST_COLUMNS: readonly Column[] = FIGURE_COLUMNS.filter(
  ([column]) => !column.startsWith("failed_"),
).map(([column, figure]) => [`test_${column}`, figure]);

const DAY = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$";
const DAY_MS = 86_400_000;
/** A year and a day: limits how much one response may add up. */
const MAX_DAYS = 367;

const dayField = (which: string) =>
  Type.String({ pattern: DAY, description: `The ${which} day, UTC.`, "x-rule": "a day such as 2026-11-21" });

/** The month in a query. */
export const MonthField = Type.Optional(
  Type.String({
    pattern: "^[0-9]{4}-(0[1-9]|1[0-2])$",
    description: "The month; the current one by default.",
    "x-rule": "a month such as 2026-11",
  }),
);

/** Usage, from the ledger's own lines. */
export const usageRoutes: readonly AccountRoute[] = [
  forSignedIn("GET /account/usage", {
    schema: { response: AccountUsageSchema },
    handler: async (_input, request) => {
      const { account, services, signedIn, accountId: id } = request;
      const { tierName } = signedIn.person.account;
      const month = await presentMonth(services.ledger, id, account.now());
      const { firstDay, lastDay } = month;
      const [days, tested, keys] = await Promise.all([
        sumsByDay(services.ledger, id, firstDay, lastDay),
        sumsByDay(services.testLedger, id, firstDay, lastDay),
        sumsByKey(services.ledger, id, firstDay, lastDay, { limit: MAX_KEYS }),
      ]);
      const names = await namesOf(request, id, keys);
      return usageOf({ tierName, limit: allowanceOf(services, tierName), month, days, tested, keys, names });
    },
  }),

  forSignedIn("GET /account/usage/months", {
    schema: { response: UsageMonthsSchema },
    handler: (_input, request) => monthsOf(request, request.accountId),
  }),

  forSignedIn("GET /account/usage.csv", {
    status: 200,
    schema: { querystring: Type.Object({ month: MonthField }) },
    handler: async ({ query }, request) => {
      const month = await requestedMonth(request, request.accountId, query.month);
      const name = `opzoek-usage-${month.name}.csv`;
      return fileOf(request, name, "text/csv; charset=utf-8", usageRows(request, month));
    },
  }),

  forSignedIn("GET /account/usage/range", {
    schema: {
      querystring: Type.Object({
        from: dayField("first"),
        to: dayField("last"),
        key: Type.Optional(
          Type.String({ maxLength: 64, description: "Only usage of the key with this id." }),
        ),
      }),
      response: UsageRangeSchema,
    },
    handler: async ({ query: { from, to, key } }, request) => {
      const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
      if (!(days >= 1 && days <= MAX_DAYS)) {
        throw invalid(`from must not be after to, and the range may span ${MAX_DAYS} days at most`);
      }
      const { ledger, testLedger } = request.services;
      const [live, test] = await Promise.all([
        sumsOf(request, ledger, from, to, key),
        sumsOf(request, testLedger, from, to, key),
      ]);
      return { from, to, ...live, ...(test.byKey.length > 0 && { test }) };
    },
  }),
];

/** The lines of a month as rows under their column names, those of test keys last. */
async function* usageRows(
  request: SignedInRequest,
  { firstDay, lastDay }: Month,
): AsyncGenerator<string, void> {
  const { ledger, testLedger } = request.services;
  const { accountId: id } = request;
  const columns = [...FIGURE_COLUMNS, ...TEST_COLUMNS];
  let before = SPREADSHEET_START + spreadsheetRow([...LINE_COLUMNS, ...columns.map(([column]) => column)]);
  for (const [books, filled] of [
    [ledger, FIGURE_COLUMNS],
    [testLedger, TEST_COLUMNS],
  ] as const) {
    for await (const lines of linesInSteps(books, id, firstDay, lastDay)) {
      const keys = await namesOf(request, id, lines);
      const rows = lines.map((line) => {
        const name = keys.get(line.keyId)?.name ?? "";
        const cells = columns.map((column) => (filled.includes(column) ? String(line[column[1]]) : ""));
        return spreadsheetRow([line.day, line.keyId, name, line.operation, ...cells]);
      });
      yield before + rows.join("");
      before = "";
    }
  }
  if (before !== "") yield before;
}

/** Returns twelve months of an account. */
export async function monthsOf(
  { account, services }: PersonRequest,
  accountId: string,
): Promise<UsageMonths> {
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

/** The requested month (YYYY-MM), or the one that an account's calls count in now. */
export async function requestedMonth(
  { account, services }: PersonRequest,
  id: string,
  requestedMonth?: string,
): Promise<Month> {
  if (requestedMonth === undefined) return presentMonth(services.ledger, id, account.now());
  return monthNamed(Number(requestedMonth.slice(0, 4)) * 12 + Number(requestedMonth.slice(5)) - 1);
}

/** Sums a range of days, optionally of one key. */
async function sumsOf(
  request: SignedInRequest,
  ledger: LedgerQueries,
  from: string,
  to: string,
  key: string | undefined,
): Promise<NonNullable<UsageRange["test"]>> {
  const { accountId: id } = request;
  const keyIds = key === undefined ? undefined : [key];
  const [days, keys] = await Promise.all([
    sumsByDay(ledger, id, from, to, keyIds),
    sumsByKey(ledger, id, from, to, keyIds ? { keyIds } : { limit: Number.POSITIVE_INFINITY }),
  ]);
  const names = await namesOf(request, id, keys);
  return {
    total: days.reduce<Figures>(addFigures, NO_FIGURES),
    byOperation: byOperationOf(days),
    byKey: keys.map((used) => ({ ...used, ...names.get(used.keyId) })),
  };
}

/** Sums by operation, highest spending first. */
export function byOperationOf(lines: readonly DayFigures[]): ({ operation: LedgerOperation } & Figures)[] {
  return [...Map.groupBy(lines, ({ operation }) => operation)]
    .map(([operation, ofIt]) => ({ operation, ...ofIt.reduce<Figures>(addFigures, NO_FIGURES) }))
    .sort((one, other) => other.tokens - one.tokens || other.requests - one.requests);
}
