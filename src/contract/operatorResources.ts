/** What an operator sees on the account page, by `/account/admin/…`. */
import { type Static, Type } from "typebox";
import { closed, count, day, flag, moment, text, word } from "./accountFields.ts";

const account = {
  id: text("The account.", "acc_0123456789abcdef"),
  email: text("Its address.", "dev@company.example"),
  tier: text("Its plan.", "free"),
};

export const AdminAccountsSchema = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          ...account,
          isSuspended: flag("Whether its calls are answered FORBIDDEN."),
          suspendedAt: Type.Optional(
            moment("Since when; absent when it is not, or when that was not noted."),
          ),
          isAdmin: flag("Whether it sees these views."),
          createdAt: moment("When it was made."),
          liveKeys: count("Keys that work now.", 2),
          used: count("Tokens spent this month."),
          limit: count("The month's allowance in tokens; 0 when its plan is no longer in the table.", 50),
        },
        closed,
      ),
      { description: "The newest first." },
    ),
    total: count("Accounts that fit."),
    page: count("This page, from 1.", 1),
    pageSize: count("Accounts on a page.", 25),
  },
  { ...closed, description: "Accounts whose address or id holds what was searched." },
);
export type AdminAccounts = Static<typeof AdminAccountsSchema>;

export const AdminSuspensionsSchema = Type.Object(
  {
    suspensions: Type.Array(
      Type.Object(
        {
          suspendedAt: Type.Optional(moment("Since when; absent when that was not noted.")),
          keptUntil: moment("When it is forgotten."),
        },
        closed,
      ),
      { description: "Those that were kept last first, a hundred at most." },
    ),
  },
  {
    ...closed,
    description:
      "Suspensions of accounts that were deleted since. Of the address a keyed hash is kept: an account that is made with it is suspended.",
  },
);
export type AdminSuspensions = Static<typeof AdminSuspensionsSchema>;

export const AdminTrafficSchema = Type.Object(
  {
    days: Type.Array(
      Type.Object(
        {
          day: day("The day."),
          requests: count("Calls that the rate limit let in."),
          tokens: count("Tokens spent."),
          refusals: count("Calls over the rate or beyond the allowance.", 0),
          accounts: count("Accounts that called.", 3),
        },
        closed,
      ),
      {
        description:
          "The last thirty days in order, quiet ones with zeros. Deleted accounts are not in them.",
      },
    ),
  },
  { ...closed, description: "What was called and spent by day, all accounts together." },
);
export type AdminTraffic = Static<typeof AdminTrafficSchema>;

const upstreamState = word(["up", "degraded", "down"], "How it is.");

export const AdminUpstreamsSchema = Type.Object(
  {
    service: word(["ok", "degraded", "down"], "The service as a whole, as `/v1/health` says."),
    registry: upstreamState,
    vies: upstreamState,
    breakers: Type.Array(
      Type.Object(
        {
          what: text(
            "`address` (this machine, at VIES), `vies` (all of it), a state's code; `key` (the operator's, at KVK), `kvk` (all of it), a product of KVK.",
            "DE",
          ),
          isOpen: flag("Whether it is left alone, and was not seen to work since."),
        },
        closed,
      ),
      {
        description:
          "`address` and `vies`, with a live registry `key` and `kvk`, and the states and products that are left alone.",
      },
    ),
    paidCalls: Type.Optional(
      Type.Object(
        {
          day: day("The day, in the Netherlands."),
          made: count("Calls so far, of all nodes.", 120),
          most: count("`KVK_DAILY_CALLS`.", 1000),
          madeByFree: count("Those of them that accounts of free plans caused.", 40),
          mostByFree: count("How many they may cause together: `KVK_FREE_SHARE` of the day's.", 200),
          isShared: flag("Whether that counts: there is an account of another plan."),
        },
        { ...closed, description: "Today's paid calls to KVK; absent without a live registry." },
      ),
    ),
  },
  { ...closed, description: "What the service depends on." },
);
export type AdminUpstreams = Static<typeof AdminUpstreamsSchema>;

export const AdminRegistrySchema = Type.Object(
  {
    snapshot: Type.Optional(
      Type.Object(
        {
          file: text("The file that is served.", "snapshot-7.sqlite"),
          builtAt: moment("When it was built."),
          ageSeconds: count("Seconds since.", 3600),
          companies: count("Companies in it.", 25000),
          branches: count("Branches in it.", 31000),
          origins: Type.Array(
            Type.Object(
              {
                origin: text(
                  "`kvk-api`, `gleif`, `import:<name>` or `demo`; `learned:kvk-api` for what was learned of KVK.",
                  "gleif",
                ),
                companies: count("Companies that it knows.", 25000),
                asOf: moment("The newest date of its data."),
              },
              closed,
            ),
            { description: "Where the companies come from." },
          ),
        },
        { ...closed, description: "Absent as long as nothing was imported." },
      ),
    ),
  },
  { ...closed, description: "The registry that is served." },
);
export type AdminRegistry = Static<typeof AdminRegistrySchema>;

export const AdminPlanRequestsSchema = Type.Object(
  {
    requests: Type.Array(
      Type.Object(
        { ...account, asked: text("The plan that it asks for.", "pro"), askedAt: moment("When.") },
        closed,
      ),
      { description: "The oldest first. Giving the account a plan, whichever, ends its request." },
    ),
  },
  { ...closed, description: "Who waits for a plan." },
);
export type AdminPlanRequests = Static<typeof AdminPlanRequestsSchema>;
