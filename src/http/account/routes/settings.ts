import { Type } from "typebox";
import { NextStepSchema } from "../../../contract/accountResources.ts";
import {
  RecoveryCodesSchema,
  TwoFactorSecretSchema,
  TwoFactorStateSchema,
} from "../../../contract/twoFactorResources.ts";
import { CodeField, EmailField, LinkBody } from "../fields.ts";
import { type AccountRoute, confirmed, forEveryone, forSignedIn, PasswordField } from "../route.ts";

/**
 * Settings of the signed-in person: two-factor sign-in, the address, mail about the allowance. Secret and recovery
 * codes appear only in the response that creates them.
 */
export const settingsRoutes: readonly AccountRoute[] = [
  forSignedIn("GET /account/two-factor", {
    schema: { response: TwoFactorStateSchema },
    handler: (_input, { account, accountId }) => account.twoFactor.state(accountId),
  }),

  forSignedIn("POST /account/two-factor/begin", {
    status: 201,
    schema: { body: Type.Object({ password: PasswordField }), response: TwoFactorSecretSchema },
    isHashing: true,
    handler: confirmed((_input, { account, signedIn }) => account.twoFactor.begin(signedIn.person.account)),
  }),

  forSignedIn("POST /account/two-factor/turn-on", {
    schema: { body: Type.Object({ code: CodeField }), response: RecoveryCodesSchema },
    handler: ({ body }, { account, signedIn }) => account.twoFactor.turnOn(signedIn, body.code),
  }),

  forSignedIn("POST /account/two-factor/recovery-codes", {
    schema: {
      body: Type.Object({ password: PasswordField, code: CodeField }),
      response: RecoveryCodesSchema,
    },
    isHashing: true,
    handler: confirmed(({ body }, { account, signedIn }) =>
      account.twoFactor.renewCodes(signedIn, body.code),
    ),
  }),

  forSignedIn("POST /account/two-factor/turn-off", {
    schema: { body: Type.Object({ password: PasswordField, code: CodeField }) },
    isHashing: true,
    handler: confirmed(({ body }, { account, signedIn }) => account.twoFactor.turnOff(signedIn, body.code)),
  }),

  forSignedIn("POST /account/email", {
    status: 202,
    schema: {
      body: Type.Object({ email: EmailField, password: PasswordField }),
      response: NextStepSchema,
    },
    isHashing: true,
    handler: confirmed(({ body }, { account, signedIn }) => account.emails.request(signedIn, body.email)),
  }),

  forEveryone("POST /account/email/confirm", {
    schema: { body: LinkBody },
    isHashing: true,
    handler: ({ body }, request) => request.account.emails.confirm(body, request),
  }),

  forSignedIn("POST /account/allowance-mails", {
    schema: {
      body: Type.Object({
        areWanted: Type.Boolean({
          description: "Whether to send them.",
          "x-rule": "true or false",
        }),
      }),
    },
    handler: ({ body }, { account, accountId }) =>
      account.people.setAllowanceMails(accountId, body.areWanted),
  }),
];
