import type { Account } from "../accounts/store.ts";
import { accountFailures } from "./accountFailures.ts";
import { type AddCommand, type ServiceContext, WrongUse } from "./command.ts";

const MOST_LISTED = 10_000;

/** `opzoek account …`: who may call, with which plan. */
export const addAccountCommand: AddCommand<ServiceContext> = (program, context) => {
  const account = program.command("account").description("create and change accounts");

  account
    .command("create")
    .description("create an account and print its id")
    .requiredOption("--email <address>", "email address of the owner")
    .requiredOption("--tier <name>", "its tier")
    .option("--json", "print one JSON document")
    .action(async ({ email, tier, json }: { email: string; tier: string; json?: boolean }) => {
      const made = await accountFailures(context.withAccounts((accounts) => accounts.create(email, tier)));
      context.out(json ? JSON.stringify(made) : made.id);
      if (made.isSuspended) {
        context.err(
          `It is suspended${sinceOf(made)}, as the last account of this address was: "opzoek account resume ${made.id}" ends that.`,
        );
      }
    });

  account
    .command("list")
    .description("list the accounts")
    .option("--json", "print one JSON document")
    .action(async ({ json }: { json?: boolean }) => {
      const all = await context.withAccounts((accounts) => accounts.list());
      if (json) return context.out(JSON.stringify(all));
      for (const found of all) {
        const { id, email, tierName, isSuspended, createdAt } = found;
        const state = isSuspended ? `suspended${sinceOf(found)}` : "";
        context.out([id, tierName.padEnd(8), createdAt, email, state].join("  ").trimEnd());
      }
    });

  account
    .command("tier")
    .description("change the tier of an account, effective at once")
    .argument("<id>", "the account")
    .argument("<tier>", "the plan")
    .action(async (id: string, tier: string) => {
      await accountFailures(context.withAccounts((accounts) => accounts.setTier(id, tier)));
      context.err(`${id} has the tier ${tier} now`);
    });

  account
    .command("suspend")
    .description("block an account: its calls get FORBIDDEN")
    .argument("<id>", "the account")
    .action(async (id: string) => {
      await accountFailures(context.withAccounts((accounts) => accounts.setSuspended(id, true)));
      context.err(`${id} is suspended now`);
    });

  account
    .command("resume")
    .description("unblock a suspended account")
    .argument("[id]", "the account")
    .option("--email <address>", "instead of an id; also for an account that was deleted")
    .action(async (id: string | undefined, { email }: { email?: string }) => {
      if ((id === undefined) === (email === undefined)) {
        throw new WrongUse("name the account by its id or by --email ADDRESS, one of the two");
      }
      await accountFailures(
        context.withAccounts((accounts) =>
          email === undefined ? accounts.setSuspended(id ?? "", false) : accounts.resumeAddress(email),
        ),
      );
      context.err(`${email ?? id} is active now`);
    });

  account
    .command("suspensions")
    .description('list the suspensions of deleted accounts by date; "opzoek account resume --email" ends one')
    .option("--json", "print one JSON document")
    .action(async ({ json }: { json?: boolean }) => {
      const kept = await context.withAccounts((_accounts, { people }) =>
        people.keptSuspensions(Date.now(), MOST_LISTED),
      );
      if (json) return context.out(JSON.stringify(kept));
      for (const { suspendedAt, keptUntil } of kept) {
        context.out(`suspended ${suspendedAt ?? "at a time that was not noted"}  kept until ${keptUntil}`);
      }
    });
};

function sinceOf({ suspendedAt }: Account): string {
  return suspendedAt === undefined ? "" : ` since ${suspendedAt}`;
}
