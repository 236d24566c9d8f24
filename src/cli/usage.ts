import type { LedgerLine, LedgerStore } from "../metering/ledger.ts";
import { allLines } from "../metering/ledgerReads.ts";
import { monthOf, monthStartMs } from "../metering/periods.ts";
import { accountFailures } from "./accountFailures.ts";
import { type AddCommand, type ServiceContext, WrongUse } from "./command.ts";

/** `opzoek usage ID`: the ledger of an account for one month. */
export const addUsageCommand: AddCommand<ServiceContext> = (program, context) => {
  program
    .command("usage")
    .description("show the usage of an account by day, key and operation, with refused and failed calls")
    .argument("<id>", "the account")
    .option("--month <YYYY-MM>", "month (default: the current one)")
    .option("--json", "print one JSON document")
    .action(async (id: string, { month, json }: { month?: string; json?: boolean }) => {
      const asked = month === undefined ? undefined : parseMonth(month);
      const { account, tier, live, test, period } = await accountFailures(
        context.withAccounts(async (accounts, { ledger, testLedger }) => {
          const found = await accounts.find(id);
          // The month by the store's clock, as the limits go.
          const present = await ledger.spent(id);
          const shown = asked ?? present?.month ?? monthOf(Date.now());
          const days = daysOf(shown);
          return {
            account: found,
            tier: context.settings().TIERS_FILE[found.tierName],
            live: await monthOfBooks(ledger, id, shown),
            test: await monthOfBooks(testLedger, id, shown),
            period: days,
          };
        }),
      );
      const limit = tier?.monthlyTokens;
      if (json) {
        const shown = ({ used, lines }: MonthOfBooks) => ({
          tokens: { used, ...(limit === undefined ? {} : { limit, remaining: Math.max(0, limit - used) }) },
          ledger: lines,
        });
        const told = { accountId: id, tier: account.tierName, period, ...shown(live) };
        return context.out(JSON.stringify(test.lines.length === 0 ? told : { ...told, test: shown(test) }));
      }
      context.out(
        `${id}  ${account.tierName}  ${period.first} to ${period.last}  ${live.used} of ${limit ?? "?"} tokens`,
      );
      for (const line of live.lines) context.out(asText(line));
      if (test.lines.length === 0) return;
      context.out(`test keys: ${test.used} of ${limit ?? "?"} test tokens, which cost nothing`);
      for (const line of test.lines) context.out(asText(line));
    });
};

/** What the keys of one kind used in a month. */
interface MonthOfBooks {
  readonly used: number;
  readonly lines: readonly LedgerLine[];
}

async function monthOfBooks(ledger: LedgerStore, accountId: string, month: number): Promise<MonthOfBooks> {
  const present = await ledger.spent(accountId);
  const { first, last } = daysOf(month);
  const lines = await allLines(ledger, accountId, first, last);
  const used = present?.month === month ? present.used : lines.reduce((sum, { tokens }) => sum + tokens, 0);
  return { used, lines };
}

function asText(line: LedgerLine): string {
  const refused = `${line.refusedByRate} over the rate, ${line.refusedByAllowance} beyond the allowance`;
  const failed = `${line.failedByCaller} by the caller, ${line.failedByService} by the service`;
  const typed =
    line.sessionCalls === 0 ? "" : `, sessions of typing: ${line.sessions} with ${line.sessionCalls} calls`;
  return `${line.day}  ${line.keyId}  ${line.operation.padEnd(16)} ${String(line.requests).padStart(8)} calls ${String(line.tokens).padStart(8)} tokens, refused: ${refused}, failed: ${failed}${typed}`;
}

function parseMonth(text: string): number {
  const parts = /^([0-9]{4})-(0[1-9]|1[0-2])$/.exec(text);
  if (parts === null) throw new WrongUse("--month must have the form YYYY-MM, such as 2026-11");
  return Number(parts[1]) * 12 + Number(parts[2]) - 1;
}

function daysOf(month: number): { first: string; last: string } {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { first: day(monthStartMs(month)), last: day(monthStartMs(month + 1) - 1) };
}
