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
  forEveryone,
  forSignedIn,
  PasswordField,
  type PersonRequest,
  type SignedInRequest,
} from "../route.ts";

/** Sign-up, sign-in, sign-out, passwords, and the open sessions. */
export const signRoutes: readonly AccountRoute[] = [
  forEveryone("GET /account/session", {
    schema: { response: SessionStateSchema },
    handler: async (_input, request) => stateOf(request, request.signedIn),
  }),

  forEveryone("POST /account/sign-up", {
    status: 202,
    schema: {
      body: Type.Object({
        email: EmailField,
        password: secretField("The new account's password."),
        invite: Type.Optional(secretField("The token in an invite.")),
        language: Type.Optional(word(LANGUAGES, "Of mails, and of the name of the first key.")),
      }),
      response: NextStepSchema,
    },
    isHashing: true,
    handler: ({ body }, request) => request.account.signUp.signUp(body, request),
  }),

  forEveryone("POST /account/confirm", {
    schema: { body: LinkBody, response: SessionStateSchema },
    isHashing: true,
    handler: async ({ body }, request) => {
      const opened = await request.account.signUp.confirm(body, request);
      request.signIn(opened);
      return stateOf(request, opened.signedIn);
    },
  }),

  forEveryone("POST /account/sign-in", {
    schema: {
      body: Type.Object({
        email: EmailField,
        password: secretField("The password."),
        code: Type.Optional(CodeField),
      }),
      response: SessionStateSchema,
    },
    isHashing: true,
    handler: async ({ body }, request) => {
      const { account, signedIn } = request;
      const opened = await account.signIn.signIn(body, request);
      if (opened === "code needed") return { ...stateOf(request, undefined), needsCode: true };
      // The browser's previous session ends, so that it cannot continue under another account.
      if (signedIn !== undefined) await endSession(request, signedIn);
      request.signIn(opened);
      return stateOf(request, opened.signedIn);
    },
  }),

  forEveryone("POST /account/sign-out", {
    handler: async (_input, request) => {
      if (request.signedIn !== undefined) await endSession(request, request.signedIn);
      request.signOut();
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
    handler: async ({ body }, request) =>
      request.signIn(await request.account.signIn.changePassword(request.signedIn, body, request)),
  }),

  forEveryone("POST /account/password/reset-request", {
    status: 202,
    schema: { body: Type.Object({ email: EmailField }), response: NextStepSchema },
    handler: ({ body }, { account, address }) => account.signIn.requestReset(body.email, address),
  }),

  forEveryone("POST /account/password/reset", {
    schema: { body: LinkBody },
    isHashing: true,
    handler: async ({ body }, request) => {
      await request.account.signIn.reset(body, request);
      request.signOut();
    },
  }),

  forSignedIn("POST /account/delete", {
    schema: { body: Type.Object({ password: PasswordField }) },
    isHashing: true,
    handler: confirmed(async (_input, request) => {
      await request.account.accounts.remove(request.accountId, request.accountId);
      request.signOut();
    }),
  }),

  forSignedIn("GET /account/sessions", {
    schema: { response: OpenSessionsSchema },
    handler: async (_input, request) => {
      const own = request.signedIn.session.id;
      return { sessions: (await sessionsOf(request)).map((one) => ({ ...one, isThis: one.id === own })) };
    },
  }),

  forSignedIn("DELETE /account/sessions/:id", {
    schema: { params: IdParams },
    handler: async ({ params }, request) => {
      const { session } = request.signedIn;
      await request.account.sessions.end(session.accountId, params.id);
      if (params.id === session.id) request.signOut();
    },
  }),
];

/** Returns the open sessions of the signed-in person, the most recently used first. */
export async function sessionsOf({ account, accountId }: SignedInRequest) {
  const sessions = await account.sessions.list(accountId);
  return sessions.map(({ id, createdAtMs, lastSeenAtMs, endsAtMs, client }) => ({
    id,
    createdAt: new Date(createdAtMs).toISOString(),
    lastSeenAt: new Date(lastSeenAtMs).toISOString(),
    endsAt: new Date(endsAtMs).toISOString(),
    ...known("client", client),
  }));
}

function endSession({ account }: PersonRequest, { session }: SignedIn): Promise<boolean> {
  return account.people.endSession(session.accountId, session.id);
}

function stateOf({ account, services }: PersonRequest, signedIn: SignedIn | undefined): SessionState {
  const { signup, hasMail, publicSearch } = account;
  const maySearch = publicSearch !== undefined;
  const hasCourt = services.lookup.noCourt === undefined;
  const { hasPeppol } = services.lookup;
  const visitor = { signup, maySearch, hasMail, hasCourt, hasPeppol, passwordLength: PASSWORD_LENGTH };
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
