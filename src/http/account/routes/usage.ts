import type { Readable } from "node:stream";
import { Type } from "typebox";
import {
  type AccountUsage,
  AccountUsageSchema,
  type UsageMonths,
  UsageMonthsSchema,
  type UsageRange,
  UsageRangeSchema,
} from "../../../contract/accountResources.ts";
import { ApiError } from "../../../contract/errors.ts";
import type { LedgerOperation } from "../../../contract/prices.ts";
import { SPREADSHEET_START, spreadsheetRow } from "../../../lib/spreadsheet.ts";
import type { DayFigures, Figures, LedgerLine } from "../../../metering/ledger.ts";
import { linesInSteps, sumsByDay, sumsByKey, sumsByMonth } from "../../../metering/ledgerReads.ts";
import { added, type Month, monthNamed, NO_FIGURES, presentMonth, usageOf } from "../../../metering/usage.ts";
import { type AccountRoute, forSignedIn, type SignedInVisit, type Visit } from "../route.ts";
import { allowanceOf } from "./adminAccounts.ts";
import { fileBody } from "./export.ts";
import { namesOf } from "./keys.ts";

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

const DAY = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$";
const DAY_MS = 86_400_000;
/** A year, with a day to spare: what one answer may have to add up is bounded. */
const MOST_DAYS = 367;

const dayField = (which: string) =>
  Type.String({ pattern: DAY, description: `The ${which} day, UTC.`, "x-rule": "a day such as 2026-11-21" });

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
  forSignedIn("GET /account/usage", {
    schema: { response: AccountUsageSchema },
    handler: async (_input, visit): Promise<AccountUsage> => {
      const { account, services, signedIn, accountId: id } = visit;
      const { tierName } = signedIn.person.account;
      const month = await presentMonth(services.ledger, id, account.now());
      const { firstDay, lastDay } = month;
      const [days, tested, keys] = await Promise.all([
        sumsByDay(services.ledger, id, firstDay, lastDay),
        sumsByDay(services.testLedger, id, firstDay, lastDay),
        sumsByKey(services.ledger, id, firstDay, lastDay, { most: MOST_KEYS }),
      ]);
      const names = await namesOf(visit, id, keys);
      return usageOf({ tierName, limit: allowanceOf(services, tierName), month, days, tested, keys, names });
    },
  }),

  forSignedIn("GET /account/usage/months", {
    schema: { response: UsageMonthsSchema },
    handler: (_input, visit) => monthsOf(visit, visit.accountId),
  }),

  forSignedIn("GET /account/usage.csv", {
    status: 200,
    schema: { querystring: Type.Object({ month: MonthField }) },
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

  forSignedIn("GET /account/usage/range", {
    schema: {
      querystring: Type.Object({
        from: dayField("first"),
        to: dayField("last"),
        key: Type.Optional(
          Type.String({ maxLength: 64, description: "What the key of this id used alone." }),
        ),
      }),
      response: UsageRangeSchema,
    },
    handler: async ({ query: { from, to, key } }, visit): Promise<UsageRange> => {
      const { services, accountId: id } = visit;
      const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
      if (!(days >= 1 && days <= MOST_DAYS)) {
        throw new ApiError(
          "INVALID_REQUEST",
          `from and to are days of which from is not the later one, ${MOST_DAYS} days at most; ask for less at once`,
        );
      }
      const [live, test] = await Promise.all(
        [services.ledger, services.testLedger].map((ledger) =>
          sumsOf(visit, linesInSteps(ledger, id, from, to), key),
        ),
      );
      return { from, to, ...(live ?? NOTHING), ...(test && { test }) };
    },
  }),
];

/** The lines of a month, those of test keys behind the others, as rows under the names of their columns. */
async function* usageRows(visit: SignedInVisit, { firstDay, lastDay }: Month): AsyncGenerator<string, void> {
  const { ledger, testLedger } = visit.services;
  const { accountId: id } = visit;
  const columns = [...LINE_COLUMNS, ...[...FIGURE_COLUMNS, ...TEST_COLUMNS].map(([column]) => column)];
  let before = SPREADSHEET_START + spreadsheetRow(columns);
  const live = cellsOf(FIGURE_COLUMNS);
  const test = cellsOf(TEST_COLUMNS);
  for (const [books, cells] of [
    [ledger, (line: Figures) => [...live(line), ...test(undefined)]],
    [testLedger, (line: Figures) => [...live(undefined), ...test(line)]],
  ] as const) {
    for await (const lines of linesInSteps(books, id, firstDay, lastDay)) {
      const keys = await namesOf(visit, id, lines);
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

type Sums = NonNullable<UsageRange["test"]>;

const NOTHING: Sums = { total: NO_FIGURES, byOperation: [], byKey: [] };

/**
 * Sums of lines, those of one key where that is named.
 * @returns undefined where there are none
 */
async function sumsOf(
  visit: SignedInVisit,
  steps: AsyncIterable<readonly LedgerLine[]>,
  keyAsked: string | undefined,
): Promise<Sums | undefined> {
  const [operations, keys] = [new Map<LedgerOperation, Figures>(), new Map<string, Figures>()];
  for await (const lines of steps) {
    for (const line of lines) {
      if (keyAsked !== undefined && line.keyId !== keyAsked) continue;
      add(operations, line.operation, line);
      add(keys, line.keyId, line);
    }
  }
  if (keys.size === 0) return undefined;
  const byKey = mostFirst(keys).map(([keyId, figures]) => ({ keyId, ...figures }));
  const names = await namesOf(visit, visit.accountId, byKey);
  return {
    total: [...operations.values()].reduce<Figures>(added, NO_FIGURES),
    byOperation: mostFirst(operations).map(([operation, figures]) => ({ operation, ...figures })),
    byKey: byKey.map((used) => ({ ...used, ...names.get(used.keyId) })),
  };
}

/** Sums by what was called, what spent most first. */
export function byOperationOf(lines: readonly DayFigures[]): ({ operation: LedgerOperation } & Figures)[] {
  const sums = new Map<LedgerOperation, Figures>();
  for (const line of lines) add(sums, line.operation, line);
  return mostFirst(sums).map(([operation, figures]) => ({ operation, ...figures }));
}

function add<Name>(sums: Map<Name, Figures>, name: Name, line: Figures): void {
  sums.set(name, added(sums.get(name) ?? NO_FIGURES, line));
}

function mostFirst<Name>(sums: ReadonlyMap<Name, Figures>): [Name, Figures][] {
  return [...sums].sort(([, one], [, other]) => other.tokens - one.tokens || other.requests - one.requests);
}
