import { Type } from "typebox";
import type { SignedIn } from "../../../accounts/sessions.ts";
import {
  NextStepSchema,
  OpenSessionsSchema,
  type SessionState,
  SessionStateSchema,
} from "../../../contract/accountResources.ts";
import { LANGUAGES, PASSWORD_LENGTH } from "../../../contract/accountRules.ts";
import { word } from "../../../contract/fields.ts";
import { known } from "../../../lib/values.ts";
import { CodeField, EmailField, IdParams, LinkBody, secretField } from "../fields.ts";
import {
  type AccountRoute,
  confirmed,
  forAnybody,
  forSignedIn,
  PasswordField,
  type SignedInVisit,
  type Visit,
} from "../route.ts";

/** Sign-up, sign-in, sign-out, passwords, and the open sessions. */
export const signRoutes: readonly AccountRoute[] = [
  forAnybody("GET /account/session", {
    schema: { response: SessionStateSchema },
    handler: async (_input, visit) => stateOf(visit, visit.signedIn),
  }),

  forAnybody("POST /account/sign-up", {
    status: 202,
    schema: {
      body: Type.Object({
        email: EmailField,
        password: secretField("The new account's password."),
        invite: Type.Optional(secretField("The token in an invite.")),
        language: Type.Optional(word(LANGUAGES, "Of mails.")),
      }),
      response: NextStepSchema,
    },
    isHashing: true,
    handler: ({ body }, visit) => visit.account.signUp.signUp(body, visit),
  }),

  forAnybody("POST /account/confirm", {
    schema: { body: LinkBody, response: SessionStateSchema },
    isHashing: true,
    handler: async ({ body }, visit) => {
      const opened = await visit.account.signUp.confirm(body, visit);
      visit.signIn(opened);
      return stateOf(visit, opened.signedIn);
    },
  }),

  forAnybody("POST /account/sign-in", {
    schema: {
      body: Type.Object({
        email: EmailField,
        password: secretField("The password."),
        code: Type.Optional(CodeField),
      }),
      response: SessionStateSchema,
    },
    isHashing: true,
    handler: async ({ body }, visit) => {
      const { account, signedIn } = visit;
      const opened = await account.signIn.signIn(body, visit);
      if (opened === "code needed") return { ...stateOf(visit, undefined), needsCode: true };
      // The browser's previous session ends, so that it cannot continue under another account.
      if (signedIn !== undefined) await endSession(visit, signedIn);
      visit.signIn(opened);
      return stateOf(visit, opened.signedIn);
    },
  }),

  forAnybody("POST /account/sign-out", {
    handler: async (_input, visit) => {
      if (visit.signedIn !== undefined) await endSession(visit, visit.signedIn);
      visit.signOut();
    },
  }),

  forSignedIn("POST /account/password", {
    schema: {
      body: Type.Object({
        oldPassword: secretField("The current password."),
        newPassword: secretField("The new password."),
      }),
    },
    isHashing: true,
    handler: async ({ body }, visit) =>
      visit.signIn(await visit.account.signIn.changePassword(visit.signedIn, body, visit)),
  }),

  forAnybody("POST /account/password/reset-request", {
    status: 202,
    schema: { body: Type.Object({ email: EmailField }), response: NextStepSchema },
    handler: ({ body }, { account, address }) => account.signIn.requestReset(body.email, address),
  }),

  forAnybody("POST /account/password/reset", {
    schema: { body: LinkBody },
    isHashing: true,
    handler: async ({ body }, visit) => {
      await visit.account.signIn.reset(body, visit);
      visit.signOut();
    },
  }),

  forSignedIn("POST /account/delete", {
    schema: { body: Type.Object({ password: PasswordField }) },
    isHashing: true,
    handler: confirmed(async (_input, visit) => {
      await visit.account.accounts.remove(visit.accountId, visit.accountId);
      visit.signOut();
    }),
  }),

  forSignedIn("GET /account/sessions", {
    schema: { response: OpenSessionsSchema },
    handler: async (_input, visit) => {
      const own = visit.signedIn.session.id;
      return { sessions: (await sessionsOf(visit)).map((one) => ({ ...one, isThis: one.id === own })) };
    },
  }),

  forSignedIn("DELETE /account/sessions/:id", {
    schema: { params: IdParams },
    handler: async ({ params }, visit) => {
      const { session } = visit.signedIn;
      await visit.account.sessions.end(session.accountId, params.id);
      if (params.id === session.id) visit.signOut();
    },
  }),
];

/** Returns the open sessions of the signed-in person, the most recently used first. */
export async function sessionsOf({ account, accountId }: SignedInVisit) {
  const sessions = await account.sessions.list(accountId);
  return sessions.map(({ id, createdAtMs, lastSeenAtMs, endsAtMs, client }) => ({
    id,
    createdAt: new Date(createdAtMs).toISOString(),
    lastSeenAt: new Date(lastSeenAtMs).toISOString(),
    endsAt: new Date(endsAtMs).toISOString(),
    ...known("client", client),
  }));
}

function endSession({ account }: Visit, { session }: SignedIn): Promise<boolean> {
  return account.people.endSession(session.accountId, session.id);
}

function stateOf({ account }: Visit, signedIn: SignedIn | undefined): SessionState {
  const { signup, hasMail, publicSearch } = account;
  const maySearch = publicSearch !== undefined;
  const visitor = { signup, maySearch, hasMail, passwordLength: PASSWORD_LENGTH };
  if (signedIn === undefined) return visitor;
  const { person, session } = signedIn;
  const { id: accountId, tierName: tier } = person.account;
  return {
    ...visitor,
    person: {
      ...person.account,
      accountId,
      tier,
      isAdmin: person.isAdmin,
      mayTakeFirstKey: person.mayTakeFirstKey,
      allowanceMails: person.wantsAllowanceMails,
      sessionEndsAt: new Date(session.endsAtMs).toISOString(),
    },
  };
}
