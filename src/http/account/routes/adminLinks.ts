import { Type } from "typebox";
import { makeInvite, makeReset, type OneTimeLink } from "../../../accounts/links.ts";
import { type AdminLink, AdminLinkSchema } from "../../../contract/oneAccountResources.ts";
import { type AccountRoute, forOperator, type Visit } from "../route.ts";
import { accountThere, operatorOf } from "./adminFields.ts";
import { EmailField, IdParams, secretField } from "./fields.ts";

/** Ways into accounts: invites and links for a new password, each in the one answer that makes it and nowhere else, and signing in without a lost device. */
export const linkRoutes: readonly AccountRoute[] = [
  forOperator({
    method: "POST",
    path: "/account/admin/invites",
    status: 201,
    schema: {
      body: Type.Object({
        email: Type.Optional(EmailField),
        tier: Type.Optional(Type.String({ maxLength: 64, description: "The plan; free when left out." })),
      }),
      response: AdminLinkSchema,
    },
    handler: async ({ body: { email, tier } }, visit) => {
      const { account } = visit;
      const by = operatorOf(visit);
      await account.limits.take([["operator link", by]]);
      const asked = { ...(email !== undefined && { email }), ...(tier !== undefined && { tierName: tier }) };
      return told(
        visit,
        "invite",
        await makeInvite(account.people, account.accounts, asked, account.now(), by),
      );
    },
  }),

  forOperator({
    method: "POST",
    path: "/account/admin/accounts/:id/password-link",
    status: 201,
    schema: {
      params: IdParams,
      body: Type.Object({ password: secretField("The operator's own password, once more.") }),
      response: AdminLinkSchema,
    },
    isHashing: true,
    handler: async ({ params: { id }, body }, visit) => {
      const { account, signedIn } = visit;
      const by = operatorOf(visit);
      // Whoever holds such a link gets into the account: a session that was left open must not be enough for one.
      await account.signIn.confirmWith(signedIn, body.password, visit);
      await accountThere(visit, id);
      await account.limits.take([["operator link", by]]);
      return told(visit, "reset", await makeReset(account.people, account.accounts, id, account.now(), by));
    },
  }),

  forOperator({
    method: "POST",
    path: "/account/admin/accounts/:id/reset-two-factor",
    status: 204,
    schema: {
      params: IdParams,
      body: Type.Object({ password: secretField("The operator's own password, once more.") }),
    },
    isHashing: true,
    handler: async ({ params: { id }, body }, visit) => {
      const { account, signedIn } = visit;
      await account.signIn.confirmWith(signedIn, body.password, visit);
      await accountThere(visit, id);
      await account.accounts.resetTwoFactor(id, operatorOf(visit));
    },
  }),
];

/** The secret stands in the fragment, which browsers send to no server. */
function told(
  { publicUrl = "" }: Visit,
  kind: "invite" | "reset",
  { token, expiresAt }: OneTimeLink,
): AdminLink {
  return { link: `${publicUrl}/#${kind}=${token}`, expiresAt };
}
