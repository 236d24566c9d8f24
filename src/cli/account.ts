import type { Command } from "commander";
import type { Accounts } from "../accounts/accounts.ts";
import { MAX_AUDITED } from "../accounts/changes.ts";
import { changeEmailOf } from "../accounts/emailChanges.ts";
import { createInvite, createReset, type OneTimeLink } from "../accounts/links.ts";
import type { Account } from "../accounts/stored.ts";
import { withState } from "../app/compose/state.ts";
import type { Settings } from "../app/settings/settings.ts";
import type { StateStore } from "../app/state/stateStore.ts";
import { known } from "../lib/values.ts";
import { type AddCommand, type CliContext, UsageError } from "./command.ts";
import { withAccounts } from "./opening.ts";
import { addPrinting, counted, type Result } from "./output.ts";
import { withProgress } from "./progress.ts";

const MAX_LISTED = 10_000;

interface Options {
  readonly account?: string;
  readonly email?: string;
  readonly tier?: string;
  readonly off?: boolean;
}

export const addAccountCommand: AddCommand = (program, context) => {
  const account = program.command("account").description("create and change accounts");
  addCreate(account, context);
  addLists(account, context);
  addChanges(account, context);
  addLinks(account, context);
  addRotation(account, context);
};

function addCreate(account: Command, context: CliContext): void {
  const create = account
    .command("create")
    .description("create an account and print its id")
    .requiredOption("--email <address>", "email address of the owner")
    .requiredOption("--tier <name>", "its tier");
  addPrinting(create, context, async ({ email, tier }: { readonly email: string; readonly tier: string }) => {
    const document = await withAccounts(context, (accounts) => accounts.create(email, tier));
    const { id, isSuspended } = document;
    if (isSuspended) {
      context.err(
        `It is suspended${sinceOf(document)}, like the previous account with this address; unblock it with "opzoek account resume ${id}".`,
      );
    }
    return { document, lines: () => [id] };
  });
}

function addLists(account: Command, context: CliContext): void {
  const addList = <Row>(
    name: string,
    description: string,
    read: (accounts: Accounts, state: StateStore, accountId?: string) => Promise<readonly Row[]>,
    lineOf: (row: Row) => string,
  ): Command =>
    addPrinting(account.command(name).description(description), context, async (options: Options) => {
      const rows = await withAccounts(context, (accounts, state) => read(accounts, state, options.account));
      return { document: rows, lines: () => rows.map(lineOf) };
    });
  const accountLine = (found: Account) => {
    const state = found.isSuspended ? `suspended${sinceOf(found)}` : undefined;
    return joined(found.id, found.tierName.padEnd(8), found.createdAt, found.email, state);
  };
  addList("list", "list accounts", (accounts) => accounts.list(), accountLine);
  addList(
    "suspensions",
    'list suspensions of deleted accounts by date; "opzoek account resume --email" ends one',
    (_, { people }) => people.retainedSuspensions(Date.now(), MAX_LISTED),
    ({ suspendedAt = "at an unknown time", keptUntil }) =>
      joined(`suspended ${suspendedAt}`, `stored until ${keptUntil}`),
  );
  addList(
    "plan-requests",
    'list requests for a plan, oldest first; "opzoek account tier" grants one',
    async (_, { people }) =>
      (await people.planRequests()).map(({ account: { id, email, tierName: tier }, tierName, askedAt }) => ({
        ...{ id, email, tier, asked: tierName, askedAt },
      })),
    ({ id, email, tier, asked, askedAt }) => joined(id, askedAt, `${tier} → ${asked}`, email),
  );
  addList(
    "audit",
    "list changes by operators, newest first, at most 10,000: time, operator, action, account",
    async (_, { people }, accountId) =>
      (await people.audit({ offset: 0, limit: MAX_AUDITED, ...known("accountId", accountId) })).entries,
    ({ atMs, by, what, accountId, keyId, from = "", to = "" }) => {
      const change = from === "" && to === "" ? undefined : `${from} → ${to}`;
      return joined(new Date(atMs).toISOString(), by, what, accountId, keyId, change);
    },
  ).option("--account <id>", "only changes to this account");
}

function addChanges(account: Command, context: CliContext): void {
  /** Adds a change of one account, which returns fields for `--json` and a sentence without its subject. */
  const addChange = (
    name: string,
    description: string,
    apply: (
      accounts: Accounts,
      id: string,
      flags: { readonly value: string; readonly isOff: boolean; readonly people: StateStore["people"] },
    ) => Promise<readonly [document: object, sentence: string]>,
  ): Command => {
    const command = account.command(name).description(description).argument("<id>", "the account");
    return addPrinting(command, context, async () => {
      const [id = "", value = ""] = command.args;
      const { off: isOff = false } = command.opts<Options>();
      const [document, sentence] = await withAccounts(context, (accounts, { people }) =>
        apply(accounts, id, { value, isOff, people }),
      );
      return { document: { id, ...document }, lines: () => [], hints: [`${id} ${sentence}`] };
    });
  };
  addChange("tier", "change the tier of an account, effective at once", async (accounts, id, { value }) => {
    await accounts.setTier(id, value);
    return [{ tierName: value }, `is now on the tier ${value}`];
  }).argument("<tier>", "the plan");
  addChange("suspend", "block an account: its calls get FORBIDDEN", async (accounts, id) => {
    await accounts.setSuspended(id, true);
    return [{ isSuspended: true }, "is now suspended"];
  });
  account
    .command("resume")
    .description("unblock a suspended account")
    .argument("[id]", "the account")
    .option("--email <address>", "instead of an id; also works for a deleted account")
    .action(async (id: string | undefined, { email }: Options) => {
      if ((id === undefined) === (email === undefined)) {
        throw new UsageError("give either the account's id or --email ADDRESS");
      }
      await withAccounts(context, (accounts) =>
        email === undefined ? accounts.setSuspended(id ?? "", false) : accounts.resumeAddress(email),
      );
      context.err(`${email ?? id} is active`);
    });
  addChange(
    "reset-two-factor",
    "turn off two-factor sign-in for someone who lost the device and the recovery codes; verify the request first",
    async (accounts, id) => {
      await accounts.resetTwoFactor(id);
      return [{ hasTwoFactor: false }, "now signs in with its password only"];
    },
  );
  addChange(
    "email",
    "change the email address of an account without confirmation; first verify that it belongs to the owner",
    async (accounts, id, { value, people }) => {
      const email = await changeEmailOf(people, accounts, id, value, Date.now());
      return [{ email }, `now signs in as ${email}`];
    },
  ).argument("<address>", "the new address");
  addChange(
    "admin",
    "make an account an operator, who sees the operator's views of the account page",
    async (accounts, id, flags) => {
      await accounts.setAdmin(id, !flags.isOff);
      return [{ isAdmin: !flags.isOff }, `is ${flags.isOff ? "no longer" : "now"} an operator`];
    },
  ).option("--off", "remove these rights");
  addChange(
    "delete",
    "permanently delete an account with its keys, sessions and ledger",
    async (accounts, id) => {
      await accounts.remove(id);
      return [{ isDeleted: true }, "is deleted"];
    },
  );
}

function addLinks(account: Command, context: CliContext): void {
  const invite = account
    .command("invite")
    .description("create an invite for one person, valid for 14 days, and print its link once")
    .option("--email <address>", "for this address only")
    .option("--tier <name>", "tier of the account (default: free)");
  addPrinting(invite, context, async ({ email, tier }: Options) => {
    const asked = { ...known("email", email), ...known("tierName", tier) };
    return linkResult(
      context,
      "invite",
      await withAccounts(context, (accounts, { people }) =>
        createInvite(people, accounts, asked, Date.now()),
      ),
    );
  });
  const reset = account
    .command("reset-password")
    .description("print a link to set a new password, once; it is valid for an hour")
    .argument("<id>", "the account");
  addPrinting(reset, context, async (id: string) =>
    linkResult(
      context,
      "reset",
      await withAccounts(context, (accounts, { people }) => createReset(people, accounts, id, Date.now())),
    ),
  );
}

function addRotation(account: Command, context: CliContext): void {
  const command = account
    .command("rotate-secrets")
    .description("re-encrypt two-factor secrets under the first key, while the service is running or not");
  addPrinting(command, context, async () => {
    const rotated = await withProgress(context, ({ update }) =>
      rotate(context.settings(), (done) => update({ stage: "secrets", done })),
    );
    const { reencrypted, unreadable } = rotated;
    const failure = `${counted(unreadable, "secret", "secrets")} cannot be decrypted: add the missing key at the end of TWO_FACTOR_KEY`;
    const hints = [`${counted(reencrypted, "secret was", "secrets were")} re-encrypted.`];
    return { document: rotated, lines: () => [], hints, failure: unreadable > 0 ? failure : undefined };
  });
}

async function rotate(settings: Settings, onSecret: (done: number) => void) {
  const { sealKeys } = await import("../app/compose/sealKeys.ts");
  const { rotateSecrets } = await import("../accounts/sealRotation.ts");
  return withState(settings, ({ people }) => rotateSecrets(people, sealKeys(settings), onSecret));
}

/** Prints a secret alone on stdout: a link if the service's address is known, otherwise its path. */
function linkResult(context: CliContext, kind: "invite" | "reset", created: OneTimeLink): Result {
  const { PUBLIC_URL } = context.settings();
  const end = `/#${kind}=${created.token}`;
  const link = PUBLIC_URL === undefined ? undefined : `${PUBLIC_URL}${end}`;
  const hint =
    link === undefined
      ? `Append it to the address of the service (PUBLIC_URL is not set). It works once, until ${created.expiresAt}.`
      : `It works once, until ${created.expiresAt}, and is not shown again.`;
  return { document: { ...created, ...known("link", link) }, lines: () => [link ?? end], hints: [hint] };
}

function sinceOf({ suspendedAt }: Account): string {
  return suspendedAt === undefined ? "" : ` since ${suspendedAt}`;
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join("  ");
}
