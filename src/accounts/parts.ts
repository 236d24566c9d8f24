import type { Accounts } from "./accounts.ts";
import type { AttemptLimits } from "./attempts.ts";
import type { Mailer, Notify } from "./mail/mailer.ts";
import type { Passwords } from "./passwords.ts";
import type { PeopleQueries } from "./queries.ts";
import type { AddressHashes } from "./secrets.ts";
import type { Sessions } from "./sessions.ts";

/** The services for people's requests, one of each per process. */
export interface PeopleParts {
  readonly store: PeopleQueries;
  readonly accounts: Accounts;
  readonly passwords: Passwords;
  readonly limits: AttemptLimits;
  readonly sessions: Sessions;
  readonly addresses: AddressHashes;
  /** Without a mailer, accounts need no confirmation. */
  readonly mailer: Mailer | undefined;
  readonly notify: Notify;
  /** Unix milliseconds */
  readonly now: () => number;
  /** Called with failures that the response does not show. */
  readonly onError: (error: unknown) => void;
}
