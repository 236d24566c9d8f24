/**
 * Responses of `/account/…` for the account page. This interface is not part of the public API and may change with the
 * page. Unknown values are absent.
 */
import { type Static, Type } from "typebox";
import { byOperation, figures, offerFields, operation, paged, planRequest } from "./accountFields.ts";
import { type LANGUAGES, SIGNUP_MODES } from "./accountRules.ts";
import { count, day, flag, moment, object, rows, text, word } from "./fields.ts";

export type SignupMode = (typeof SIGNUP_MODES)[number];
export type Language = (typeof LANGUAGES)[number];

const PersonSchema = object("The person who is signed in.", {
  accountId: text("The account."),
  email: text("The address that signs in."),
  tier: text("The account's plan."),
  isAdmin: flag("Whether it has access to the operator's views."),
  isSuspended: flag("Whether its API calls are refused with FORBIDDEN."),
  createdAt: moment("When the account was created."),
  mayTakeFirstKey: flag(
    "Whether `POST /account/first-key` creates a key: true until the account has had one.",
  ),
  allowanceMails: flag(
    "Whether a mail is sent when 80 % and when all of a month's tokens are used, if the service sends mail.",
  ),
  sessionEndsAt: moment("When this session ends, even if it is in use."),
});
export type Person = Static<typeof PersonSchema>;

export const SessionStateSchema = object("The signed-in person, if any, and the options of a visitor.", {
  signup: word(SIGNUP_MODES, "Who may sign up: anyone, only people with an invite, or no one."),
  maySearch: flag("Whether visitors may search for companies without an account."),
  hasMail: flag("Whether the service sends mail; if not, an operator resets passwords on the command line."),
  hasCourt: flag("Whether the service has the court's register, so that insolvency can be asked."),
  hasPeppol: flag("Whether the service asks Peppol which companies can receive e-invoices."),
  passwordLength: object("The length of a password; common passwords are refused as well.", {
    least: count("The minimum number of characters."),
    most: count("The maximum number of characters."),
  }),
  person: Type.Optional(PersonSchema),
  needsCode: Type.Optional(
    flag("Present and true when the password was right, and signing in needs a code as well."),
  ),
});
export type SessionState = Static<typeof SessionStateSchema>;

export const NextStepSchema = object("The next step: the same whether an account exists or not.", {
  next: word(
    ["sign-in", "confirm", "mail", "operator"],
    "`sign-in`: sign in now; `confirm`: open the link in a mail; `mail`: a mail is sent if the account exists; `operator`: ask the operator.",
  ),
});
export type NextStep = Static<typeof NextStepSchema>;

export const OpenSessionsSchema = object("The open sessions of the account.", {
  sessions: rows("The most recently used first.", {
    id: text("The id of the session."),
    createdAt: moment("When it was signed in."),
    lastSeenAt: moment("When it was last used, to the minute."),
    endsAt: moment("When it ends, even if it is in use."),
    client: Type.Optional(text("The browser's own name (`User-Agent`).")),
    isThis: flag("Whether it is the session of this request."),
  }),
});
export type OpenSessions = Static<typeof OpenSessionsSchema>;

const namedKey = {
  keyId: text("The key."),
  name: Type.Optional(text("Its name; absent for usage of a deleted account of this address.")),
  lastFour: Type.Optional(text("The key's last four characters, as two may have one name.")),
  isPage: Type.Optional(flag("Present and true for calls of the account page itself.")),
};

export const TriedSchema = object("The API's response to a call made for the account, with its tokens.", {
  status: Type.Integer({ description: "The HTTP status of the API's response." }),
  headers: Type.Record(Type.String(), Type.String(), {
    description: "Response headers with limits, tokens and the request id; names in lower case.",
  }),
  body: Type.Optional(
    Type.Unknown({ description: "The API's response, parsed; a range of a list's results as text." }),
  ),
  durationMs: Type.Number({ description: "How long the API took, milliseconds." }),
});
export type Tried = Static<typeof TriedSchema>;

export const AccountCallsSchema = object(
  "The account's latest calls and their outcomes, without their input.",
  {
    calls: rows("Newest first.", {
      at: moment("When it was answered."),
      operation,
      status: Type.Integer({ description: "The HTTP status." }),
      code: Type.Optional(text("The code of an error.")),
      tokens: count("Tokens charged."),
      durationMs: Type.Number({ description: "How long it took, milliseconds." }),
      requestId: text("The request's `X-Request-Id`."),
      ...namedKey,
    }),
    keys: rows("The keys of all stored calls.", namedKey),
    ...paged("Calls"),
    isOn: flag("Whether calls are recorded; if not, earlier ones are listed until they expire."),
    maxCalls: count("The maximum number of calls that are listed."),
    days: count("The number of days for which calls are stored."),
    leftOut: count(
      "Calls that are missing here because too many arrived at once or the state store was busy, counted by this process since it started. All of them are in the ledger.",
    ),
  },
);
export type AccountCalls = Static<typeof AccountCallsSchema>;

const TEST_KEYS = "Usage of test keys, which is free and counted in no other figure. Absent when unused.";
const tested = Type.Optional(object(TEST_KEYS, { requests: figures.requests, tokens: figures.tokens }));

export const AccountUsageSchema = object("Usage this month, exactly as in the ledger.", {
  tier: text("The account's plan."),
  period: object("The month.", {
    start: moment("Included."),
    end: moment("Not included: when the allowance is renewed."),
  }),
  limit: count("The month's allowance in tokens."),
  used: count("Spent so far; the sum of every list below."),
  remaining: count("Left to spend."),
  notice: Type.Optional(
    Type.Unsafe<80 | 100>({
      type: "integer",
      enum: [80, 100],
      description: "80 from 80 % of the allowance on, 100 when nothing is left.",
    }),
  ),
  refusedByRate: figures.refusedByRate,
  refusedByAllowance: figures.refusedByAllowance,
  sessions: figures.sessions,
  sessionCalls: figures.sessionCalls,
  failedByCaller: figures.failedByCaller,
  failedByService: figures.failedByService,
  test: tested,
  byDay: rows("By day and operation, in order of day; days without a call are absent.", {
    day: day("The day."),
    operation,
    ...figures,
  }),
  byKey: rows("By key, highest spending first, a hundred keys at most.", { ...namedKey, ...figures }),
  otherKeys: Type.Optional(object("All other keys together, where there are more.", figures)),
});
export type AccountUsage = Static<typeof AccountUsageSchema>;

const sumsOfRange = {
  total: object("All of it together.", figures),
  byOperation: byOperation("By operation, highest spending first."),
  byKey: rows("By key, highest spending first.", { ...namedKey, ...figures }),
};

export const UsageRangeSchema = object("Usage of the account, or of one of its keys, in a range of days.", {
  from: day("The first day."),
  to: day("The last day, included."),
  ...sumsOfRange,
  test: Type.Optional(object(TEST_KEYS, sumsOfRange)),
});
export type UsageRange = Static<typeof UsageRangeSchema>;

export const UsageMonthsSchema = object("Usage of the account in the last twelve months.", {
  months: rows("Twelve months, the oldest first, the current one last; months without calls have zeros.", {
    month: text("YYYY-MM, UTC."),
    ...figures,
    test: tested,
  }),
});
export type UsageMonths = Static<typeof UsageMonthsSchema>;

export const PlansSchema = object("The plans, and the one of the account.", {
  tier: text("The account's plan."),
  ...offerFields,
  asked: planRequest,
});
export type Plans = Static<typeof PlansSchema>;
