import type { FastifyInstance } from "fastify";
import type { Static, TSchema } from "typebox";
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
  readonly snapshotBefore: () => Services["lookup"]["snapshotInfo"];
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

/** The service behind the account page's routes. */
export interface AccountParts {
  readonly account: AccountServices;
  readonly services: Services;
  readonly tickets: Tickets;
  /** The address that people use, if it was set. */
  readonly publicUrl: string | undefined;
}

/** One request of a person. */
export interface Visit extends AccountParts {
  /** Who is signed in; always there for routes that need a session. */
  readonly signedIn: SignedIn | undefined;
  /** What the browser calls itself. */
  readonly client: string | undefined;
  /** The client's address as tries are counted by it. */
  readonly address: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly gone: AbortSignal;
  readonly app: FastifyInstance;
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

interface AccountSchema extends InputSchema {
  readonly response?: TSchema;
}

interface Stated<S extends AccountSchema, V extends Visit> {
  /** Of an answer that is not an error; without it 200, or 204 where there is no response schema. */
  readonly status?: 200 | 201 | 202;
  readonly schema?: S;
  /** Bytes of the request's body at most, where that is not the usual bound. */
  readonly bodyLimit?: number;
  /** It hashes a password, which is expensive: a session may do so less often. */
  readonly isHashing?: true;
  readonly handler: (input: Input<S>, visit: V) => Promise<Result<S>>;
}

type Result<S> = S extends { readonly response: infer R extends TSchema } ? Static<R> : unknown;

type Method = "GET" | "POST" | "DELETE";
type Path = `/account/${string}`;
type Name = `${Method} ${Path}`;

export interface AccountRoute extends Stated<AccountSchema, SignedInVisit> {
  readonly method: Method;
  readonly path: Path;
  readonly schema: AccountSchema;
  readonly who: "anybody" | "session" | "operator";
}

export function forAnybody<const S extends AccountSchema>(name: Name, stated: Stated<S, Visit>) {
  return made("anybody", name, stated);
}

export function forSignedIn<const S extends AccountSchema>(name: Name, stated: Stated<S, SignedInVisit>) {
  return made("session", name, stated);
}

export function forOperator<const S extends AccountSchema>(name: Name, stated: Stated<S, SignedInVisit>) {
  return made("operator", name, stated);
}

function made<S extends AccountSchema>(
  who: AccountRoute["who"],
  name: Name,
  { schema, handler, ...rest }: Stated<S, SignedInVisit>,
): AccountRoute {
  const [method, path] = name.split(" ") as [Method, Path];
  // `input` was read by this very schema: `register.ts` reads with it before it calls.
  const checked: AccountRoute["handler"] = (input, visit) => handler(input as Input<S>, visit);
  return { ...rest, method, path, who, schema: schema ?? {}, handler: checked };
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
