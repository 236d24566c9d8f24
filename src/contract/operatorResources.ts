/** Lists of accounts and the state of the service, for operators, by `/account/admin/…`. */
import { type Static, Type } from "typebox";
import { accountName, paged, serviceState, shownAccount, upstreamState, viesState } from "./accountFields.ts";
import { count, day, flag, moment, object, rows, text, word } from "./fields.ts";

export const AdminAccountsSchema = object("Accounts whose address or id contains the search text.", {
  results: rows("The newest first.", { ...shownAccount, liveKeys: count("Keys that work now.") }),
  ...paged("Accounts"),
});
export type AdminAccounts = Static<typeof AdminAccountsSchema>;

export const AdminSuspensionsSchema = object(
  "Suspensions of deleted accounts. A keyed hash of the address is stored, so that a new account with that address is suspended too.",
  {
    suspensions: rows("The most recent first, a hundred at most.", {
      suspendedAt: Type.Optional(moment("Since when; absent when that was not recorded.")),
      keptUntil: moment("When it is deleted."),
    }),
  },
);
export type AdminSuspensions = Static<typeof AdminSuspensionsSchema>;

export const AdminTrafficSchema = object("Calls and tokens by day, all accounts together.", {
  days: rows("The last thirty days in order, including days without calls. Deleted accounts are left out.", {
    day: day("The day."),
    requests: count("Calls within the rate limit."),
    tokens: count("Tokens spent."),
    refusals: count("Calls over the rate limit or beyond the allowance."),
    accounts: count("Accounts that made calls."),
  }),
});
export type AdminTraffic = Static<typeof AdminTrafficSchema>;

export const AdminUpstreamsSchema = object("The services that this one depends on.", {
  service: serviceState,
  registry: upstreamState,
  vies: viesState,
  breakers: rows(
    "`address` and `vies`, with a live registry `key` and `kvk`, and every member state and product that is not called.",
    {
      what: text(
        "`address` (this machine, at VIES), `vies` (all of it), a state's code; `key` (the operator's, at KVK), `kvk` (all of it), a product of KVK.",
      ),
      isOpen: flag("Whether calls are stopped, apart from one trial call."),
    },
  ),
  paidCalls: Type.Optional(
    object("Today's paid calls to KVK; absent without a live registry.", {
      day: day("The day, in the Netherlands."),
      made: count("Calls so far, of all nodes."),
      most: count("`KVK_DAILY_CALLS`."),
      left: count("Calls left today."),
      renewsAt: moment("When the next day begins in the Netherlands, with all its calls."),
      madeByFree: count("Of these, calls for free accounts."),
      maxByFree: count("The limit of those: `KVK_FREE_SHARE` of the day's calls."),
      isShared: flag("Whether that limit applies: there is an account on another plan."),
    }),
  ),
});
export type AdminUpstreams = Static<typeof AdminUpstreamsSchema>;

const snapshotFields = {
  file: text("The name of the file; of several files, the newest."),
  builtAt: moment("When it was built."),
  companies: count("Number of companies."),
  bytes: count("Size in bytes."),
};

export const AdminRegistrySchema = object("The registry that is served.", {
  snapshot: Type.Optional(
    object("Absent until the first import.", {
      ...snapshotFields,
      ageSeconds: count("Seconds since it was built."),
      branches: count("Number of branches."),
      layers: rows("Its files: the base, then its segments, the newest last.", {
        ...snapshotFields,
        kind: word(["base", "segment"], "`segment`: changes after the files before it."),
      }),
      origins: rows("Where the companies come from.", {
        origin: text("`kvk-api`, `gleif`, `import:<name>` or `demo`."),
        companies: count("Number of companies from it."),
        asOf: moment("The newest date of its data."),
      }),
    }),
  ),
  previous: Type.Optional(object("The target of `opzoek registry rollback`.", snapshotFields)),
});
export type AdminRegistry = Static<typeof AdminRegistrySchema>;

export const AdminPlanRequestsSchema = object("Accounts that requested a plan.", {
  requests: rows("The oldest first. Giving the account any plan ends its request.", {
    ...accountName,
    asked: text("The requested plan."),
    askedAt: moment("When it was requested."),
  }),
  ...paged("Requests"),
});
export type AdminPlanRequests = Static<typeof AdminPlanRequestsSchema>;
