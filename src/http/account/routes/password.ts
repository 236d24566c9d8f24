import { Type } from "typebox";
import { NextStepSchema } from "../../../contract/accountResources.ts";
import { type AccountRoute, forAnybody, forSignedIn } from "../route.ts";
import { EmailField, secretField } from "./fields.ts";

/** Changing and resetting a password, and what asks for it once more. */
export const passwordRoutes: readonly AccountRoute[] = [
  forSignedIn({
    method: "POST",
    path: "/account/password",
    status: 204,
    schema: {
      body: Type.Object({
        oldPassword: secretField("The password until now."),
        newPassword: secretField("The one from now on."),
      }),
    },
    isHashing: true,
    handler: async ({ body }, visit) => {
      const { account, signedIn } = visit;
      visit.signIn(await account.signIn.changePassword(signedIn, body, visit));
    },
  }),

  forAnybody({
    method: "POST",
    path: "/account/password/reset-request",
    status: 202,
    schema: { body: Type.Object({ email: EmailField }), response: NextStepSchema },
    handler: ({ body }, { account, address }) => account.signIn.requestReset(body.email, address),
  }),

  forAnybody({
    method: "POST",
    path: "/account/password/reset",
    status: 204,
    schema: {
      body: Type.Object({
        token: secretField("The token of the link."),
        password: secretField("The new password."),
      }),
    },
    isHashing: true,
    handler: async ({ body }, visit) => {
      await visit.account.signIn.reset(body, visit);
      visit.signOut();
    },
  }),

  forSignedIn({
    method: "POST",
    path: "/account/delete",
    status: 204,
    schema: { body: Type.Object({ password: secretField("The password, once more.") }) },
    isHashing: true,
    handler: async ({ body }, visit) => {
      const { account, signedIn } = visit;
      await account.signIn.confirmWith(signedIn, body.password, visit);
      await account.accounts.remove(signedIn.person.account.id, signedIn.person.account.id);
      visit.signOut();
    },
  }),
];
