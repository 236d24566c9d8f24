import { KEY_KINDS, type KeyKind } from "../contract/keyForm.ts";
import { accountFailures } from "./accountFailures.ts";
import { type AddCommand, type ServiceContext, WrongUse } from "./command.ts";

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
    .description("list the keys of an account")
    .requiredOption("--account <id>", "whose keys")
    .option("--json", "print one JSON document")
    .action(async ({ account, json }: { account: string; json?: boolean }) => {
      const keys = await accountFailures(context.withAccounts((accounts) => accounts.keys(account)));
      if (json) return context.out(JSON.stringify(keys));
      for (const { id, prefix, lastFour, createdAt, revokedAt, name } of keys) {
        const state = revokedAt === undefined ? "live" : `revoked ${revokedAt}`;
        context.out([id, `${prefix}…${lastFour}`, createdAt, state, name].join("  "));
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
