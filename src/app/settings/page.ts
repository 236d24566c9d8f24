/** The settings of the account page: who may come in, for how long, and what it links to. */
import { SIGNUP_MODES } from "../../contract/accountRules.ts";
import { contact, integer, oneOf, optional, pageUrl, setting } from "./rules.ts";

export const PAGE_SETTINGS = {
  SIGNUP: setting(
    "invite",
    oneOf(...SIGNUP_MODES),
    "Who may sign up on the account page: `open` (anybody), `invite` (`opzoek account invite`) or `closed`.",
  ),
  PUBLIC_SEARCH: setting(
    "off",
    oneOf("on", "off"),
    "`on` lets visitors of the page find companies by name or KVK number without an account: 20 times a minute per address, in the registry only, no VAT numbers.",
  ),
  OPERATOR_CONTACT: optional(
    contact,
    "Your email address or the address of a page, shown at the foot of every page and where the page says to ask the operator.",
  ),
  TERMS_URL: optional(pageUrl, "Your terms of use, linked at the foot of every page."),
  PRIVACY_URL: optional(pageUrl, "Your privacy statement, linked at the foot of every page."),
  SESSION_IDLE_MINUTES: setting(
    30,
    integer(2, 43_200),
    "Minutes after which an unused session of the account page ends.",
  ),
  SESSION_HOURS: setting(
    8,
    integer(1, 720),
    "Hours after which a session of the account page ends, even in use.",
  ),
} as const;
