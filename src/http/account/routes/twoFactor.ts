import { Type } from "typebox";
import {
  RecoveryCodesSchema,
  TwoFactorSecretSchema,
  TwoFactorStateSchema,
} from "../../../contract/twoFactorResources.ts";
import { type AccountRoute, forSignedIn } from "../route.ts";
import { CodeField, secretField } from "./fields.ts";

const Password = secretField("The password, once more.");

/** Two-factor sign-in of who is signed in. Secret and recovery codes are in the one answer that makes them, and nowhere else. */
export const twoFactorRoutes: readonly AccountRoute[] = [
  forSignedIn({
    method: "GET",
    path: "/account/two-factor",
    status: 200,
    schema: { response: TwoFactorStateSchema },
    handler: (_input, { account, signedIn }) => account.twoFactor.state(signedIn.person.account.id),
  }),

  forSignedIn({
    method: "POST",
    path: "/account/two-factor/begin",
    status: 201,
    schema: { body: Type.Object({ password: Password }), response: TwoFactorSecretSchema },
    isHashing: true,
    handler: async ({ body }, visit) => {
      const { account, signedIn } = visit;
      await account.signIn.confirmWith(signedIn, body.password, visit);
      return account.twoFactor.begin(signedIn.person.account);
    },
  }),

  forSignedIn({
    method: "POST",
    path: "/account/two-factor/turn-on",
    status: 200,
    schema: { body: Type.Object({ code: CodeField }), response: RecoveryCodesSchema },
    handler: ({ body }, { account, signedIn }) => account.twoFactor.turnOn(signedIn, body.code),
  }),

  forSignedIn({
    method: "POST",
    path: "/account/two-factor/recovery-codes",
    status: 200,
    schema: { body: Type.Object({ password: Password, code: CodeField }), response: RecoveryCodesSchema },
    isHashing: true,
    handler: async ({ body }, visit) => {
      const { account, signedIn } = visit;
      await account.signIn.confirmWith(signedIn, body.password, visit);
      return account.twoFactor.renewCodes(signedIn, body.code);
    },
  }),

  forSignedIn({
    method: "POST",
    path: "/account/two-factor/turn-off",
    status: 204,
    schema: { body: Type.Object({ password: Password, code: CodeField }) },
    isHashing: true,
    handler: async ({ body }, visit) => {
      const { account, signedIn } = visit;
      await account.signIn.confirmWith(signedIn, body.password, visit);
      await account.twoFactor.turnOff(signedIn, body.code);
    },
  }),
];
