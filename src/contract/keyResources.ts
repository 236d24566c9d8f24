/** What the account page is answered with of keys, see `accountResources.ts`. */
import { type Static, Type } from "typebox";
import { closed, count, day, flag, moment, text, word } from "./accountFields.ts";
import { KEY_KINDS } from "./keyKinds.ts";

const shownKey = {
  id: text("Names the key; it is not the key.", "key_0123456789abcdef"),
  name: text("What it is for.", "website"),
  prefix: text("How the key begins.", "opz_live_"),
  kind: word(
    KEY_KINDS,
    "What it is for. Keys that were made before kinds meant anything are `live`, whatever they begin with.",
  ),
  lastFour: text("How it ends.", "x7Qa"),
  createdAt: moment("When it was made."),
};

export const AccountKeySchema = Type.Object(
  {
    ...shownKey,
    state: word(
      ["live", "ending", "expired", "revoked"],
      "`ending`: rolled, works until endsAt. `expired`: past expiresAt, which can be moved.",
    ),
    endsAt: Type.Optional(moment("When a rolled key ends.")),
    expiresAt: Type.Optional(
      moment("From when on it is refused until this is moved; absent: it does not expire."),
    ),
    addresses: Type.Optional(
      Type.Array(text("An IP address, or a network as CIDR.", "192.0.2.0/24"), {
        description: "The only addresses that it may be used from; absent: any.",
      }),
    ),
    browser: Type.Optional(
      Type.Object(
        {
          origins: Type.Array(text("An origin, or all below one.", "https://*.shop.example"), {
            description: "The pages that it may be used from.",
          }),
          mayLookUp: flag("Whether it may do basic lookups, beside autocomplete."),
          dailyTokens: count("Tokens that it may spend on a day (UTC).", 500),
        },
        { ...closed, description: "What a key for browsers may do." },
      ),
    ),
    browserCall: Type.Optional(
      Type.Object(
        { origin: text("The page's origin.", "https://shop.example"), at: moment("When that was seen.") },
        {
          ...closed,
          description:
            "A browser called with it from another site's page, though it is no key for browsers: anybody can copy it there.",
        },
      ),
    ),
    revokedAt: Type.Optional(moment("When it ended.")),
    lastUsedOn: Type.Optional(day("The last day with a call; absent when never used.")),
    lastUsedAt: Type.Optional(moment("The minute of the last call; absent when never used.")),
    requests: count("Calls this month that the rate limit let in."),
    tokens: count("Tokens that it spent this month."),
  },
  { ...closed, description: "A key as it may be shown: never the key itself." },
);
export type AccountKey = Static<typeof AccountKeySchema>;

export const AccountKeysSchema = Type.Object(
  {
    keys: Type.Array(AccountKeySchema, {
      description:
        "Those that work first, the newest of them first; then those that were revoked this month, the last one first.",
    }),
    total: count("Keys on all pages, 10,000 at most.", 3),
    page: count("This page, from 1.", 1),
    pageSize: count("Keys on a page.", 25),
    live: count("Keys that take one of mostLive: those that work, and expired ones, which can again.", 2),
    mostLive: count("Keys that may be live at once.", 20),
    mostADay: count("Keys that may be made a day (UTC), replaced ones included.", 100),
  },
  { ...closed, description: "The keys of the account." },
);
export type AccountKeys = Static<typeof AccountKeysSchema>;

export const NewKeySchema = Type.Object(
  {
    key: text("The key. It is shown this once and stored as a hash only.", "opz_live_…"),
    ...shownKey,
    replaces: Type.Optional(
      Type.Object(
        { id: text("The key that was rolled.", "key_0123456789abcdef"), endsAt: moment("When it ends.") },
        { ...closed, description: "The key that this one takes the place of." },
      ),
    ),
  },
  { ...closed, description: "A key that was just made." },
);
export type NewAccountKey = Static<typeof NewKeySchema>;
