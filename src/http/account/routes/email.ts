import { Type } from "typebox";
import { NextStepSchema } from "../../../contract/accountResources.ts";
import { type AccountRoute, forAnybody, forSignedIn } from "../route.ts";
import { EmailField, secretField } from "./fields.ts";

/** Another address for the account of who is signed in. */
export const emailRoutes: readonly AccountRoute[] = [
  forSignedIn({
    method: "POST",
    path: "/account/email",
    status: 202,
    schema: {
      body: Type.Object({ email: EmailField, password: secretField("The password, once more.") }),
      response: NextStepSchema,
    },
    isHashing: true,
    handler: async ({ body }, visit) => {
      const { account, signedIn } = visit;
      await account.signIn.confirmWith(signedIn, body.password, visit);
      return account.emails.request(signedIn, body.email);
    },
  }),

  forAnybody({
    method: "POST",
    path: "/account/email/confirm",
    status: 204,
    schema: {
      body: Type.Object({
        token: secretField("The token of the mail's link."),
        password: secretField("The password of the account."),
      }),
    },
    isHashing: true,
    handler: ({ body }, visit) => visit.account.emails.confirm(body, visit),
  }),
];
