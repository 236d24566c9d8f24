/** The settings of the account page: who may come in, for how long, and what it links to. */
import { SIGNUP_MODES } from "../../contract/accountRules.ts";
import { contact, integer, oneOf, pageUrl, setting } from "./rules.ts";

export const PAGE_SETTINGS = {
  SIGNUP: setting({
    shownDefault: "invite",
    fallback: "invite" as const,
    meaning:
      "Who may sign up on the account page: `open` (anybody), `invite` (`opzoek account invite`), `closed`.",
    parse: oneOf(...SIGNUP_MODES),
  }),
  PUBLIC_SEARCH: setting({
    shownDefault: "off",
    fallback: "off" as const,
    meaning:
      "`on`: visitors of the page can find companies by name or KVK number without an account, 20 times a minute for each address, in the registry only (VAT numbers are not checked); `off`.",
    parse: oneOf("on", "off"),
  }),
  OPERATOR_CONTACT: setting<string | undefined>({
    shownDefault: "–",
    fallback: undefined,
    meaning:
      "Your email address or the address of a page: shown at the foot of every page and wherever the page says to ask the operator.",
    parse: contact,
  }),
  TERMS_URL: setting<string | undefined>({
    shownDefault: "–",
    fallback: undefined,
    meaning: "Your terms of use, linked at the foot of every page.",
    parse: pageUrl,
  }),
  PRIVACY_URL: setting<string | undefined>({
    shownDefault: "–",
    fallback: undefined,
    meaning: "Your privacy statement, linked at the foot of every page.",
    parse: pageUrl,
  }),
  SESSION_IDLE_MINUTES: setting({
    shownDefault: "30",
    fallback: 30,
    meaning: "A session of the account page that nobody uses ends after so many minutes.",
    parse: integer(2, 43_200),
  }),
  SESSION_HOURS: setting({
    shownDefault: "8",
    fallback: 8,
    meaning: "A session of the account page ends after so many hours, however busy it is.",
    parse: integer(1, 720),
  }),
} as const;
