import type { LedgerStore } from "../metering/ledger.ts";
import type { Facets } from "./stateStore.ts";

export type FacetName = keyof Facets;

/** What only reads may be asked a second time when its answer is lost. */
export type Access = "read" | "write";

const LEDGER: Readonly<Record<keyof LedgerStore, Access>> = {
  lines: "read",
  sums: "read",
  traffic: "read",
  spent: "read",
  aheadOfClock: "read",
};

/** Every method of every facet. Whoever carries calls to where the state is goes by this table; the types see that it is whole. */
const METHODS: { readonly [Name in FacetName]: Readonly<Record<keyof Facets[Name], Access>> } = {
  metering: { apply: "write", findKeys: "read" },
  ledger: LEDGER,
  testLedger: LEDGER,
  calls: { addCalls: "write", addFailedCalls: "write", addSightings: "write", calls: "read" },
  kept: { sweepKept: "write", withdrawKept: "write" },
  accounts: {
    add: "write",
    find: "read",
    all: "read",
    byTier: "read",
    setTier: "write",
    setSuspended: "write",
    addKey: "write",
    revokeKey: "write",
    changeKey: "write",
  },
  people: {
    secret: "write",
    addPerson: "write",
    person: "read",
    personByEmail: "read",
    setPassword: "write",
    setAdmin: "write",
    changeEmail: "write",
    takeFirstKey: "write",
    deleteAccount: "write",
    sweepDeleted: "write",
    keptSuspensions: "read",
    endKeptSuspension: "write",
    addSession: "write",
    hasSignedInFrom: "read",
    session: "read",
    sessions: "read",
    seenSession: "write",
    endSession: "write",
    addToken: "write",
    token: "read",
    takeToken: "write",
    countAttempt: "write",
    giveBackAttempt: "write",
    clearAttempts: "write",
    addMail: "write",
    addOnce: "write",
    dueNotices: "read",
    allowanceCounts: "read",
    setAllowanceMails: "write",
    claimMail: "write",
    endMail: "write",
    deferMail: "write",
    addAudit: "write",
    audit: "read",
    note: "read",
    setNote: "write",
    endSessions: "write",
    emailsOf: "read",
    twoFactor: "read",
    beginTwoFactor: "write",
    turnOnTwoFactor: "write",
    renewRecoveryCodes: "write",
    turnOffTwoFactor: "write",
    removeTwoFactor: "write",
    askPlan: "write",
    withdrawPlan: "write",
    planRequests: "read",
    planRequestPage: "read",
    rollKey: "write",
    addPageKey: "write",
    endRolledKeys: "write",
    keyPage: "read",
    keysNamed: "read",
    findAccounts: "read",
    deleteExpired: "write",
  },
  verdicts: {
    findVerdicts: "read",
    keepVerdict: "write",
    keepConsultation: "write",
    consultation: "read",
    forgetVerdicts: "write",
    addViesSlots: "write",
    viesSlots: "read",
  },
  live: {
    findCompanies: "read",
    keepCompany: "write",
    keepBranches: "write",
    mostTold: "read",
    toldSince: "read",
    newsAfter: "read",
    heldSearch: "read",
    keepSearch: "write",
    clearLive: "write",
    spendCall: "write",
    refundCall: "write",
    spentCalls: "read",
    hasAccountBeyond: "read",
    holdPermits: "write",
  },
  jobs: {
    addList: "write",
    addNumbers: "write",
    beginList: "write",
    list: "read",
    lists: "read",
    changeList: "write",
    claimList: "write",
    holdList: "write",
    leaveList: "write",
    freeLists: "write",
    nextNumbers: "read",
    completeList: "write",
    resultSizes: "read",
    results: "read",
    staleResults: "read",
    renewResults: "write",
    sweepLists: "write",
    listCounts: "read",
    rollWebhookSecret: "write",
    claimMessage: "write",
    endMessage: "write",
    deferMessage: "write",
  },
  suppressed: { suppressedCompanies: "read", suppressionMark: "read", forget: "write", undoForget: "write" },
};

/** Which method of which facet a call is of. */
export interface MethodId {
  readonly facet: FacetName;
  readonly method: string;
  readonly access: Access;
}

type Carried = (...parameters: readonly unknown[]) => Promise<unknown>;
type Run = (...parameters: readonly unknown[]) => unknown;

/** A facet as it may be implemented where it is called in turn: what needs no waiting is answered at once. */
type Immediate<Facet> = {
  readonly [Name in keyof Facet]: Facet[Name] extends (...parameters: infer In) => Promise<infer Out>
    ? (...parameters: In) => Out | Promise<Out>
    : never;
};

export type Implementation = { readonly [Name in FacetName]: Immediate<Facets[Name]> };

/**
 * All facets, each method made by `carry` once.
 * @param carry makes a function that brings a call to where the same method is implemented, and its result back
 */
export function facetsBy(carry: (id: MethodId) => Carried): Facets {
  const facets = (Object.keys(METHODS) as FacetName[]).map((facet) => {
    const methods: Readonly<Record<string, Access>> = METHODS[facet];
    const carried = Object.entries(methods).map(([method, access]) => [
      method,
      carry({ facet, method, access }),
    ]);
    return [facet, Object.fromEntries(carried)];
  });
  // METHODS names every method of every facet, and what carries a call brings back what that method promises.
  return Object.fromEntries(facets) as Facets;
}

/** The same facets in this thread, each method run by what `carry` makes of it: in turn, once more, or watched. */
export function carriedOver(facets: Facets, carry: (run: Carried, id: MethodId) => Carried): Facets;
export function carriedOver(facets: Implementation, carry: (run: Run, id: MethodId) => Carried): Facets;
export function carriedOver(facets: Implementation, carry: (run: Carried, id: MethodId) => Carried): Facets {
  return facetsBy((id) => carry(methodOf(facets, id), id));
}

/** Calls a method by its name, with parameters that were meant for it. */
export function callByName(
  facets: Implementation,
  id: Pick<MethodId, "facet" | "method">,
  parameters: readonly unknown[],
): unknown {
  return Reflect.apply(methodNamed(facets, id), facets[id.facet], parameters);
}

function methodOf(facets: Implementation, id: MethodId): Carried {
  return methodNamed(facets, id).bind(facets[id.facet]);
}

function methodNamed(facets: Implementation, { facet, method }: Pick<MethodId, "facet" | "method">): Carried {
  const own: unknown = Reflect.get(facets[facet], method);
  if (typeof own !== "function") throw new TypeError(`the state has no ${facet}.${method}`);
  return own as Carried;
}
