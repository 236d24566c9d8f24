import { MOST_LISTED_KEYS } from "../accounts/peopleStore.ts";
import type { Key } from "../accounts/store.ts";
import { KEY_KINDS, type KeyKind } from "../contract/keyForm.ts";
import { accountFailures } from "./accountFailures.ts";
import { type AddCommand, type ServiceContext, WrongUse } from "./command.ts";

const PAGE_SIZE = 100;
const MOST_PAGES = MOST_LISTED_KEYS / PAGE_SIZE;

/** `opzoek key …`: what an account calls with. */
export const addKeyCommand: AddCommand<ServiceContext> = (program, context) => {
  const key = program.command("key").description("make keys, list and revoke them");

  key
    .command("create")
    .description("make a key and print it, this once")
    .requiredOption("--account <id>", "whose key it is")
    .requiredOption("--name <name>", "what it is for")
    .option("--kind <kind>", KEY_KINDS.join(", "), "live")
    .action(async ({ account, name, kind }: { account: string; name: string; kind: string }) => {
      const known = keyKind(kind);
      const made = await accountFailures(
        context.withAccounts((accounts) => accounts.createKey(account, name, known)),
      );
      context.out(made.key);
      context.err(`${made.id}: keep the key, it is not shown again`);
    });

  key
    .command("list")
    .description("list the keys of an account, live ones first")
    .requiredOption("--account <id>", "whose keys")
    .option("--page <number>", `which ${PAGE_SIZE} of them`, "1")
    .option("--json", "print one JSON document")
    .action(async ({ account, page, json }: { account: string; page: string; json?: boolean }) => {
      const asked = pageNumber(page);
      const part = { offset: (asked - 1) * PAGE_SIZE, limit: PAGE_SIZE };
      const { keys, total } = await accountFailures(
        context.withAccounts((accounts) => accounts.keys(account, part)),
      );
      if (json) context.out(JSON.stringify(keys));
      else for (const key of keys) context.out(asLine(key));
      if (asked * PAGE_SIZE < total) {
        context.err(`${keys.length} of ${total} keys; --page ${asked + 1} shows the next ones`);
      }
    });

  key
    .command("revoke")
    .description("end a key for good")
    .argument("<id>", "the key's id, not the key")
    .action(async (id: string) => {
      await accountFailures(context.withAccounts((accounts) => accounts.revokeKey(id)));
      context.err(`${id} is revoked`);
    });
};

function keyKind(text: string): KeyKind {
  const found = KEY_KINDS.find((kind) => kind === text);
  if (found === undefined) throw new WrongUse(`--kind must be one of ${KEY_KINDS.join(", ")}`);
  return found;
}

function asLine({ id, prefix, lastFour, createdAt, revokedAt, name }: Key): string {
  const state = revokedAt === undefined ? "live" : `revoked ${revokedAt}`;
  return [id, `${prefix}…${lastFour}`, createdAt, state, name].join("  ");
}

function pageNumber(text: string): number {
  const page = Number(text);
  if (/^[0-9]{1,6}$/.test(text) && page >= 1 && page <= MOST_PAGES) return page;
  throw new WrongUse(`--page must be a whole number from 1 to ${MOST_PAGES}`);
}
