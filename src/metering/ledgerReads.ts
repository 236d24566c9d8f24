/**
 * Reads an account's ledger lines and sums in small steps, so that other users of the state are not delayed. Each line
 * counts once, with its values at the time of its step.
 */

import {
  type DayFigures,
  type Figures,
  type KeyFigures,
  type LedgerLine,
  type LedgerLineId,
  type LedgerSum,
  LINES_PER_STEP,
  type SummedBy,
} from "./ledger.ts";
import type { LedgerQueries } from "./queries/ledger.ts";
import { addFigures } from "./usage.ts";

/**
 * Yields all lines of an account in order. Includes a line that begins in the meantime if its position is still to
 * come.
 * @param fromDay the first day, YYYY-MM-DD, UTC
 * @param toDay the last day, included
 */
export async function* linesInSteps(
  ledger: Pick<LedgerQueries, "lines">,
  accountId: string,
  fromDay: string,
  toDay: string,
): AsyncGenerator<readonly LedgerLine[], void> {
  let after: LedgerLineId | undefined;
  do {
    const lines = await ledger.lines(accountId, fromDay, toDay, after);
    if (lines.length > 0) yield lines;
    after = lines.length < LINES_PER_STEP ? undefined : lines.at(-1);
  } while (after !== undefined);
}

/** Returns all lines at once. */
export async function allLines(
  ...parameters: Parameters<typeof linesInSteps>
): Promise<readonly LedgerLine[]> {
  const lines: LedgerLine[] = [];
  for await (const step of linesInSteps(...parameters)) lines.push(...step);
  return lines;
}

type SummedLedger = Pick<LedgerQueries, "sums">;

const FIRST_DAY = "0000-01-01";
const LAST_DAY = "9999-12-31";

/** Returns sums by day and operation, in order. @param keyIds only these keys */
export async function sumsByDay(
  ledger: SummedLedger,
  accountId: string,
  fromDay: string,
  toDay: string,
  keyIds?: readonly string[],
): Promise<readonly DayFigures[]> {
  const sums = await sumInSteps(ledger, accountId, [fromDay, toDay], "day", keyIds);
  return [...sums]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, { group: day, operation, lastDay: _last, ...figures }]) =>
      operation === undefined ? [] : [{ day, operation, ...figures }],
    );
}

/** Returns sums by month (YYYY-MM) from a day on, in order; months without a line are absent. */
export async function sumsByMonth(
  ledger: SummedLedger,
  accountId: string,
  fromDay: string,
): Promise<readonly (Figures & { readonly month: string })[]> {
  const sums = await sumInSteps(ledger, accountId, [fromDay, LAST_DAY], "month");
  return [...sums.values()]
    .map(({ group: month, lastDay: _last, ...figures }) => ({ month, ...figures }))
    .sort((left, right) => (left.month < right.month ? -1 : 1));
}

/** Returns sums by key: of the keys with the highest spending, or of the given ones. */
export async function sumsByKey(
  ledger: SummedLedger,
  accountId: string,
  fromDay: string,
  toDay: string,
  selection: { readonly limit: number } | { readonly keyIds: readonly string[] },
): Promise<readonly KeyFigures[]> {
  const isNamed = "keyIds" in selection;
  if (isNamed && selection.keyIds.length === 0) return [];
  const sums = await sumInSteps(
    ledger,
    accountId,
    [fromDay, toDay],
    "key",
    isNamed ? selection.keyIds : undefined,
  );
  const keys = [...sums.values()].map(({ group: keyId, lastDay: _last, ...figures }) => ({
    keyId,
    ...figures,
  }));
  if (isNamed) return keys;
  return keys
    .sort(
      (left, right) =>
        right.tokens - left.tokens || right.requests - left.requests || (left.keyId < right.keyId ? -1 : 1),
    )
    .slice(0, selection.limit);
}

/** Returns the last day with a call for each of these keys. */
export async function lastUse(
  ledger: SummedLedger,
  accountId: string,
  keyIds: readonly string[],
): Promise<readonly { readonly keyId: string; readonly day: string }[]> {
  if (keyIds.length === 0) return [];
  const sums = await sumInSteps(ledger, accountId, [FIRST_DAY, LAST_DAY], "key", keyIds);
  return [...sums.values()].flatMap(({ group: keyId, lastDay: day }) =>
    day === undefined ? [] : [{ keyId, day }],
  );
}

/** @param days the first and the last one, included */
async function sumInSteps(
  ledger: SummedLedger,
  accountId: string,
  [fromDay, toDay]: readonly [string, string],
  by: SummedBy,
  keyIds?: readonly string[],
): Promise<ReadonlyMap<string, LedgerSum>> {
  const sums = new Map<string, LedgerSum>();
  let after: LedgerLineId | undefined;
  do {
    const step = await ledger.sums(accountId, fromDay, toDay, by, after, keyIds);
    for (const sum of step.sums) {
      const key = sum.operation === undefined ? sum.group : `${sum.group} ${sum.operation}`;
      const before = sums.get(key);
      // Steps are ordered by day: the later step has the later day.
      sums.set(key, before === undefined ? sum : { ...before, ...sum, ...addFigures(before, sum) });
    }
    after = step.next;
  } while (after !== undefined);
  return sums;
}
