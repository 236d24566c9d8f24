import type { Language } from "../contract/accountResources.ts";

/**
 * A mail to a person. `confirm`: somebody signed up with this address · `taken`: the same, and it has an account ·
 * `reset`: somebody wants to set a new password · `changed`: the password was changed.
 */
export type Mail = { readonly to: string; readonly language: Language } & (
  | { readonly kind: "confirm" | "reset"; readonly token: string }
  | { readonly kind: "taken" | "changed" }
);

/** Sends mails, later and without telling how it went: an answer must not show whether there was one. */
export interface Mailer {
  send(mail: Mail): void;
}
