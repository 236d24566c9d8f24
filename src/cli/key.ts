import { type AskedBounds, DEFAULT_DAILY_TOKENS, NEVER } from "../accounts/keyBounds.ts";
import { MOST_LISTED_KEYS } from "../accounts/peopleStore.ts";
import type { BrowserBounds, Key } from "../accounts/store.ts";
import { KEY_KINDS, type KeyKind } from "../contract/keyKinds.ts";
import { accountFailures } from "./accountFailures.ts";
import { type AddCommand, type ServiceContext, WrongUse } from "./command.ts";

const PAGE_SIZE = 100;
const MOST_PAGES = MOST_LISTED_KEYS / PAGE_SIZE;

const EXPIRES = "expiry date, such as 2027-06-30: at the end of that day (UTC)";
const ALLOW = "addresses and networks it may be used from, such as 192.0.2.7,2001:db8::/32";
const ANYWHERE = "anywhere";

const ORIGIN = "browser keys: origin of a page that may use it, such as https://shop.example; repeatable";
const DAILY = "browser keys: tokens a day (UTC)";
const LOOKUP = "browser keys: allow basic lookups, besides autocomplete";

interface Bounds {
  readonly expires?: string;
  readonly allow?: string;
  readonly origin?: string[];
  readonly dailyTokens?: string;
  readonly lookup?: boolean;
}

/** `opzoek key …`: what an account calls with. */
export const addKeyCommand: AddCommand<ServiceContext> = (program, context) => {
  const key = program.command("key").description("create, list, change and revoke keys");

  key
    .command("create")
    .description("create a key and print it once")
    .requiredOption("--account <id>", "account of the key")
    .requiredOption("--name <name>", "name of the key")
    .option("--kind <kind>", KEY_KINDS.join(", "), "live")
    .option("--expires <date>", EXPIRES)
    .option("--allow <addresses>", ALLOW)
    .option("--origin <origin>", ORIGIN, collect)
    .option("--daily-tokens <number>", `${DAILY}; default: ${DEFAULT_DAILY_TOKENS}`)
    .option("--lookup", LOOKUP)
    .action(
      async ({ account, name, kind, ...given }: Bounds & { account: string; name: string; kind: string }) => {
        const known = keyKind(kind);
        const made = await accountFailures(
          context.withAccounts((accounts) => accounts.createKey(account, name, known, boundsOf(given))),
        );
        context.out(made.key);
        context.err(`${made.id}: keep the key, it is not shown again`);
      },
    );

  key
    .command("list")
    .description(
      "list the keys of an account, live ones first: kind, state, last use, restrictions and where a page misuses it; never the keys themselves",
    )
    .requiredOption("--account <id>", "account of the keys")
    .option("--page <number>", `page of ${PAGE_SIZE} keys`, "1")
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
    .action(async (id: string, { name, ...given }: Bounds & { name?: string }) => {
      const change = { ...(name !== undefined && { name }), ...boundsOf(given) };
      if (Object.keys(change).length === 0) throw new WrongUse("say what to change: --help lists it");
      await accountFailures(context.withAccounts((accounts) => accounts.changeKey(id, change)));
      context.err(`${id} is changed`);
    });

  key
    .command("revoke")
    .description("revoke a key for good, effective with the next call")
    .argument("<id>", "the key's id, not the key")
    .action(async (id: string) => {
      await accountFailures(context.withAccounts((accounts) => accounts.revokeKey(id)));
      context.err(`${id} is revoked`);
    });
};

/** An option that may be repeated. */
function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function boundsOf({ expires, allow, origin, dailyTokens, lookup }: Bounds): AskedBounds {
  return {
    ...(origin !== undefined && { origins: origin }),
    ...(dailyTokens !== undefined && { dailyTokens: Number(dailyTokens) }),
    ...(lookup !== undefined && { mayLookUp: lookup }),
    ...(expires !== undefined && { expiresAt: expires }),
    ...(allow !== undefined && { addresses: allow === ANYWHERE ? [] : allow.split(",") }),
  };
}

function keyKind(text: string): KeyKind {
  const found = KEY_KINDS.find((kind) => kind === text);
  if (found === undefined) throw new WrongUse(`--kind must be one of ${KEY_KINDS.join(", ")}`);
  return found;
}

function asLine(key: Key): string {
  const { id, kind, prefix, lastFour, createdAt, lastUsedAt, addresses, browser, browserCall, name } = key;
  return [
    id,
    `${prefix}…${lastFour}`,
    kind,
    createdAt,
    stateOf(key),
    lastUsedAt === undefined ? "never used" : `used ${lastUsedAt.slice(0, 16)}Z`,
    ...(addresses === undefined ? [] : [`from ${addresses.join(",")}`]),
    ...(browser === undefined ? [] : [inWords(browser)]),
    ...(browserCall === undefined
      ? []
      : [
          `called from a browser at ${browserCall.origin}, where anybody can copy it: make a key of the kind pub`,
        ]),
    name,
  ].join("  ");
}

function inWords({ origins, mayLookUp, dailyTokens }: BrowserBounds): string {
  return `for ${origins.join(",")}, ${dailyTokens} tokens a day${mayLookUp ? ", look-ups too" : ""}`;
}

function stateOf({ revokedAt, endsAt, expiresAt }: Key): string {
  if (revokedAt !== undefined) return `revoked ${revokedAt}`;
  if (expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()) return `expired ${expiresAt}`;
  const untilAt = [endsAt, expiresAt].filter((at) => at !== undefined).sort()[0];
  return untilAt === undefined ? "live" : `live until ${untilAt}`;
}

function pageNumber(text: string): number {
  const page = Number(text);
  if (/^[0-9]{1,6}$/.test(text) && page >= 1 && page <= MOST_PAGES) return page;
  throw new WrongUse(`--page must be a whole number from 1 to ${MOST_PAGES}`);
}
