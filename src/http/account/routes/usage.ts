import { Type } from "typebox";
import {
  AccountUsageSchema,
  UsageMonthsSchema,
  type UsageRange,
  UsageRangeSchema,
} from "../../../contract/accountResources.ts";
import { invalid } from "../../../contract/errors.ts";
import { SPREADSHEET_START, spreadsheetRow } from "../../../lib/spreadsheet.ts";
import { monthsOf, requestedMonth, sumsOf } from "../../../metering/accountUsage.ts";
import type { Figures } from "../../../metering/ledger.ts";
import { linesInSteps, sumsByDay, sumsByKey } from "../../../metering/ledgerReads.ts";
import type { LedgerQueries } from "../../../metering/queries/ledger.ts";
import { type Month, presentMonth, usageOf } from "../../../metering/usage.ts";
import { type AccountRoute, forSignedIn, type SignedInRequest } from "../route.ts";
import { allowanceOf } from "./adminAccounts.ts";
import { fileOf } from "./export.ts";
import { namesOf } from "./keys.ts";

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
 * Usage of test keys has its own columns, so that adding up a column never mixes paid and free calls. Failed calls with
 * test keys are not counted.
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
    handler: (_input, { account, services, accountId }) => monthsOf(services, accountId, account.now()),
  }),

  forSignedIn("GET /account/usage.csv", {
    status: 200,
    schema: { querystring: Type.Object({ month: MonthField }) },
    handler: async ({ query }, request) => {
      const { account, services, accountId } = request;
      const month = await requestedMonth(services.ledger, accountId, account.now(), query.month);
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
        namedSums(request, ledger, from, to, key),
        namedSums(request, testLedger, from, to, key),
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

/** Sums a range of days, optionally of one key. */
async function namedSums(
  request: SignedInRequest,
  ledger: LedgerQueries,
  from: string,
  to: string,
  key: string | undefined,
): Promise<NonNullable<UsageRange["test"]>> {
  const { accountId } = request;
  const sums = await sumsOf(ledger, accountId, from, to, key);
  const names = await namesOf(request, accountId, sums.byKey);
  return { ...sums, byKey: sums.byKey.map((used) => ({ ...used, ...names.get(used.keyId) })) };
}
