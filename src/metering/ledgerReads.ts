/** Reads an account's ledger lines and sums in small steps, so that other users of the state are not delayed. Each line counts once, as it was when its step was read. */
import {
  type DayFigures,
  type Figures,
  type KeyFigures,
  type LedgerLine,
  type LedgerLineId,
  type LedgerStore,
  type LedgerSum,
  LINES_PER_STEP,
  type SummedBy,
} from "./ledger.ts";
import { added } from "./usage.ts";

/**
 * Yields all lines of an account in order. Includes a line that begins in the meantime if its position is still to come.
 * @param fromDay the first day, YYYY-MM-DD, UTC
 * @param toDay the last day, included
 */
export async function* linesInSteps(
  ledger: Pick<LedgerStore, "lines">,
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
  for await (const some of linesInSteps(...parameters)) lines.push(...some);
  return lines;
}

type SummedLedger = Pick<LedgerStore, "sums">;

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
  const sums = await all(ledger, accountId, [fromDay, toDay], "day", keyIds);
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, { of: day, operation, lastDay: _last, ...figures }]) =>
      operation === undefined ? [] : [{ day, operation, ...figures }],
    );
}

/** Returns sums by month (YYYY-MM) from a day on, in order; months without a line are absent. */
export async function sumsByMonth(
  ledger: SummedLedger,
  accountId: string,
  fromDay: string,
): Promise<readonly (Figures & { readonly month: string })[]> {
  const sums = await all(ledger, accountId, [fromDay, LAST_DAY], "month");
  return [...sums.values()]
    .map(({ of: month, lastDay: _last, ...figures }) => ({ month, ...figures }))
    .sort((one, other) => (one.month < other.month ? -1 : 1));
}

/** Returns sums by key: of the keys with the highest spending, or of the given ones. */
export async function sumsByKey(
  ledger: SummedLedger,
  accountId: string,
  fromDay: string,
  toDay: string,
  which: { readonly most: number } | { readonly keyIds: readonly string[] },
): Promise<readonly KeyFigures[]> {
  const isNamed = "keyIds" in which;
  if (isNamed && which.keyIds.length === 0) return [];
  const sums = await all(ledger, accountId, [fromDay, toDay], "key", isNamed ? which.keyIds : undefined);
  const keys = [...sums.values()].map(({ of: keyId, lastDay: _last, ...figures }) => ({ keyId, ...figures }));
  if (isNamed) return keys;
  return keys
    .sort(
      (one, other) =>
        other.tokens - one.tokens || other.requests - one.requests || (one.keyId < other.keyId ? -1 : 1),
    )
    .slice(0, which.most);
}

/** Returns the last day with a call for each of these keys. */
export async function lastUse(
  ledger: SummedLedger,
  accountId: string,
  keyIds: readonly string[],
): Promise<readonly { readonly keyId: string; readonly day: string }[]> {
  if (keyIds.length === 0) return [];
  const sums = await all(ledger, accountId, [FIRST_DAY, LAST_DAY], "key", keyIds);
  return [...sums.values()].flatMap(({ of: keyId, lastDay: day }) =>
    day === undefined ? [] : [{ keyId, day }],
  );
}

/** @param days the first and the last one, included */
async function all(
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
      const name = sum.operation === undefined ? sum.of : `${sum.of} ${sum.operation}`;
      const before = sums.get(name);
      // Steps are ordered by day: the later step has the later day.
      sums.set(name, before === undefined ? sum : { ...before, ...sum, ...added(before, sum) });
    }
    after = step.next;
  } while (after !== undefined);
  return sums;
}
