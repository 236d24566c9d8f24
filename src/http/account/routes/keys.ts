import { Type } from "typebox";
import { MAX_LIVE_KEYS } from "../../../accounts/accounts.ts";
import { MAX_ADDRESSES, MAX_DAILY_TOKENS, MAX_KEYS_A_DAY, MAX_ORIGINS } from "../../../accounts/keyBounds.ts";
import { MAX_LISTED_KEYS } from "../../../accounts/people.ts";
import { OVERLAP_HOURS } from "../../../contract/accountRules.ts";
import { word } from "../../../contract/fields.ts";
import { KEY_KINDS } from "../../../contract/keyKinds.ts";
import { type AccountKeys, AccountKeysSchema, NewKeySchema } from "../../../contract/keyResources.ts";
import { isPageKey, PAGE_KEY_NAME } from "../../../contract/pageKey.ts";
import { type NamedKeys, type NameOfKey, presentMonth } from "../../../metering/usage.ts";
import { IdParams, pageField, pageOf } from "../fields.ts";
import { type AccountRoute, forSignedIn, type PersonRequest } from "../route.ts";

const PAGE_SIZE = 25;
const IDS_PER_STEP = 500;

const NAME = Type.String({
  description: "The key's name, such as its purpose.",
  "x-rule": "text of 1 to 100 characters",
});
const BOUNDS = {
  expiresAt: Type.Optional(
    Type.String({
      maxLength: 32,
      description: "When the key expires: a moment in UTC, a day (it expires at its end), or `never`.",
      "x-rule": "a day or a moment in UTC, such as 2027-06-30, or never",
    }),
  ),
  addresses: Type.Optional(
    Type.Array(Type.String({ maxLength: 64, description: "An IP address, or a network as CIDR." }), {
      maxItems: MAX_ADDRESSES,
      description: "The only addresses that the key may be used from; empty: any.",
    }),
  ),
  origins: Type.Optional(
    Type.Array(Type.String({ maxLength: 300, description: "An origin, or all below one." }), {
      maxItems: MAX_ORIGINS,
      description: "Browser keys only: the pages that may use it.",
    }),
  ),
  mayLookUp: Type.Optional(
    Type.Boolean({ description: "Browser keys only: whether it may do basic lookups too." }),
  ),
  dailyTokens: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_DAILY_TOKENS,
      description: "Browser keys only: tokens that it may spend per day (UTC).",
    }),
  ),
};

/** The requested page of keys. */
export const KeysQuery = Type.Object({ page: pageField(MAX_LISTED_KEYS / PAGE_SIZE) });

/** The keys of the signed-in person. A key appears only in the response that creates it. */
export const keyRoutes: readonly AccountRoute[] = [
  forSignedIn("GET /account/keys", {
    schema: { querystring: KeysQuery, response: AccountKeysSchema },
    handler: ({ query: { page } }, request) => keysOf(request, request.accountId, page),
  }),

  forSignedIn("POST /account/keys", {
    status: 201,
    schema: {
      body: Type.Object({
        name: NAME,
        kind: Type.Optional(word(KEY_KINDS, "The kind of the key.")),
        ...BOUNDS,
      }),
      response: NewKeySchema,
    },
    handler: ({ body: { name, kind, ...bounds } }, { account, signedIn }) =>
      account.keys.make(signedIn.person.account, name, kind ?? "live", bounds),
  }),

  forSignedIn("POST /account/keys/:id", {
    schema: {
      params: IdParams,
      body: Type.Object({ name: Type.Optional(NAME), ...BOUNDS }),
    },
    handler: ({ params, body }, { account, accountId }) => account.keys.change(accountId, params.id, body),
  }),

  forSignedIn("POST /account/first-key", {
    status: 201,
    schema: { response: NewKeySchema },
    handler: (_input, { account, signedIn }) => account.keys.takeFirst(signedIn.person),
  }),

  forSignedIn("DELETE /account/keys/:id", {
    schema: { params: IdParams },
    handler: ({ params }, { account, accountId }) => account.keys.revoke(accountId, params.id),
  }),

  forSignedIn("POST /account/keys/:id/roll", {
    status: 201,
    schema: {
      params: IdParams,
      body: Type.Object({
        overlapHours: Type.Unsafe<(typeof OVERLAP_HOURS)[number]>({
          type: "integer",
          enum: [...OVERLAP_HOURS],
          description: "Hours for which the old key keeps working.",
        }),
      }),
      response: NewKeySchema,
    },
    handler: ({ params, body }, { account, signedIn }) =>
      account.keys.roll(signedIn.person.account, params.id, body.overlapHours),
  }),
];

/** Returns a page of an account's keys. */
export async function keysOf(
  { account, services }: PersonRequest,
  accountId: string,
  page: number,
): Promise<AccountKeys> {
  const month = await presentMonth(services.ledger, accountId, account.now());
  const part = { ...pageOf(page, PAGE_SIZE), revokedSince: month.start };
  const listed = await account.keys.list(accountId, part, month);
  return { ...listed, page, pageSize: PAGE_SIZE, maxLive: MAX_LIVE_KEYS, maxADay: MAX_KEYS_A_DAY };
}

/** Returns the names of an account's keys by id, without those of an earlier account with the same address. */
export async function namesOf(
  { account }: PersonRequest,
  accountId: string,
  used: readonly { readonly keyId: string }[],
): Promise<NamedKeys> {
  const keyIds = [...new Set(used.map(({ keyId }) => keyId))];
  const names = new Map<string, NameOfKey>();
  // In small parts, so that other users of the state store do not wait long.
  for (let from = 0; from < keyIds.length; from += IDS_PER_STEP) {
    const keys = await account.people.keysNamed(accountId, keyIds.slice(from, from + IDS_PER_STEP));
    for (const { id, name, lastFour } of keys) names.set(id, { name, lastFour });
  }
  for (const id of keyIds.filter(isPageKey)) names.set(id, { name: PAGE_KEY_NAME, isPage: true });
  return names;
}
