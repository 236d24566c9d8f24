/**
 * What the account page is answered with, by `/account/…`. That interface is not the public API: it may change with
 * the page. Absent is what is not known, as everywhere.
 */
import { type Static, Type } from "typebox";
import {
  closed,
  count,
  day,
  figures,
  flag,
  moment,
  offerFields,
  operation,
  text,
  word,
} from "./accountFields.ts";
import { type LANGUAGES, SIGNUP_MODES } from "./accountRules.ts";

export type SignupMode = (typeof SIGNUP_MODES)[number];
export type Language = (typeof LANGUAGES)[number];

export const PersonSchema = Type.Object(
  {
    accountId: text("The account.", "acc_0123456789abcdef"),
    email: text("The address that signs in.", "dev@company.example"),
    tier: text("The account's plan.", "free"),
    isAdmin: flag("Whether the views of the operator are open to it."),
    isSuspended: flag("Whether its API calls are answered FORBIDDEN."),
    createdAt: moment("When the account was made."),
    mayTakeFirstKey: flag("Whether `POST /account/first-key` gives a key: before there was any."),
    allowanceMails: flag(
      "Whether a mail tells that 80 % and that all of a month's tokens are used, where mails are sent.",
    ),
    sessionEndsAt: moment("When this session ends, however busy it is."),
  },
  { ...closed, description: "Who is signed in." },
);
export type Person = Static<typeof PersonSchema>;

export const SessionStateSchema = Type.Object(
  {
    signup: word(SIGNUP_MODES, "Who may sign up: anybody, holders of an invite, nobody."),
    maySearch: flag("Whether anybody may find companies on the page, without an account."),
    hasMail: flag("Whether mails are sent; without, an operator resets passwords by the terminal."),
    passwordLength: Type.Object(
      { least: count("Characters at least.", 12), most: count("Characters at most.", 128) },
      { ...closed, description: "What a password must have; besides, a common one is refused." },
    ),
    person: Type.Optional(PersonSchema),
    needsCode: Type.Optional(
      flag("There and true when the password was right, and signing in needs a code beside it."),
    ),
  },
  { ...closed, description: "Who is signed in, if anybody, and what a visitor may do." },
);
export type SessionState = Static<typeof SessionStateSchema>;

export const NextStepSchema = Type.Object(
  {
    next: word(
      ["sign-in", "confirm", "mail", "operator"],
      "`sign-in`: sign in now; `confirm`: open the link of a mail; `mail`: a mail comes if there is such an account; `operator`: ask the operator.",
    ),
  },
  { ...closed, description: "What to do next: the same whether an account exists or not." },
);
export type NextStep = Static<typeof NextStepSchema>;

export const OpenSessionSchema = Type.Object(
  {
    id: text("Names the session.", "ses_0123456789abcdef"),
    createdAt: moment("When it was signed in."),
    lastSeenAt: moment("When it was last used, to the minute."),
    endsAt: moment("When it ends, however busy it is."),
    client: Type.Optional(text("The browser, as it called itself.", "Mozilla/5.0 (X11; Linux x86_64) …")),
    isThis: flag("Whether it is the one that asks."),
  },
  { ...closed, description: "A session of the account." },
);
export const OpenSessionsSchema = Type.Object(
  { sessions: Type.Array(OpenSessionSchema, { description: "The one that was used last first." }) },
  { ...closed, description: "The open sessions of the account." },
);
export type OpenSessions = Static<typeof OpenSessionsSchema>;

const namedKey = {
  keyId: text("The key.", "key_0123456789abcdef"),
  name: Type.Optional(text("Its name; absent for what a deleted account of this address used.", "web")),
  lastFour: Type.Optional(text("How the key ends, as two may have one name.", "x7Qa")),
  isPage: Type.Optional(flag("There and true for what the account page itself called.")),
};

export const TriedSchema = Type.Object(
  {
    status: Type.Integer({ description: "The HTTP status of the API's answer.", examples: [200] }),
    headers: Type.Record(Type.String(), Type.String(), {
      description:
        "Headers of the answer that tell of limits, tokens and the request's id; names in lower case.",
    }),
    body: Type.Optional(
      Type.Unknown({ description: "The API's answer, parsed; a part of results as text." }),
    ),
    durationMs: Type.Number({ description: "How long the API took, milliseconds.", examples: [3.2] }),
  },
  {
    ...closed,
    description: "What the API answered to a call in the account's name, which spent its tokens.",
  },
);
export type Tried = Static<typeof TriedSchema>;

export const AccountCallsSchema = Type.Object(
  {
    calls: Type.Array(
      Type.Object(
        {
          at: moment("When it was answered."),
          operation,
          status: Type.Integer({ description: "The HTTP status.", examples: [404] }),
          code: Type.Optional(text("Of an error.", "NOT_FOUND")),
          tokens: count("Tokens charged.", 1),
          durationMs: Type.Number({ description: "How long it took, milliseconds.", examples: [1.2] }),
          requestId: text("As `X-Request-Id` told it.", "k3J9x2Qa-7"),
          ...namedKey,
        },
        closed,
      ),
      { description: "The last one first." },
    ),
    keys: Type.Array(Type.Object(namedKey, closed), { description: "The keys of all calls that are kept." }),
    total: count("Calls on all pages.", 3),
    page: count("This page, from 1.", 1),
    pageSize: count("Calls on a page.", 50),
    isOn: flag("Whether calls are noted; without, those that were are told until they are too old."),
    mostCalls: count("So many calls are told, the last ones.", 1000),
    days: count("For so many days.", 7),
    leftOut: count(
      "Calls of the account that are missing because too many came at once or the state was busy, as far as the process that answers knows: since it began. The ledger has every one.",
      0,
    ),
  },
  { ...closed, description: "The account's last calls: how each went, never what was asked." },
);
export type AccountCalls = Static<typeof AccountCallsSchema>;

const period = Type.Object(
  {
    start: moment("Included."),
    end: moment("Not included: when the allowance is replaced."),
  },
  { ...closed, description: "The month." },
);

const tested = Type.Optional(
  Type.Object(
    { requests: figures.requests, tokens: figures.tokens },
    {
      ...closed,
      description:
        "What test keys did, counted apart: in none of the other figures, and free. Absent where they did nothing.",
    },
  ),
);

export const AccountUsageSchema = Type.Object(
  {
    tier: text("The account's plan.", "free"),
    period,
    limit: count("The month's allowance in tokens.", 50),
    used: count("Spent so far; the sum of every list below."),
    remaining: count("Left to spend.", 38),
    notice: Type.Optional(
      Type.Unsafe<80 | 100>({
        type: "integer",
        enum: [80, 100],
        description: "80 from 80 % of the allowance on, 100 when nothing is left.",
        examples: [80],
      }),
    ),
    refusedByRate: figures.refusedByRate,
    refusedByAllowance: figures.refusedByAllowance,
    sessions: figures.sessions,
    sessionCalls: figures.sessionCalls,
    failedByCaller: figures.failedByCaller,
    failedByService: figures.failedByService,
    test: tested,
    byDay: Type.Array(Type.Object({ day: day("The day."), operation, ...figures }, closed), {
      description: "By day and operation, in the order of the days; days without a call are absent.",
    }),
    byKey: Type.Array(
      Type.Object(
        {
          ...namedKey,
          ...figures,
        },
        closed,
      ),
      { description: "By key, what spent most first, a hundred keys at most." },
    ),
    otherKeys: Type.Optional(
      Type.Object(figures, { ...closed, description: "All other keys together, where there are more." }),
    ),
  },
  { ...closed, description: "What the account used this month, to the token as the ledger has it." },
);
export type AccountUsage = Static<typeof AccountUsageSchema>;

const sumsOfRange = {
  total: Type.Object(figures, { ...closed, description: "All of it together." }),
  byOperation: Type.Array(Type.Object({ operation, ...figures }, closed), {
    description: "By what was called, what spent most first.",
  }),
  byKey: Type.Array(Type.Object({ ...namedKey, ...figures }, closed), {
    description: "By key, what spent most first.",
  }),
};

export const UsageRangeSchema = Type.Object(
  {
    from: day("The first day."),
    to: day("The last day, included."),
    ...sumsOfRange,
    test: Type.Optional(
      Type.Object(sumsOfRange, {
        ...closed,
        description:
          "The same of test keys, counted apart: in none of the other figures, and free. Absent where they did nothing.",
      }),
    ),
  },
  { ...closed, description: "What the account, or one key of it, used from a day to another." },
);
export type UsageRange = Static<typeof UsageRangeSchema>;

export const UsageMonthsSchema = Type.Object(
  {
    months: Type.Array(
      Type.Object({ month: text("YYYY-MM, UTC.", "2026-11"), ...figures, test: tested }, closed),
      {
        description: "Twelve months, the oldest first, the present one last; quiet ones with zeros.",
      },
    ),
  },
  { ...closed, description: "What the account used in the last twelve months." },
);
export type UsageMonths = Static<typeof UsageMonthsSchema>;

export const PlansSchema = Type.Object(
  {
    tier: text("The account's plan.", "free"),
    ...offerFields,
    asked: Type.Optional(
      Type.Object(
        { tier: text("The plan that was asked for.", "starter"), askedAt: moment("When.") },
        { ...closed, description: "A change of plan that waits for the operator." },
      ),
    ),
  },
  { ...closed, description: "The plans, and which one is the account's." },
);
export type Plans = Static<typeof PlansSchema>;
