/** Two-factor sign-in on the account page, by `/account/two-factor…`. */
import { type Static, Type } from "typebox";
import { count, flag, moment, object, text, texts } from "./fields.ts";

/** The state of two-factor sign-in, as its account and operators see it. */
export const twoFactorFields = {
  isOn: flag("Whether signing in needs a code as well as the password."),
  since: Type.Optional(moment("Since when it is on.")),
  recoveryCodesLeft: Type.Optional(count("Unused recovery codes, while it is on.")),
};

export const TwoFactorStateSchema = object("Two-factor sign-in of the account.", {
  isOffered: flag("Whether it can be turned on here."),
  ...twoFactorFields,
});
export type TwoFactorState = Static<typeof TwoFactorStateSchema>;

export const TwoFactorSecretSchema = object(
  "A secret that becomes active once a first code from the device is confirmed.",
  {
    secret: text("The secret in base32, to type into a device; shown only once."),
    uri: text("The same for a QR code: `otpauth://totp/Opzoek:…`."),
  },
);
export type TwoFactorSecret = Static<typeof TwoFactorSecretSchema>;

export const RecoveryCodesSchema = object("Recovery codes for a lost device.", {
  codes: texts(
    "Each works once instead of a code. Shown only once and stored as hashes; earlier ones no longer work.",
  ),
});
export type RecoveryCodes = Static<typeof RecoveryCodesSchema>;
