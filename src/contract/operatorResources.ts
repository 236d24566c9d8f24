/** What an operator sees on the account page, by `/account/admin/…`. */
import { type Static, Type } from "typebox";
import {
  closed,
  count,
  day,
  flag,
  moment,
  paged,
  shownAccount,
  text,
  viesState,
  word,
} from "./accountFields.ts";

export const AdminAccountsSchema = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          ...shownAccount,
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
    ...paged("Accounts"),
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
    vies: viesState,
    breakers: Type.Array(
      Type.Object(
        {
          what: text(
            "`address` (this machine, at VIES), `vies` (all of it), a state's code; `key` (the operator's, at KVK), `kvk` (all of it), a product of KVK.",
            "DE",
          ),
          isOpen: flag(
            "Whether it is left alone now: its time is not over, or one call tries whether it works.",
          ),
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
          left: count("Calls that may still be made.", 880),
          renewsAt: moment("When the next day begins in the Netherlands, with all its calls."),
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
          bytes: count("Bytes of its files.", 12000000),
          layers: Type.Array(
            Type.Object(
              {
                file: text("The file.", "segment-8.sqlite"),
                kind: word(["base", "segment"], "`segment`: what changed after the files before it."),
                builtAt: moment("When it was built."),
                companies: count("Companies in it.", 120),
                bytes: count("Its size.", 90000),
              },
              closed,
            ),
            { description: "Its files: the base, then its segments, the newest last." },
          ),
          origins: Type.Array(
            Type.Object(
              {
                origin: text("`kvk-api`, `gleif`, `import:<name>` or `demo`.", "gleif"),
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
    previous: Type.Optional(
      Type.Object(
        {
          file: text("Its newest file.", "snapshot-6.sqlite"),
          builtAt: moment("When it was built."),
          companies: count("Companies in it.", 24800),
          bytes: count("Bytes of its files.", 12000000),
        },
        { ...closed, description: "What `opzoek registry rollback` goes back to." },
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
        { ...shownAccount, asked: text("The plan that it asks for.", "pro"), askedAt: moment("When.") },
        closed,
      ),
      { description: "The oldest first. Giving the account a plan, whichever, ends its request." },
    ),
    ...paged("Requests"),
  },
  { ...closed, description: "Who waits for a plan." },
);
export type AdminPlanRequests = Static<typeof AdminPlanRequestsSchema>;
