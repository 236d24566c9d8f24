import type { Readable } from "node:stream";
import { isPageKey, PAGE_KEY_NAME } from "../../../contract/pageKey.ts";
import { linesInSteps } from "../../../metering/ledgerSteps.ts";
import type { DownloadBody } from "../../downloads.ts";
import { type AccountRoute, forSignedIn, type SignedInVisit } from "../route.ts";
import { eachOf, fileBody, jsonPieces, ListInSteps } from "./fileBody.ts";

const PAGE = 500;
const FIRST_DAY = "0000-01-01";
const LAST_DAY = "9999-12-31";

/** What is held of the account of who is signed in, to take along. Neither secrets nor their hashes are in it. */
export const exportRoutes: readonly AccountRoute[] = [
  forSignedIn({
    method: "GET",
    path: "/account/export",
    status: 200,
    schema: {},
    handler: (_input, visit) =>
      visit.services.downloads.with(visit.signedIn.person.account, (bodyOf) => exported(visit, bodyOf)),
  }),
];

async function exported(visit: SignedInVisit, bodyOf: DownloadBody): Promise<Readable> {
  const { account, signedIn } = visit;
  const { id } = signedIn.person.account;
  await account.limits.take([["export", id]]);
  const { ledger, testLedger } = visit.services;
  const usage = linesInSteps(ledger, id, FIRST_DAY, LAST_DAY);
  const [sessions, twoFactor, requests] = await Promise.all([
    account.sessions.list(id),
    account.twoFactor.state(id),
    account.people.planRequests(id),
  ]);
  const { email, tierName, createdAt, isSuspended, suspendedAt } = signedIn.person.account;
  const { language, isAdmin, wantsAllowanceMails: allowanceMails } = signedIn.person;
  const told = {
    exportedAt: new Date(account.now()).toISOString(),
    account: {
      id,
      email,
      tier: tierName,
      createdAt,
      language,
      allowanceMails,
      isAdmin,
      isSuspended,
      suspendedAt,
    },
    twoFactor: { isOn: twoFactor.isOn, since: twoFactor.since },
    keys: new ListInSteps(keysOf(visit)),
    usage: new ListInSteps(
      eachOf(usage, (line) => ({ ...line, ...(isPageKey(line.keyId) && { keyName: PAGE_KEY_NAME }) })),
    ),
    // Calls of test keys: they cost nothing and are in no line above.
    testUsage: new ListInSteps(linesInSteps(testLedger, id, FIRST_DAY, LAST_DAY)),
    sessions: sessions.map(({ id: session, createdAtMs, lastSeenAtMs, endsAtMs, client }) => ({
      id: session,
      createdAt: new Date(createdAtMs).toISOString(),
      lastSeenAt: new Date(lastSeenAtMs).toISOString(),
      endsAt: new Date(endsAtMs).toISOString(),
      client,
    })),
    planRequests: requests.map(({ tierName: tier, askedAt }) => ({ tier, askedAt })),
  };
  const body = await fileBody(jsonPieces(told), bodyOf);
  visit.asFile("opzoek-account.json", "application/json; charset=utf-8");
  return body;
}

/** The keys of the account as they may be shown: their rows hold no key and, here, no hash. */
async function* keysOf({ account, signedIn }: SignedInVisit): AsyncGenerator<readonly object[], void> {
  for (let offset = 0; ; offset += PAGE) {
    const part = await account.people.keyPage(signedIn.person.account.id, { offset, limit: PAGE });
    yield part.keys.map(({ accountId: _account, ...shown }) => shown);
    if (part.keys.length < PAGE || offset + PAGE >= part.total) return;
  }
}
