import type { Kysely } from "kysely";
import type { PeopleStore } from "../../accounts/peopleStore.ts";
import type { StoreClock } from "../stateStore.ts";
import type { Tables } from "../tables.ts";
import { keyQueries } from "./keys.ts";
import { mailQueries } from "./mails.ts";
import { personQueries } from "./persons.ts";
import { planQueries } from "./plans.ts";
import { sessionQueries } from "./sessions.ts";
import { tokenQueries } from "./tokens.ts";

/** All that people need of a store. */
export function peopleQueries(db: Kysely<Tables>, now: StoreClock): PeopleStore {
  return {
    ...personQueries(db, now),
    ...sessionQueries(db),
    ...tokenQueries(db),
    ...mailQueries(db, now),
    ...keyQueries(db),
    ...planQueries(db),
  };
}

/** Every method, and whether it only reads: such a one may be asked twice. */
const METHODS: Readonly<Record<keyof PeopleStore, "reads" | "writes">> = {
  secret: "writes",
  addPerson: "writes",
  person: "reads",
  personByEmail: "reads",
  setPassword: "writes",
  setAdmin: "writes",
  takeFirstKey: "writes",
  deleteAccount: "writes",
  keptSuspensions: "reads",
  endKeptSuspension: "writes",
  addSession: "writes",
  hasSignedInFrom: "reads",
  session: "reads",
  sessions: "reads",
  seenSession: "writes",
  endSession: "writes",
  addToken: "writes",
  token: "reads",
  takeToken: "writes",
  countAttempt: "writes",
  giveBackAttempt: "writes",
  clearAttempts: "writes",
  addMail: "writes",
  claimMail: "writes",
  endMail: "writes",
  deferMail: "writes",
  askPlan: "writes",
  withdrawPlan: "writes",
  planRequests: "reads",
  rollKey: "writes",
  endRolledKeys: "writes",
  keyPage: "reads",
  keysNamed: "reads",
  lastUse: "reads",
  ledgerDays: "reads",
  ledgerKeys: "reads",
  ledgerMonths: "reads",
  findAccounts: "reads",
  traffic: "reads",
  sweepPeople: "writes",
};

export type PeopleMethod = keyof PeopleStore;
const PEOPLE_METHODS = Object.keys(METHODS) as readonly PeopleMethod[];

/** Whether a method changes nothing. */
export function onlyReads(method: PeopleMethod): boolean {
  return METHODS[method] === "reads";
}

/** The methods of {@link PeopleStore}, each of which does what `call` says. */
export function peopleStoreOf(
  call: (method: PeopleMethod, parameters: readonly unknown[]) => Promise<unknown>,
): PeopleStore {
  const methods = PEOPLE_METHODS.map((method) => [
    method,
    (...parameters: readonly unknown[]) => call(method, parameters),
  ]);
  // METHODS names each of them, and what answers has the same interface.
  return Object.fromEntries(methods) as PeopleStore;
}

/** Calls a method of a store by its name, with parameters that were meant for it. */
export function callPeople(
  store: PeopleStore,
  method: PeopleMethod,
  parameters: readonly unknown[],
): Promise<unknown> {
  const called = store[method] as (...parameters: readonly unknown[]) => Promise<unknown>;
  return called.apply(store, [...parameters]);
}
