/** Keys on the account page. */
import { type Static, Type } from "typebox";
import { paged } from "./accountFields.ts";
import { count, day, flag, moment, object, text, texts, word } from "./fields.ts";
import { KEY_KINDS } from "./keyKinds.ts";

const shownKey = {
  id: text("The id of the key; not the key itself."),
  name: text("The name given to it."),
  prefix: text("The first characters of the key, such as `opz_live_`."),
  kind: word(KEY_KINDS, "The kind of the key."),
  lastFour: text("Its last four characters."),
  createdAt: moment("When it was created."),
};

const AccountKeySchema = object("A key without its secret.", {
  ...shownKey,
  state: word(
    ["live", "ending", "expired", "revoked"],
    "`ending`: rolled, works until endsAt. `expired`: past expiresAt, which can be changed.",
  ),
  endsAt: Type.Optional(moment("When a rolled key stops working.")),
  expiresAt: Type.Optional(moment("When it expires; absent: never.")),
  addresses: Type.Optional(
    texts("The only IP addresses, or networks as CIDR, that it may be used from; absent: any."),
  ),
  browser: Type.Optional(
    object("The limits of a browser key.", {
      origins: texts("The origins that it may be used from, such as `https://*.shop.example`."),
      mayLookUp: flag("Whether it may do basic lookups as well as autocomplete."),
      dailyTokens: count("Tokens that it may spend per day (UTC)."),
    }),
  ),
  browserCall: Type.Optional(
    object(
      "It was used in a web page although it is not a browser key, so visitors of that page can copy it.",
      { origin: text("The page's origin."), at: moment("When that was seen.") },
    ),
  ),
  revokedAt: Type.Optional(moment("When it ended.")),
  lastUsedOn: Type.Optional(day("The last day with a call; absent when never used.")),
  lastUsedAt: Type.Optional(moment("The minute of the last call; absent when never used.")),
  requests: count("Calls this month within the rate limit."),
  tokens: count("Tokens that it spent this month."),
});
export type AccountKey = Static<typeof AccountKeySchema>;

export const AccountKeysSchema = object("The keys of the account.", {
  keys: Type.Array(AccountKeySchema, {
    description: "Working keys, newest first; then keys revoked this month, newest first.",
  }),
  ...paged("Keys"),
  live: count("Keys that count towards maxLive: working keys, and expired keys, which can be extended."),
  maxLive: count("Keys that may be live at once."),
  maxADay: count("Keys that may be created per day (UTC), replacements included."),
});
export type AccountKeys = Static<typeof AccountKeysSchema>;

export const NewKeySchema = object("A key that was just created.", {
  key: text("The key. It is shown only once and stored as a hash."),
  ...shownKey,
  replaces: Type.Optional(
    object("The key that this one replaces.", {
      id: text("The key that was rolled."),
      endsAt: moment("When it ends."),
    }),
  ),
});
export type NewAccountKey = Static<typeof NewKeySchema>;
