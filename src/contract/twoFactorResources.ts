/** Two-factor sign-in on the account page, by `/account/two-factor…`. */
import { type Static, Type } from "typebox";
import { closed, count, flag, moment, text } from "./accountFields.ts";

export const TwoFactorStateSchema = Type.Object(
  {
    isOffered: flag("Whether it can be turned on here."),
    isOn: flag("Whether signing in needs a code beside the password."),
    since: Type.Optional(moment("Since when it is on.")),
    recoveryCodesLeft: Type.Optional(count("Recovery codes that were not used, while it is on.", 10)),
  },
  { ...closed, description: "Two-factor sign-in of the account." },
);
export type TwoFactorState = Static<typeof TwoFactorStateSchema>;

export const TwoFactorSecretSchema = Type.Object(
  {
    secret: text("The secret in base32, to type into a device; shown this once.", "JBSWY3DPEHPK3PXP…"),
    uri: text("The same for a QR code.", "otpauth://totp/Opzoek:…"),
  },
  { ...closed, description: "A secret that counts once a first code has shown that a device has it." },
);
export type TwoFactorSecret = Static<typeof TwoFactorSecretSchema>;

export const RecoveryCodesSchema = Type.Object(
  {
    codes: Type.Array(text("Good once, in the place of a code.", "ABCD-EFGH-JKLM-NPQR"), {
      description: "They are shown this once and stored as hashes only; earlier ones are void.",
    }),
  },
  { ...closed, description: "Recovery codes for who has lost the device." },
);
export type RecoveryCodes = Static<typeof RecoveryCodesSchema>;
