import { Type } from "typebox";
import { type AccountRoute, forSignedIn } from "../route.ts";

/** Whether a mail tells who is signed in that a month's allowance comes to its end. */
export const allowanceMailRoutes: readonly AccountRoute[] = [
  forSignedIn({
    method: "POST",
    path: "/account/allowance-mails",
    status: 204,
    schema: {
      body: Type.Object({
        areWanted: Type.Boolean({
          description: "Whether they are sent from now on.",
          "x-rule": "true or false",
        }),
      }),
    },
    handler: async ({ body }, { account, signedIn }) => {
      await account.people.setAllowanceMails(signedIn.person.account.id, body.areWanted);
    },
  }),
];
