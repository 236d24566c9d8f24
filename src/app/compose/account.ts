/** Builds the parts of the account page. */

import { Accounts } from "../../accounts/accounts.ts";
import { AllowanceNotices, type AllowanceNoticesParts } from "../../accounts/allowanceNotices.ts";
import { TryLimits } from "../../accounts/attempts.ts";
import type { AccountChange } from "../../accounts/changes.ts";
import { EmailChanges } from "../../accounts/emailChanges.ts";
import { KnownAddresses } from "../../accounts/knownAddresses.ts";
import type { Mailer, MailStore } from "../../accounts/mails.ts";
import { Notices } from "../../accounts/notices.ts";
import { type KeyUse, OwnKeys } from "../../accounts/ownKeys.ts";
import type { Passwords } from "../../accounts/passwords.ts";
import type { PeopleStore } from "../../accounts/peopleStore.ts";
import { AddressHashes } from "../../accounts/secrets.ts";
import { Sessions } from "../../accounts/sessions.ts";
import { SignIn } from "../../accounts/signIn.ts";
import { SignUp } from "../../accounts/signUp.ts";
import { TwoFactor } from "../../accounts/twoFactor.ts";
import { Upkeep } from "../../accounts/upkeep.ts";
import { PublicSearch } from "../../http/account/publicSearch.ts";
import type { AccountServices } from "../../http/account/route.ts";
import { known } from "../../lib/values.ts";
import { MailOrders } from "../../mail/mailOrders.ts";
import { Outbox } from "../../mail/outbox.ts";
import { lastUse, sumsByKey } from "../../metering/ledgerSums.ts";
import { monthOf } from "../../metering/periods.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import type { Log } from "../log/log.ts";
import type { Settings } from "../settings/settings.ts";
import { offersTwoFactor, sealKeys } from "./sealKeys.ts";

const MAIL_LOST = "a mail could not be sent";

export interface AccountParts {
  readonly state: StateStore;
  readonly mailer: Mailer | undefined;
  readonly now: () => number;
  readonly passwords: Passwords;
  readonly breakers: AccountServices["breakers"];
  readonly paidCalls: AccountServices["paidCalls"];
  readonly snapshotBefore: AccountServices["snapshotBefore"];
  readonly viesDay: AccountServices["viesDay"];
  readonly calls: AccountServices["calls"];
  /** Told which keys were revoked or deleted here. */
  readonly onKeysEnded: (keyIds: readonly string[]) => void;
  /** Told of a key whose bounds were changed here. */
  readonly onKeyChanged: (keyId: string) => void;
  /** Told what was changed of an account, by whom. */
  readonly onChange: (change: AccountChange) => void;
  readonly onError: (error: unknown) => void;
}

/** The parts of the account page. */
export function composeAccount(settings: Settings, parts: AccountParts): AccountServices {
  const { state, mailer, now, passwords, breakers, paidCalls, snapshotBefore, viesDay, onError } = parts;
  const store = state.people;
  const accounts = new Accounts(
    state,
    settings.TIERS_FILE,
    now,
    parts.onKeysEnded,
    parts.onChange,
    parts.onKeyChanged,
  );
  const limits = new TryLimits(store, now);
  const knownAddresses = new KnownAddresses(store, now);
  const terms = { idleMs: idleMsOf(settings), longestMs: settings.SESSION_HOURS * 3_600_000 };
  const sessions = new Sessions(store, terms, knownAddresses, now);
  const shared = { store, passwords, limits, sessions, mailer, now };
  const addresses = new AddressHashes(store);
  const notices = new Notices(mailer, addresses, onError);
  const twoFactor = new TwoFactor({
    store,
    limits,
    keys: sealKeys(settings),
    isOffered: offersTwoFactor(settings),
    notices,
    now,
    onError,
  });
  return {
    signup: settings.SIGNUP,
    hasMail: mailer !== undefined,
    operator: operatorOf(settings),
    signUp: new SignUp({ ...shared, mode: settings.SIGNUP, accounts }),
    signIn: new SignIn({ ...shared, addresses, known: knownAddresses, twoFactor, notices }),
    twoFactor,
    emails: new EmailChanges({ ...shared, addresses, notices }),
    limits,
    sessions,
    accounts,
    keys: new OwnKeys(store, anyKeysUse(state), accounts, now),
    people: store,
    breakers,
    paidCalls,
    snapshotBefore,
    viesDay,
    ...(settings.PUBLIC_SEARCH === "on" && {
      publicSearch: new PublicSearch(now),
    }),
    calls: parts.calls,
    now,
  };
}

/** Links of the operator that the page shows. */
function operatorOf({ OPERATOR_CONTACT, TERMS_URL, PRIVACY_URL }: Settings): AccountServices["operator"] {
  return {
    ...known("contact", OPERATOR_CONTACT),
    ...known("termsUrl", TERMS_URL),
    ...known("privacyUrl", PRIVACY_URL),
  };
}

/** What keeps the state of the account page tidy. */
export function composeAccountUpkeep(
  settings: Settings,
  { people: store, kept }: Pick<StateStore, "people" | "kept">,
  now: () => number,
  onError: (error: unknown) => void,
): Upkeep {
  const sweepKept = kept.sweepKept;
  return new Upkeep({ store, now, idleMs: idleMsOf(settings), monthOf, sweepKept, onError });
}

/** After so long without a call a session ends. */
function idleMsOf({ SESSION_IDLE_MINUTES }: Settings): number {
  return SESSION_IDLE_MINUTES * 60_000;
}

/** What tells people of their allowance, where there is a mail server. */
export function composeAllowanceNotices(
  { TIERS_FILE }: Settings,
  mailer: Mailer | undefined,
  store: PeopleStore,
  options: Pick<AllowanceNoticesParts, "onError" | "lookEveryMs">,
): AllowanceNotices | undefined {
  if (mailer === undefined) return undefined;
  return new AllowanceNotices({
    store,
    mailer,
    addresses: new AddressHashes(store),
    tiers: TIERS_FILE,
    ...options,
  });
}

/** Puts mails into the state for the outbox to send; undefined without a mail server. */
export function composeMailer(
  outbox: Outbox | undefined,
  store: MailStore,
  logger: Log["logger"],
): Mailer | undefined {
  return (
    outbox &&
    new MailOrders({
      store,
      nudge: () => outbox.nudge(),
      onLost: (reason) => logger.error({ reason }, MAIL_LOST),
    })
  );
}

/** What sends the mails that wait, where there is a mail server. */
export async function composeOutbox(
  { SMTP_URL, MAIL_FROM, PUBLIC_URL }: Settings,
  store: MailStore,
  logger: Log["logger"],
): Promise<Outbox | undefined> {
  if (SMTP_URL === undefined || PUBLIC_URL === undefined) return undefined;
  const { smtpPost } = await import("../../mail/smtp.ts");
  const from = MAIL_FROM ?? `opzoek@${new URL(PUBLIC_URL).hostname}`;
  return new Outbox({
    store,
    post: smtpPost(SMTP_URL, from),
    publicUrl: PUBLIC_URL,
    onLost: (reason) => logger.error({ reason }, MAIL_LOST),
    onDelayed: (reason) => logger.error({ reason }, "a mail could not be sent yet and is tried again"),
    onError: (error) => logger.error({ err: error }, "the mails that wait cannot be read"),
  });
}

/** What keys were used for, live ones and test keys: each is in the ledger of its kind. */
function anyKeysUse({ ledger, testLedger }: StateStore): KeyUse {
  return {
    lastUse: async (...asked) => [
      ...(await lastUse(ledger, ...asked)),
      ...(await lastUse(testLedger, ...asked)),
    ],
    keys: async (...asked) => [
      ...(await sumsByKey(ledger, ...asked)),
      ...(await sumsByKey(testLedger, ...asked)),
    ],
  };
}
