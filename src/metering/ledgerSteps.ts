import { type LedgerLine, type LedgerLineId, type LedgerStore, LINES_IN_A_STEP } from "./ledger.ts";

/**
 * All lines of an account in their order, read step by step: whoever else waits for the state is let in between. Each line is told once, as it was
 * when it was read, whatever is counted meanwhile; a line that is begun meanwhile is told where its place is still to come.
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
    after = lines.length < LINES_IN_A_STEP ? undefined : lines.at(-1);
  } while (after !== undefined);
}

/** The same at once, for who prints them. */
export async function allLines(...asked: Parameters<typeof linesInSteps>): Promise<readonly LedgerLine[]> {
  const lines: LedgerLine[] = [];
  for await (const some of linesInSteps(...asked)) lines.push(...some);
  return lines;
}
