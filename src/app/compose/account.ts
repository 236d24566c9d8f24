/** Builds the parts of the account page. */
import { Accounts } from "../../accounts/accounts.ts";
import { AttemptLimits } from "../../accounts/attempts.ts";
import { CHANGED } from "../../accounts/changes.ts";
import { EmailChanges } from "../../accounts/emailChanges.ts";
import { type Mailer, notifying } from "../../accounts/mail/mailer.ts";
import { OwnKeys } from "../../accounts/ownKeys.ts";
import { Passwords } from "../../accounts/passwords.ts";
import { AddressHashes } from "../../accounts/secrets.ts";
import { Sessions } from "../../accounts/sessions.ts";
import { SignIn } from "../../accounts/signIn.ts";
import { SignUp } from "../../accounts/signUp.ts";
import { TwoFactor } from "../../accounts/twoFactor.ts";
import type { AccountServices } from "../../http/account/route.ts";
import { PublicSearch } from "../../http/account/visitLimits.ts";
import { known } from "../../lib/values.ts";
import type { Keyring } from "../../metering/keyring.ts";
import { readPointer } from "../../registry/directory.ts";
import { registryDirectory } from "../../registry/paths.ts";
import { paidCallsToday } from "./live.ts";
import type { SharedParts } from "./parts.ts";
import { offersTwoFactor, sealKeys } from "./sealKeys.ts";
import type { Upstreams } from "./upstreams.ts";

interface AccountParts extends SharedParts {
  /** Undefined without a mail server. */
  readonly mailer: Mailer | undefined;
  readonly upstreams: Upstreams;
  readonly keyring: Keyring;
  readonly calls: AccountServices["calls"];
}

export function composeAccount(parts: AccountParts): AccountServices {
  const { settings, state, mailer, upstreams, keyring, calls, logger, now, onAccountError: onError } = parts;
  const { vies, live } = upstreams;
  const { passwords = new Passwords() } = parts;
  const store = state.people;
  const accounts = new Accounts(state, settings.TIERS_FILE, {
    now,
    onKeysEnded: (keyIds) => keyring.recordRevoked(...keyIds),
    onChange: (change) => logger.info(change, CHANGED),
    onKeyChanged: (keyId) => keyring.recordChanged(keyId),
  });
  const limits = new AttemptLimits(store, now);
  const terms = {
    idleMs: settings.SESSION_IDLE_MINUTES * 60_000,
    longestMs: settings.SESSION_HOURS * 3_600_000,
  };
  const sessions = new Sessions(store, terms, now);
  const addresses = new AddressHashes(store);
  const notify = notifying(mailer, addresses, onError);
  const shared = { store, accounts, passwords, limits, sessions, addresses, mailer, notify, now, onError };
  const twoFactor = new TwoFactor({
    ...shared,
    keys: sealKeys(settings),
    isOffered: offersTwoFactor(settings),
  });
  return {
    signup: settings.SIGNUP,
    hasMail: mailer !== undefined,
    operator: {
      ...known("contact", settings.OPERATOR_CONTACT),
      ...known("termsUrl", settings.TERMS_URL),
      ...known("privacyUrl", settings.PRIVACY_URL),
    },
    signUp: new SignUp({ ...shared, mode: settings.SIGNUP }),
    signIn: new SignIn({ ...shared, twoFactor }),
    twoFactor,
    emails: new EmailChanges(shared),
    limits,
    sessions,
    accounts,
    keys: new OwnKeys({ ...shared, ledgers: [state.ledger, state.testLedger] }),
    people: store,
    breakers: () => [...vies.breakers(), ...(live?.breakers() ?? [])],
    paidCalls: async () => live && paidCallsToday(settings, state.live),
    snapshotBefore: () => readPointer(registryDirectory(settings.DATA_DIR))?.previous,
    viesDay: () => vies.day(),
    ...(settings.PUBLIC_SEARCH === "on" && { publicSearch: new PublicSearch(now) }),
    calls,
    now,
  };
}
