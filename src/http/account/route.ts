import type { FastifyInstance } from "fastify";
import type { Static, TSchema } from "typebox";
import type { Accounts } from "../../accounts/accounts.ts";
import type { AttemptLimits } from "../../accounts/attempts.ts";
import type { EmailChanges } from "../../accounts/emailChanges.ts";
import type { OwnKeys } from "../../accounts/ownKeys.ts";
import type { PeopleQueries } from "../../accounts/queries.ts";
import type { OpenedSession, Sessions, SignedIn } from "../../accounts/sessions.ts";
import type { SignIn } from "../../accounts/signIn.ts";
import type { SignUp } from "../../accounts/signUp.ts";
import type { TwoFactor } from "../../accounts/twoFactor.ts";
import type { SignupMode } from "../../contract/accountResources.ts";
import type { AdminUpstreams } from "../../contract/operatorResources.ts";
import type { Site } from "../../contract/publicResources.ts";
import type { CallQueries } from "../../metering/queries/calls.ts";
import type { Tickets } from "../../metering/tickets.ts";
import type { Input, InputSchema, Services } from "../endpoint.ts";
import { secretField } from "./fields.ts";
import type { PublicSearch } from "./visitLimits.ts";

/** Answered and unanswered requests to VIES, by member state and time slot, in order. */
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

/** The services of the account page's routes. */
export interface AccountServices {
  readonly signup: SignupMode;
  readonly hasMail: boolean;
  /** The operator's links on the page. */
  readonly operator: Site["operator"];
  readonly signUp: SignUp;
  readonly signIn: SignIn;
  readonly twoFactor: TwoFactor;
  readonly emails: EmailChanges;
  readonly limits: AttemptLimits;
  readonly sessions: Sessions;
  readonly accounts: Accounts;
  readonly keys: OwnKeys;
  readonly people: PeopleQueries;
  /** Circuit breakers: `address`, `vies` and member states; `key`, `kvk` and products of KVK. */
  readonly breakers: () => readonly { readonly what: string; readonly isOpen: boolean }[];
  /** Today's paid calls to KVK; undefined without a live registry. */
  readonly paidCalls: () => Promise<Omit<NonNullable<AdminUpstreams["paidCalls"]>, "left"> | undefined>;
  /** The previous snapshot, kept for a rollback. @throws when the pointer cannot be read */
  readonly snapshotBefore: () => Services["lookup"]["snapshotInfo"];
  /** Requests to VIES of the last 24 hours, of all nodes. */
  readonly viesDay: () => Promise<ViesDay>;
  /** Limits searches without an account; undefined if they are off. */
  readonly publicSearch?: PublicSearch;
  /**
   * The recent calls of accounts, whether they are recorded, and how many calls of an account this process has skipped.
   */
  readonly calls: {
    readonly store: CallQueries;
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
  /** The public address, if it is set. */
  readonly publicUrl: string | undefined;
}

/** A request by a person. */
export interface PersonRequest extends AccountParts {
  /** The signed-in person; always set for routes that need a session. */
  readonly signedIn: SignedIn | undefined;
  /** The browser's `User-Agent`. */
  readonly client: string | undefined;
  /** The client's address, by which attempts are counted. */
  readonly address: string;
  /** Aborted when the client has disconnected. */
  readonly gone: AbortSignal;
  readonly app: FastifyInstance;
  /** Sets the session cookie. */
  signIn(opened: OpenedSession): void;
  /** Clears the session cookie. */
  signOut(): void;
  /** Makes the response a download with this file name and type. */
  asFile(name: string, type: string): void;
}

export interface SignedInRequest extends PersonRequest {
  readonly signedIn: SignedIn;
  /** The account of the signed-in person. */
  readonly accountId: string;
}

interface AccountSchema extends InputSchema {
  readonly response?: TSchema;
}

interface RouteOf<S extends AccountSchema, V extends PersonRequest> {
  /** The status of a success; by default 200, or 204 without a response schema. */
  readonly status?: 200 | 201 | 202;
  readonly schema?: S;
  /** Media types of a body that the handler reads as a stream and must limit itself. */
  readonly uploads?: readonly string[];
  /** The route hashes a password, which is expensive and has a lower limit per session. */
  readonly isHashing?: true;
  readonly handler: (input: Input<S>, visit: V) => Promise<Result<S>>;
}

type Result<S> = S extends { readonly response: infer R extends TSchema } ? Static<R> : unknown;

type Method = "GET" | "POST" | "DELETE";
type Path = `/account/${string}`;
type Name = `${Method} ${Path}`;

export interface AccountRoute extends RouteOf<AccountSchema, SignedInRequest> {
  readonly method: Method;
  readonly path: Path;
  readonly schema: AccountSchema;
  readonly who: "everyone" | "session" | "operator";
}

export function forEveryone<const S extends AccountSchema>(name: Name, route: RouteOf<S, PersonRequest>) {
  return defineRoute("everyone", name, route);
}

export function forSignedIn<const S extends AccountSchema>(name: Name, route: RouteOf<S, SignedInRequest>) {
  return defineRoute("session", name, route);
}

export function forOperator<const S extends AccountSchema>(name: Name, route: RouteOf<S, SignedInRequest>) {
  return defineRoute("operator", name, route);
}

function defineRoute<S extends AccountSchema>(
  who: AccountRoute["who"],
  name: Name,
  { schema, handler, ...rest }: RouteOf<S, SignedInRequest>,
): AccountRoute {
  const [method, path] = name.split(" ") as [Method, Path];
  // `register.ts` has validated `input` by this schema.
  const checked: AccountRoute["handler"] = (input, visit) => handler(input as Input<S>, visit);
  return { ...rest, method, path, who, schema: schema ?? {}, handler: checked };
}

/** The password in the body of a {@link confirmed} route. */
export const PasswordField = secretField("The account's password.");

/** Calls a handler only if the password is right, because an open session is not enough for it. */
export function confirmed<I extends { readonly body: { readonly password: string } }, Result>(
  handler: (input: I, visit: SignedInRequest) => Promise<Result>,
): (input: I, visit: SignedInRequest) => Promise<Result> {
  return async (input, visit) => {
    await visit.account.signIn.confirmWith(visit.signedIn, input.body.password, visit);
    return handler(input, visit);
  };
}
