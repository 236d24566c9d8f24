import { accountFailures } from "./accountFailures.ts";
import type { AddCommand, ServiceContext } from "./command.ts";

/** `opzoek account …`: who may call, with which plan. */
export const addAccountCommand: AddCommand<ServiceContext> = (program, context) => {
  const account = program.command("account").description("make accounts and change them");

  account
    .command("create")
    .description("make an account and print its id")
    .requiredOption("--email <address>", "whose account it is")
    .requiredOption("--tier <name>", "its plan")
    .option("--json", "print one JSON document")
    .action(async ({ email, tier, json }: { email: string; tier: string; json?: boolean }) => {
      const made = await accountFailures(context.withAccounts((accounts) => accounts.create(email, tier)));
      context.out(json ? JSON.stringify(made) : made.id);
    });

  account
    .command("list")
    .description("list the accounts")
    .option("--json", "print one JSON document")
    .action(async ({ json }: { json?: boolean }) => {
      const all = await context.withAccounts((accounts) => accounts.list());
      if (json) return context.out(JSON.stringify(all));
      for (const { id, email, tierName, isSuspended, createdAt } of all) {
        context.out(
          [id, tierName.padEnd(8), createdAt, email, isSuspended ? "suspended" : ""].join("  ").trimEnd(),
        );
      }
    });

  account
    .command("tier")
    .description("give an account another plan; it counts at once")
    .argument("<id>", "the account")
    .argument("<tier>", "the plan")
    .action(async (id: string, tier: string) => {
      await accountFailures(context.withAccounts((accounts) => accounts.setTier(id, tier)));
      context.err(`${id} has the tier ${tier} now`);
    });

  for (const [word, isSuspended] of [
    ["suspend", true],
    ["resume", false],
  ] as const) {
    account
      .command(word)
      .description(
        isSuspended ? "answer an account's calls with FORBIDDEN" : "let a suspended account call again",
      )
      .argument("<id>", "the account")
      .action(async (id: string) => {
        await accountFailures(context.withAccounts((accounts) => accounts.setSuspended(id, isSuspended)));
        context.err(`${id} is ${isSuspended ? "suspended" : "active"} now`);
      });
  }
};
