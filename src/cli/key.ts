import { Option } from "commander";
import { DEFAULT_DAILY_TOKENS, NEVER, type RequestedBounds } from "../accounts/keyBounds.ts";
import { MAX_LISTED_KEYS } from "../accounts/people.ts";
import type { PeopleQueries } from "../accounts/queries.ts";
import type { Key } from "../accounts/stored.ts";
import { comparedAddress } from "../contract/emailAddress.ts";
import { KEY_KINDS, type KeyKind } from "../contract/keyKinds.ts";
import { known, present } from "../lib/values.ts";
import { type AddCommand, UsageError } from "./command.ts";
import { withAccounts } from "./opening.ts";
import { addPrinting } from "./output.ts";

const EXPIRES = "expiry date, such as 2027-06-30; the key expires at the end of that day (UTC)";
const ALLOW = "addresses and networks that may use it, such as 192.0.2.7,2001:db8::/32";
const ANYWHERE = "anywhere";
const ORIGIN =
  "browser keys: origin of a page that may use the key, such as https://shop.example; repeatable";
const DAILY = "browser keys: tokens per day (UTC)";
const LOOKUP = "browser keys: allow basic lookups as well as autocomplete";

interface Bounds {
  readonly expires?: string;
  readonly allow?: string;
  readonly origin?: readonly string[];
  readonly dailyTokens?: string;
  readonly lookup?: boolean;
}

export const addKeyCommand: AddCommand = (program, context) => {
  const key = program.command("key").description("create, list, change and revoke keys");

  key
    .command("create")
    .description("create a key and print it once")
    .requiredOption("--account <id>", "account of the key: its id or email address")
    .requiredOption("--name <name>", "name of the key")
    .addOption(new Option("--kind <kind>", KEY_KINDS.join(", ")).choices(KEY_KINDS).default("live"))
    .option("--expires <date>", EXPIRES)
    .option("--allow <addresses>", ALLOW)
    .option("--origin <origin>", ORIGIN, collect)
    .option("--daily-tokens <number>", `${DAILY}; default: ${DEFAULT_DAILY_TOKENS}`)
    .option("--lookup", LOOKUP)
    .action(async (bounds: Bounds & { account: string; name: string; kind: KeyKind }) => {
      const created = await withAccounts(context, async (accounts, { people }) =>
        accounts.createKey(await idOf(bounds.account, people), bounds.name, bounds.kind, boundsOf(bounds)),
      );
      context.out(created.key);
      context.err(`${created.id}: save this key now; it is not shown again`);
    });

  const list = key
    .command("list")
    .description(
      "list the keys of an account, live ones first: kind, state, last use, restrictions and pages that misuse them; the keys themselves are not shown",
    )
    .requiredOption("--account <id>", "account of the keys: its id or email address");
  addPrinting(list, context, async ({ account }: { readonly account: string }) => {
    const { keys } = await withAccounts(context, async (accounts, { people }) =>
      accounts.keys(await idOf(account, people), { offset: 0, limit: MAX_LISTED_KEYS }),
    );
    return { document: keys, lines: () => keys.map(keyLine) };
  });

  key
    .command("change")
    .description("change the name, expiry or restrictions of a key")
    .argument("<id>", "the key's id, not the key")
    .option("--name <name>", "new name")
    .option("--expires <date>", `${EXPIRES}, or ${NEVER}`)
    .option("--allow <addresses>", `${ALLOW}, or ${ANYWHERE}`)
    .option("--origin <origin>", `${ORIGIN}; replaces all earlier ones`, collect)
    .option("--daily-tokens <number>", DAILY)
    .option("--lookup", LOOKUP)
    .option("--no-lookup", "browser keys: forbid basic lookups")
    .action(async (id: string, { name, ...bounds }: Bounds & { name?: string }) => {
      const change = { ...known("name", name), ...boundsOf(bounds) };
      if (Object.keys(change).length === 0)
        throw new UsageError("nothing to change: see --help for the options");
      await withAccounts(context, (accounts) => accounts.changeKey(id, change));
      context.err(`${id} was changed`);
    });

  key
    .command("revoke")
    .description("permanently revoke a key, effective with the next call")
    .argument("<id>", "the key's id, not the key")
    .action(async (id: string) => {
      await withAccounts(context, (accounts) => accounts.revokeKey(id));
      context.err(`${id} was revoked`);
    });
};

/** Returns the id of an account given by its id or email address. An unknown address is returned unchanged. */
async function idOf(account: string, people: PeopleQueries): Promise<string> {
  if (!account.includes("@")) return account;
  return (await people.personByEmail(comparedAddress(account)))?.account.id ?? account;
}

/** An option that may be repeated. */
function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function boundsOf({ expires, allow, origin, dailyTokens, lookup }: Bounds): RequestedBounds {
  return present<RequestedBounds>({
    origins: origin,
    dailyTokens: dailyTokens === undefined ? undefined : Number(dailyTokens),
    mayLookUp: lookup,
    expiresAt: expires,
    addresses: allow === ANYWHERE ? [] : allow?.split(","),
  });
}

function keyLine(key: Key): string {
  const { id, kind, prefix, lastFour, createdAt, lastUsedAt, addresses, browser, browserCall, name } = key;
  return [
    ...[id, `${prefix}…${lastFour}`, kind, createdAt, stateOf(key)],
    lastUsedAt === undefined ? "never used" : `used ${lastUsedAt.slice(0, 16)}Z`,
    addresses && `from ${addresses.join(",")}`,
    browser &&
      `for ${browser.origins.join(",")}, ${browser.dailyTokens} tokens per day${browser.mayLookUp ? ", basic lookups allowed" : ""}`,
    browserCall &&
      `used in a browser at ${browserCall.origin}, where visitors can copy it: create a key of kind pub instead`,
    name,
  ]
    .filter((part) => part !== undefined)
    .join("  ");
}

function stateOf({ revokedAt, endsAt, expiresAt }: Key): string {
  if (revokedAt !== undefined) return `revoked ${revokedAt}`;
  if (expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()) return `expired ${expiresAt}`;
  const untilAt = [endsAt, expiresAt].filter((at) => at !== undefined).sort()[0];
  return untilAt === undefined ? "live" : `live until ${untilAt}`;
}
