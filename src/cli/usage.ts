import { InvalidArgumentError } from "commander";
import { monthOf, monthStartMs } from "../lib/periods.ts";
import type { LedgerLine } from "../metering/ledger.ts";
import { allLines } from "../metering/ledgerReads.ts";
import type { LedgerQueries } from "../metering/queries/ledger.ts";
import type { AddCommand } from "./command.ts";
import { withAccounts } from "./opening.ts";
import { addPrinting } from "./output.ts";

export const addUsageCommand: AddCommand = (program, context) => {
  const command = program
    .command("usage")
    .description("show the usage of an account by day, key and operation, with refused and failed calls")
    .argument("<id>", "the account")
    .option("--month <YYYY-MM>", "month (default: the current one)", monthNumber);
  addPrinting(command, context, async (id: string, options: { readonly month?: number }) => {
    const { account, month, live, test } = await withAccounts(
      context,
      async (accounts, { ledger, testLedger }) => {
        const account = await accounts.find(id);
        // The current month follows the store's clock, as for the limits.
        const month = options.month ?? (await ledger.spent(id))?.month ?? monthOf(Date.now());
        const [live, test] = [await usageOf(ledger, id, month), await usageOf(testLedger, id, month)];
        return { account, month, live, test };
      },
    );
    const period = daysOf(month);
    const limit = context.settings().TIERS_FILE[account.tierName]?.monthlyTokens;
    const shown = ({ used, lines }: Usage) => ({
      tokens: { used, ...(limit !== undefined && { limit, remaining: Math.max(0, limit - used) }) },
      ledger: lines,
    });
    const hasTests = test.lines.length > 0;
    const document = {
      ...{ accountId: id, tier: account.tierName, period },
      ...shown(live),
      ...(hasTests && { test: shown(test) }),
    };
    const lines = () => [
      `${id}  ${account.tierName}  ${period.first} to ${period.last}  ${live.used} of ${limit ?? "?"} tokens`,
      ...live.lines.map(ledgerLine),
      ...(hasTests ? [`test keys: ${test.used} of ${limit ?? "?"} test tokens (free)`] : []),
      ...test.lines.map(ledgerLine),
    ];
    return { document, lines };
  });
};

/** The usage of an account in a month. */
interface Usage {
  readonly used: number;
  readonly lines: readonly LedgerLine[];
}

async function usageOf(ledger: LedgerQueries, accountId: string, month: number): Promise<Usage> {
  const spent = await ledger.spent(accountId);
  const { first, last } = daysOf(month);
  const lines = await allLines(ledger, accountId, first, last);
  const used = spent?.month === month ? spent.used : lines.reduce((sum, { tokens }) => sum + tokens, 0);
  return { used, lines };
}

function ledgerLine(line: LedgerLine): string {
  const refused = `${line.refusedByRate} by rate, ${line.refusedByAllowance} by allowance`;
  const failed = `${line.failedByCaller} by caller, ${line.failedByService} by service`;
  const typed =
    line.sessionCalls === 0 ? "" : `, typing sessions: ${line.sessions} with ${line.sessionCalls} calls`;
  return `${line.day}  ${line.keyId}  ${line.operation.padEnd(16)} ${String(line.requests).padStart(8)} calls ${String(line.tokens).padStart(8)} tokens, refused: ${refused}, failed: ${failed}${typed}`;
}

/** Months since the year 0. */
function monthNumber(text: string): number {
  const [, year, month] = /^([0-9]{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (month === undefined) throw new InvalidArgumentError("It must have the form YYYY-MM, such as 2026-11.");
  return Number(year) * 12 + Number(month) - 1;
}

function daysOf(month: number): { first: string; last: string } {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { first: day(monthStartMs(month)), last: day(monthStartMs(month + 1) - 1) };
}
