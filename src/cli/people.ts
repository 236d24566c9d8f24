import type { Command } from "commander";
import { MAX_AUDITED } from "../accounts/changes.ts";
import { giveEmail } from "../accounts/emailChanges.ts";
import { makeInvite, makeReset, type OneTimeLink } from "../accounts/links.ts";
import { accountFailures } from "./accountFailures.ts";
import type { AddCommand, ServiceContext } from "./command.ts";

/** `opzoek account …` for the people of the account page: invites, passwords, operators, plans, deletion. */
export const addPeopleCommands: AddCommand<ServiceContext> = (program, context) => {
  const account = program.commands.find((command) => command.name() === "account");
  if (account === undefined) throw new Error("`opzoek account` must be added first");
  addInvite(account, context);
  addResetPassword(account, context);
  addResetTwoFactor(account, context);
  addEmail(account, context);
  addAdmin(account, context);
  addPlanRequests(account, context);
  addDelete(account, context);
  addAudit(account, context);
};

function addInvite(account: Command, context: ServiceContext): void {
  account
    .command("invite")
    .description("create an invite for one person, valid for 14 days, and print its link once")
    .option("--email <address>", "for this address only")
    .option("--tier <name>", "tier of the account (default: free)")
    .option("--json", "print one JSON document")
    .action(async ({ email, tier, json }: { email?: string; tier?: string; json?: boolean }) => {
      const asked = { ...(email !== undefined && { email }), ...(tier !== undefined && { tierName: tier }) };
      const made = await accountFailures(
        context.withAccounts((accounts, { people }) => makeInvite(people, accounts, asked, Date.now())),
      );
      show(context, "invite", made, json);
    });
}

function addResetPassword(account: Command, context: ServiceContext): void {
  account
    .command("reset-password")
    .description("print once a link to set a new password, valid for an hour")
    .argument("<id>", "the account")
    .option("--json", "print one JSON document")
    .action(async (id: string, { json }: { json?: boolean }) => {
      const made = await accountFailures(
        context.withAccounts((accounts, { people }) => makeReset(people, accounts, id, Date.now())),
      );
      show(context, "reset", made, json);
    });
}

function addResetTwoFactor(account: Command, context: ServiceContext): void {
  account
    .command("reset-two-factor")
    .description(
      "turn two-factor sign-in off for somebody who lost the device and the recovery codes; verify who asks first",
    )
    .argument("<id>", "the account")
    .option("--json", "print one JSON document")
    .action(async (id: string, { json }: { json?: boolean }) => {
      await accountFailures(context.withAccounts((accounts) => accounts.resetTwoFactor(id)));
      if (json) context.out(JSON.stringify({ id, hasTwoFactor: false }));
      else context.err(`${id} signs in with its password alone now`);
    });
}

function addEmail(account: Command, context: ServiceContext): void {
  account
    .command("email")
    .description(
      "change the email address of an account without a confirmation; verify that it is the owner's first",
    )
    .argument("<id>", "the account")
    .argument("<address>", "the address from now on")
    .option("--json", "print one JSON document")
    .action(async (id: string, address: string, { json }: { json?: boolean }) => {
      const email = await accountFailures(
        context.withAccounts((accounts, { people }) => giveEmail(people, accounts, id, address, Date.now())),
      );
      if (json) context.out(JSON.stringify({ id, email }));
      else context.err(`${id} signs in as ${email} now`);
    });
}

function addAdmin(account: Command, context: ServiceContext): void {
  account
    .command("admin")
    .description("give an account the operator's views of the account page")
    .argument("<id>", "the account")
    .option("--off", "take them away")
    .option("--json", "print one JSON document")
    .action(async (id: string, { off = false, json }: { off?: boolean; json?: boolean }) => {
      await accountFailures(context.withAccounts((accounts) => accounts.setAdmin(id, !off)));
      if (json) context.out(JSON.stringify({ id, isAdmin: !off }));
      else
        context.err(`${id} ${off ? "sees the operator's views no more" : "sees the operator's views now"}`);
    });
}

function addPlanRequests(account: Command, context: ServiceContext): void {
  account
    .command("plan-requests")
    .description('list requests for a plan, the oldest first; "opzoek account tier" grants one')
    .option("--json", "print one JSON document")
    .action(async ({ json }: { json?: boolean }) => {
      const requests = await context.withAccounts((_accounts, { people }) => people.planRequests());
      const rows = requests.map(({ account: { id, email, tierName }, tierName: asked, askedAt }) => ({
        id,
        email,
        tier: tierName,
        asked,
        askedAt,
      }));
      if (json) return context.out(JSON.stringify(rows));
      for (const { id, email, tier, asked, askedAt } of rows) {
        context.out([id, askedAt, `${tier} → ${asked}`, email].join("  "));
      }
    });
}

function addDelete(account: Command, context: ServiceContext): void {
  account
    .command("delete")
    .description("delete an account with its keys, sessions and ledger, for good")
    .argument("<id>", "the account")
    .option("--json", "print one JSON document")
    .action(async (id: string, { json }: { json?: boolean }) => {
      await accountFailures(context.withAccounts((accounts) => accounts.remove(id)));
      if (json) context.out(JSON.stringify({ id, isDeleted: true }));
      else context.err(`${id} is deleted`);
    });
}

function addAudit(account: Command, context: ServiceContext): void {
  account
    .command("audit")
    .description(
      "list changes by operators, the newest first, 10,000 at most: when, who, what, which account",
    )
    .option("--account <id>", "of this account only")
    .option("--json", "print one JSON document")
    .action(async ({ account: accountId, json }: { account?: string; json?: boolean }) => {
      const part = { offset: 0, limit: MAX_AUDITED, ...(accountId !== undefined && { accountId }) };
      const { entries } = await context.withAccounts((_accounts, { people }) => people.audit(part));
      if (json) return context.out(JSON.stringify(entries));
      for (const { atMs, by, what, accountId: whose = "", keyId = "", from = "", to = "" } of entries) {
        const change = from === "" && to === "" ? "" : `${from} → ${to}`;
        const words = [new Date(atMs).toISOString(), by, what, whose, keyId, change];
        context.out(words.filter((word) => word !== "").join("  "));
      }
    });
}

/** Prints a secret alone on stdout: a link where people reach the service, else what the page asks for. */
function show(context: ServiceContext, kind: "invite" | "reset", made: OneTimeLink, json = false): void {
  const { PUBLIC_URL } = context.settings();
  const link = PUBLIC_URL === undefined ? undefined : `${PUBLIC_URL}/#${kind}=${made.token}`;
  if (json) {
    context.out(JSON.stringify({ ...made, ...(link !== undefined && { link }) }));
    return;
  }
  context.out(link ?? `/#${kind}=${made.token}`);
  context.err(
    link === undefined
      ? `Put it after the address of the service (PUBLIC_URL is not set). It works once, until ${made.expiresAt}.`
      : `It works once, until ${made.expiresAt}, and is not shown again.`,
  );
}
