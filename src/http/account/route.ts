import type { FastifyInstance } from "fastify";
import type { TSchema } from "typebox";
import type { Accounts } from "../../accounts/accounts.ts";
import type { TryLimits } from "../../accounts/attempts.ts";
import type { EmailChanges } from "../../accounts/emailChanges.ts";
import type { OwnKeys } from "../../accounts/ownKeys.ts";
import type { PeopleStore } from "../../accounts/peopleStore.ts";
import type { Opened, Sessions, SignedIn } from "../../accounts/sessions.ts";
import type { SignIn } from "../../accounts/signIn.ts";
import type { SignUp } from "../../accounts/signUp.ts";
import type { TwoFactor } from "../../accounts/twoFactor.ts";
import type { SignupMode } from "../../contract/accountResources.ts";
import type { AdminUpstreams } from "../../contract/operatorResources.ts";
import type { Site } from "../../contract/publicResources.ts";
import type { CallStore } from "../../metering/callStore.ts";
import type { Input, InputSchema, Services } from "../endpoint.ts";
import type { Tickets } from "../tickets.ts";
import { secretField } from "./fields.ts";
import type { PublicSearch } from "./visitLimits.ts";

/** Questions that VIES answered and did not, by state and slot, in order. */
export interface ViesDay {
  readonly slotMs: number;
  readonly slots: readonly {
    readonly state: string;
    /** Unix milliseconds. */
    readonly slotAtMs: number;
    readonly answered: number;
    readonly unanswered: number;
  }[];
}

/** A snapshot that is kept, to go back to. */
export interface SnapshotBefore {
  readonly file: string;
  /** ISO 8601 UTC */
  readonly createdAt: string;
  readonly companies: number;
  readonly bytes: number;
}

/** What the account page's routes work with. */
export interface AccountServices {
  readonly signup: SignupMode;
  readonly hasMail: boolean;
  /** Links of the operator that the page shows. */
  readonly operator: Site["operator"];
  readonly signUp: SignUp;
  readonly signIn: SignIn;
  readonly twoFactor: TwoFactor;
  readonly emails: EmailChanges;
  readonly limits: TryLimits;
  readonly sessions: Sessions;
  readonly accounts: Accounts;
  readonly keys: OwnKeys;
  readonly people: PeopleStore;
  /** What is left alone after failures: `address`, `vies`, states; `key`, `kvk`, products of KVK. */
  readonly breakers: () => readonly { readonly what: string; readonly isOpen: boolean }[];
  /** Today's paid calls to KVK; undefined without a live registry. */
  readonly paidCalls: () => Promise<Omit<NonNullable<AdminUpstreams["paidCalls"]>, "left"> | undefined>;
  /** The snapshot that was served before the present one and is kept, to go back to. @throws where the pointer cannot be read */
  readonly snapshotBefore: () => SnapshotBefore | undefined;
  /** What became of questions to VIES in the last twenty-four hours, on all nodes. */
  readonly viesDay: () => Promise<ViesDay>;
  /** Who may search without an account; undefined where nobody may. */
  readonly publicSearch?: PublicSearch;
  /** The last calls of accounts, whether they are noted, and how many of an account this process could not note since it began. */
  readonly calls: {
    readonly store: CallStore;
    readonly isOn: boolean;
    readonly leftOut: (accountId: string) => number;
  };
  readonly now: () => number;
}

/** One request of a person. */
export interface Visit {
  readonly account: AccountServices;
  readonly services: Services;
  /** Who is signed in; always there for routes that need a session. */
  readonly signedIn: SignedIn | undefined;
  /** What the browser calls itself. */
  readonly client: string | undefined;
  /** The client's address as tries are counted by it. */
  readonly address: string;
  /** The address that people use, if it was set. */
  readonly publicUrl: string | undefined;
  /** Aborted when nobody waits for the answer any more. */
  readonly gone: AbortSignal;
  readonly app: FastifyInstance;
  readonly tickets: Tickets;
  /** Gives the browser the cookie of a session. */
  signIn(opened: Opened): void;
  /** Takes the cookie away. */
  signOut(): void;
  /** The answer is a file of this name and type. */
  asFile(name: string, type: string): void;
}

export interface SignedInVisit extends Visit {
  readonly signedIn: SignedIn;
  /** The account of who is signed in. */
  readonly accountId: string;
}

export interface AccountSchema extends InputSchema {
  readonly response?: TSchema;
}

interface Stated<S extends AccountSchema, V extends Visit> {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: `/account/${string}`;
  /** Of an answer that is no error, 200 when it is left out; 204 has no body. */
  readonly status?: 201 | 202 | 204;
  readonly schema: S;
  /** It hashes a password, which is dear: a session may do so less often. */
  readonly isHashing?: true;
  readonly handler: (input: Input<S>, visit: V) => Promise<unknown>;
}

export interface AccountRoute extends Stated<AccountSchema, SignedInVisit> {
  readonly who: "anybody" | "session" | "operator";
}

/** A route for anybody. */
export function forAnybody<const S extends AccountSchema>(stated: Stated<S, Visit>): AccountRoute {
  return made("anybody", stated);
}

/** A route for who is signed in. */
export function forSignedIn<const S extends AccountSchema>(stated: Stated<S, SignedInVisit>): AccountRoute {
  return made("session", stated);
}

/** A route for operators who are signed in. */
export function forOperator<const S extends AccountSchema>(stated: Stated<S, SignedInVisit>): AccountRoute {
  return made("operator", stated);
}

/** Part of the body of a route that is {@link confirmed}. */
export const PasswordField = secretField("The password, once more.");

/** Has a handler called only with the right password: a session that was left open is not enough for what it does. */
export function confirmed<I extends { readonly body: { readonly password: string } }, Result>(
  handler: (input: I, visit: SignedInVisit) => Promise<Result>,
): (input: I, visit: SignedInVisit) => Promise<Result> {
  return async (input, visit) => {
    await visit.account.signIn.confirmWith(visit.signedIn, input.body.password, visit);
    return handler(input, visit);
  };
}

function made<S extends AccountSchema>(
  who: AccountRoute["who"],
  { handler, ...rest }: Stated<S, SignedInVisit>,
): AccountRoute {
  // `input` was read by this very schema: `register.ts` reads with it before it calls.
  return { ...rest, who, handler: (input, visit) => handler(input as Input<S>, visit) };
}
