import type { Command } from "commander";
import type { Accounts } from "../accounts/accounts.ts";
import { MAX_AUDITED } from "../accounts/changes.ts";
import { giveEmail } from "../accounts/emailChanges.ts";
import { makeInvite, makeReset, type OneTimeLink } from "../accounts/links.ts";
import type { Account } from "../accounts/store.ts";
import { type AddCommand, type CliContext, WrongUse } from "./command.ts";
import { JSON_OPTION, type JsonOption } from "./options.ts";
import { print } from "./output.ts";

const MAX_LISTED = 10_000;

/** `opzoek account …`: accounts, their plans and their people. */
export const addAccountCommand: AddCommand = (program, context) => {
  const account = program.command("account").description("create and change accounts");
  addCreate(account, context);
  addLists(account, context);
  addChanges(account, context);
  addLinks(account, context);
};

function addCreate(account: Command, context: CliContext): void {
  account
    .command("create")
    .description("create an account and print its id")
    .requiredOption("--email <address>", "email address of the owner")
    .requiredOption("--tier <name>", "its tier")
    .option(...JSON_OPTION)
    .action(async ({ email, tier, json }: JsonOption & { email: string; tier: string }) => {
      const created = await context.withAccounts((accounts) => accounts.create(email, tier));
      const { id, isSuspended } = created;
      print(context, { json }, created, () => [id]);
      if (!isSuspended) return;
      context.err(
        `It is suspended${sinceOf(created)}, as the last account of this address was: "opzoek account resume ${id}" ends that.`,
      );
    });
}

function addLists(account: Command, context: CliContext): void {
  account
    .command("list")
    .description("list the accounts")
    .option(...JSON_OPTION)
    .action(async (options: JsonOption) => {
      const all = await context.withAccounts((accounts) => accounts.list());
      print(context, options, all, () =>
        all.map((found) => {
          const { id, email, tierName, isSuspended, createdAt } = found;
          const state = isSuspended ? `suspended${sinceOf(found)}` : undefined;
          return joined(id, tierName.padEnd(8), createdAt, email, state);
        }),
      );
    });
  account
    .command("suspensions")
    .description('list the suspensions of deleted accounts by date; "opzoek account resume --email" ends one')
    .option(...JSON_OPTION)
    .action(async (options: JsonOption) => {
      const all = await context.withAccounts((_, { people }) =>
        people.keptSuspensions(Date.now(), MAX_LISTED),
      );
      print(context, options, all, () =>
        all.map(({ suspendedAt = "at a time that was not noted", keptUntil }) =>
          joined(`suspended ${suspendedAt}`, `kept until ${keptUntil}`),
        ),
      );
    });
  account
    .command("plan-requests")
    .description('list requests for a plan, the oldest first; "opzoek account tier" grants one')
    .option(...JSON_OPTION)
    .action(async (options: JsonOption) => {
      const requests = await context.withAccounts((_, { people }) => people.planRequests());
      const rows = requests.map(({ account: { id, email, tierName }, tierName: asked, askedAt }) => ({
        ...{ id, email, tier: tierName, asked, askedAt },
      }));
      print(context, options, rows, () =>
        rows.map(({ id, email, tier, asked, askedAt }) => joined(id, askedAt, `${tier} → ${asked}`, email)),
      );
    });
  account
    .command("audit")
    .description(
      "list changes by operators, the newest first, 10,000 at most: when, who, what, which account",
    )
    .option("--account <id>", "of this account only")
    .option(...JSON_OPTION)
    .action(async ({ account: accountId, json }: JsonOption & { account?: string }) => {
      const part = { offset: 0, limit: MAX_AUDITED, ...(accountId !== undefined && { accountId }) };
      const { entries } = await context.withAccounts((_, { people }) => people.audit(part));
      print(context, { json }, entries, () =>
        entries.map(({ atMs, by, what, accountId, keyId, from = "", to = "" }) => {
          const change = from === "" && to === "" ? undefined : `${from} → ${to}`;
          return joined(new Date(atMs).toISOString(), by, what, accountId, keyId, change);
        }),
      );
    });
}

function addChanges(account: Command, context: CliContext): void {
  const onOne = (name: string, description: string): Command =>
    account
      .command(name)
      .description(description)
      .argument("<id>", "the account")
      .option(...JSON_OPTION);
  const apply = async (
    id: string,
    { json }: JsonOption,
    change: (accounts: Accounts) => Promise<void>,
    [document, said]: readonly [document: object, said: string],
  ): Promise<void> => {
    await context.withAccounts(change);
    if (json) context.out(JSON.stringify({ id, ...document }));
    else context.err(`${id} ${said}`);
  };

  onOne("tier", "change the tier of an account, effective at once")
    .argument("<tier>", "the plan")
    .action((id: string, tierName: string, options: JsonOption) =>
      apply(id, options, (accounts) => accounts.setTier(id, tierName), [
        { tierName },
        `has the tier ${tierName} now`,
      ]),
    );
  onOne("suspend", "block an account: its calls get FORBIDDEN").action((id: string, options: JsonOption) =>
    apply(id, options, (accounts) => accounts.setSuspended(id, true), [
      { isSuspended: true },
      "is suspended now",
    ]),
  );
  account
    .command("resume")
    .description("unblock a suspended account")
    .argument("[id]", "the account")
    .option("--email <address>", "instead of an id; also for an account that was deleted")
    .action(async (id: string | undefined, { email }: { email?: string }) => {
      if ((id === undefined) === (email === undefined)) {
        throw new WrongUse("name the account by its id or by --email ADDRESS, one of the two");
      }
      await context.withAccounts((accounts) =>
        email === undefined ? accounts.setSuspended(id ?? "", false) : accounts.resumeAddress(email),
      );
      context.err(`${email ?? id} is active now`);
    });
  onOne(
    "reset-two-factor",
    "turn two-factor sign-in off for somebody who lost the device and the recovery codes; verify the request first",
  ).action((id: string, options: JsonOption) =>
    apply(id, options, (accounts) => accounts.resetTwoFactor(id), [
      { hasTwoFactor: false },
      "signs in with its password alone now",
    ]),
  );
  onOne(
    "email",
    "change the email address of an account without a confirmation; verify that it is the owner's first",
  )
    .argument("<address>", "the new address")
    .action(async (id: string, address: string, { json }: JsonOption) => {
      const email = await context.withAccounts((accounts, { people }) =>
        giveEmail(people, accounts, id, address, Date.now()),
      );
      if (json) context.out(JSON.stringify({ id, email }));
      else context.err(`${id} signs in as ${email} now`);
    });
  onOne("admin", "give an account the operator's views of the account page")
    .option("--off", "take them away")
    .action((id: string, options: JsonOption & { off?: boolean }) => {
      const isAdmin = options.off !== true;
      return apply(id, options, (accounts) => accounts.setAdmin(id, isAdmin), [
        { isAdmin },
        isAdmin ? "has the operator's views now" : "has the operator's views no more",
      ]);
    });
  onOne("delete", "delete an account with its keys, sessions and ledger, for good").action(
    (id: string, options: JsonOption) =>
      apply(id, options, (accounts) => accounts.remove(id), [{ isDeleted: true }, "is deleted"]),
  );
}

function addLinks(account: Command, context: CliContext): void {
  account
    .command("invite")
    .description("create an invite for one person, valid for 14 days, and print its link once")
    .option("--email <address>", "for this address only")
    .option("--tier <name>", "tier of the account (default: free)")
    .option(...JSON_OPTION)
    .action(async ({ email, tier, json }: JsonOption & { email?: string; tier?: string }) => {
      const asked = { ...(email !== undefined && { email }), ...(tier !== undefined && { tierName: tier }) };
      const created = await context.withAccounts((accounts, { people }) =>
        makeInvite(people, accounts, asked, Date.now()),
      );
      printLink(context, "invite", created, { json });
    });
  account
    .command("reset-password")
    .description("print once a link to set a new password, valid for an hour")
    .argument("<id>", "the account")
    .option(...JSON_OPTION)
    .action(async (id: string, options: JsonOption) => {
      const created = await context.withAccounts((accounts, { people }) =>
        makeReset(people, accounts, id, Date.now()),
      );
      printLink(context, "reset", created, options);
    });
}

/** Prints a secret alone on stdout: a link where the service's address is known, else the end of one. */
function printLink(
  context: CliContext,
  kind: "invite" | "reset",
  created: OneTimeLink,
  options: JsonOption,
): void {
  const { PUBLIC_URL } = context.settings();
  const end = `/#${kind}=${created.token}`;
  const link = PUBLIC_URL === undefined ? undefined : `${PUBLIC_URL}${end}`;
  print(context, options, { ...created, ...(link !== undefined && { link }) }, () => [link ?? end]);
  if (options.json) return;
  context.err(
    link === undefined
      ? `Put it after the address of the service (PUBLIC_URL is not set). It works once, until ${created.expiresAt}.`
      : `It works once, until ${created.expiresAt}, and is not shown again.`,
  );
}

function sinceOf({ suspendedAt }: Account): string {
  return suspendedAt === undefined ? "" : ` since ${suspendedAt}`;
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join("  ");
}
