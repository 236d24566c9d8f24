import { Type } from "typebox";
import type { SignedIn } from "../../../accounts/sessions.ts";
import { NextStepSchema, type SessionState, SessionStateSchema } from "../../../contract/accountResources.ts";
import { LANGUAGES, PASSWORD_LENGTH } from "../../../contract/accountRules.ts";
import { type AccountRoute, forAnybody, type Visit } from "../route.ts";
import { CodeField, EmailField, secretField } from "./fields.ts";

/** Who is signed in, and coming and going. */
export const signRoutes: readonly AccountRoute[] = [
  forAnybody({
    method: "GET",
    path: "/account/session",
    status: 200,
    schema: { response: SessionStateSchema },
    handler: async (_input, visit) => stateOf(visit, visit.signedIn),
  }),

  forAnybody({
    method: "POST",
    path: "/account/sign-up",
    status: 202,
    schema: {
      body: Type.Object({
        email: EmailField,
        password: secretField("The password that will sign in."),
        invite: Type.Optional(secretField("The token of an invite.")),
        language: Type.Optional(
          Type.Unsafe<(typeof LANGUAGES)[number]>({
            type: "string",
            enum: [...LANGUAGES],
            description: "Of mails.",
          }),
        ),
      }),
      response: NextStepSchema,
    },
    isHashing: true,
    handler: ({ body }, visit) => visit.account.signUp.signUp(body, visit),
  }),

  forAnybody({
    method: "POST",
    path: "/account/confirm",
    status: 200,
    schema: {
      body: Type.Object({
        token: secretField("The token of the mail's link."),
        password: secretField("The password that was chosen."),
      }),
      response: SessionStateSchema,
    },
    isHashing: true,
    handler: async ({ body }, visit) => {
      const opened = await visit.account.signUp.confirm(body, visit);
      visit.signIn(opened);
      return stateOf(visit, opened.signedIn);
    },
  }),

  forAnybody({
    method: "POST",
    path: "/account/sign-in",
    status: 200,
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
      // The session that the browser had ends: it never goes on under another sign-in.
      if (signedIn !== undefined) await endSession(visit, signedIn);
      visit.signIn(opened);
      return stateOf(visit, opened.signedIn);
    },
  }),

  forAnybody({
    method: "POST",
    path: "/account/sign-out",
    status: 204,
    schema: {},
    handler: async (_input, visit) => {
      if (visit.signedIn !== undefined) await endSession(visit, visit.signedIn);
      visit.signOut();
    },
  }),
];

function endSession({ account }: Visit, { session }: SignedIn): Promise<boolean> {
  return account.people.endSession(session.accountId, session.id);
}

function stateOf({ account }: Visit, signedIn: SignedIn | undefined): SessionState {
  const { signup, hasMail, publicSearch } = account;
  const visitor = {
    signup,
    maySearch: publicSearch !== undefined,
    hasMail,
    passwordLength: PASSWORD_LENGTH,
  };
  if (signedIn === undefined) return visitor;
  const { person, session } = signedIn;
  const { id, email, tierName, isSuspended, createdAt } = person.account;
  return {
    ...visitor,
    person: {
      accountId: id,
      email,
      tier: tierName,
      isAdmin: person.isAdmin,
      isSuspended,
      createdAt,
      mayTakeFirstKey: person.mayTakeFirstKey,
      allowanceMails: person.wantsAllowanceMails,
      sessionEndsAt: new Date(session.endsAtMs).toISOString(),
    },
  };
}
