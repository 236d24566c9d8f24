import { Type } from "typebox";
import type { OperatorNote } from "../../../accounts/people.ts";
import { PersonRefusal } from "../../../accounts/refusal.ts";
import { AccountCallsSchema } from "../../../contract/accountResources.ts";
import { AccountKeysSchema } from "../../../contract/keyResources.ts";
import {
  type AdminAccount,
  AdminAccountSchema,
  AdminUsageSchema,
} from "../../../contract/oneAccountResources.ts";
import { byOperationOf, monthsOf, requestedMonth } from "../../../metering/accountUsage.ts";
import { sumsByDay } from "../../../metering/ledgerReads.ts";
import { presentMonth } from "../../../metering/usage.ts";
import { IdParams } from "../fields.ts";
import { type AccountRoute, forOperator, type PersonRequest } from "../route.ts";
import { ifAccountExists, noSuchAccount, ofAccount, operatorAccount } from "./adminAccounts.ts";
import { CallsQuery, callsOf } from "./calls.ts";
import { KeysQuery, keysOf } from "./keys.ts";
import { MonthField } from "./usage.ts";

const MAX_NOTE_LENGTH = 4_000;

/** One account for operators: its facts, keys, calls, usage, sessions and note. */
export const accountRoutes: readonly AccountRoute[] = [
  forOperator("GET /account/admin/accounts/:id", {
    schema: { params: IdParams, response: AdminAccountSchema },
    handler: ({ params }, request) => accountOf(request, params.id),
  }),

  forOperator("GET /account/admin/accounts/:id/keys", {
    schema: { params: IdParams, querystring: KeysQuery, response: AccountKeysSchema },
    handler: ofAccount(({ params, query }, request) => keysOf(request, params.id, query.page)),
  }),

  forOperator("GET /account/admin/accounts/:id/calls", {
    schema: { params: IdParams, querystring: CallsQuery, response: AccountCallsSchema },
    handler: ofAccount(({ params, query }, request) => callsOf(request, params.id, query)),
  }),

  forOperator("GET /account/admin/accounts/:id/usage", {
    schema: { params: IdParams, querystring: Type.Object({ month: MonthField }), response: AdminUsageSchema },
    handler: ofAccount(async ({ params: { id }, query }, { account, services }) => {
      const { ledger, testLedger } = services;
      const nowMs = account.now();
      const { name: month, firstDay, lastDay } = await requestedMonth(ledger, id, nowMs, query.month);
      const [{ months }, days, tested] = await Promise.all([
        monthsOf(services, id, nowMs),
        sumsByDay(ledger, id, firstDay, lastDay),
        sumsByDay(testLedger, id, firstDay, lastDay),
      ]);
      return {
        months,
        month,
        byOperation: byOperationOf(days),
        ...(tested.length > 0 && { testByOperation: byOperationOf(tested) }),
      };
    }),
  }),

  forOperator("POST /account/admin/accounts/:id/note", {
    schema: {
      params: IdParams,
      body: Type.Object({
        text: Type.String({
          maxLength: MAX_NOTE_LENGTH,
          description: "Plain text; empty to remove the note.",
          "x-secret": true,
          "x-multiline": true,
          "x-rule": `text of at most ${MAX_NOTE_LENGTH} characters`,
        }),
        basedOn: Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: "The version that this replaces; 0 if there was never a note.",
        }),
      }),
      response: AdminAccountSchema,
    },
    handler: async ({ params: { id }, body: { text, basedOn } }, request) => {
      const { account, accountId: by } = request;
      const note = { text: text.replace(/\r\n?/g, "\n"), basedOn, nowMs: account.now(), by };
      const outcome = await account.people.setNote(id, note);
      if (outcome === "no-account") throw noSuchAccount();
      if (outcome === "other") {
        throw new PersonRefusal(
          "input",
          "this note was changed in the meantime: reload it, then make your change",
        );
      }
      await account.accounts.record({ by, accountId: id, what: "note" });
      return accountOf(request, id);
    },
  }),

  forOperator("POST /account/admin/accounts/:id/sign-out", {
    schema: { params: IdParams, response: AdminAccountSchema },
    handler: async ({ params: { id } }, request) => {
      const { account, signedIn, accountId: by } = request;
      // The operator's own current session stays open: it is ended on the page with all sessions.
      const ended = await account.sessions.endAll(id, id === by ? signedIn.session.id : undefined);
      if (ended > 0) {
        await account.accounts.record({ by, accountId: id, what: "sessions ended", from: String(ended) });
      }
      return accountOf(request, id);
    },
  }),
];

async function accountOf(request: PersonRequest, id: string): Promise<AdminAccount> {
  const { account, services } = request;
  const person = await ifAccountExists(request, id);
  const [month, twoFactor, sessions, [asked], note] = await Promise.all([
    presentMonth(services.ledger, id, account.now()),
    account.twoFactor.state(id),
    account.sessions.list(id),
    account.people.planRequests(id),
    account.people.note(id),
  ]);
  const days = await sumsByDay(services.ledger, id, month.firstDay, month.lastDay);
  const [lastSeen] = sessions;
  return {
    ...operatorAccount(person, services),
    hasPassword: person.passwordHash !== undefined,
    used: days.reduce((sum, { tokens }) => sum + tokens, 0),
    ...(asked !== undefined && { asked: { tier: asked.tierName, askedAt: asked.askedAt } }),
    twoFactor,
    sessions: {
      count: sessions.length,
      ...(lastSeen !== undefined && { lastSeenAt: new Date(lastSeen.lastSeenAtMs).toISOString() }),
    },
    note: note === undefined ? { text: "", version: 0 } : await shownNote(request, note),
  };
}

async function shownNote({ account }: PersonRequest, note: OperatorNote): Promise<AdminAccount["note"]> {
  const [operator] = await account.people.emailsOf([note.changedBy]);
  const changedAt = new Date(note.changedAtMs).toISOString();
  return { ...note, changedAt, changedBy: operator?.email ?? note.changedBy };
}
