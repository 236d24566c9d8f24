import { isPageKey, PAGE_KEY_NAME } from "../../../contract/pageKey.ts";
import { type AccountRoute, forSignedIn, type SignedInVisit } from "../route.ts";

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
    handler: async (_input, visit): Promise<string> => {
      const { account, signedIn } = visit;
      const { id } = signedIn.person.account;
      await account.limits.take([["export", id]]);
      const [keys, usage, testUsage, sessions, twoFactor, requests] = await Promise.all([
        keysOf(visit),
        visit.services.ledger.lines(id, FIRST_DAY, LAST_DAY),
        visit.services.testLedger.lines(id, FIRST_DAY, LAST_DAY),
        account.sessions.list(id),
        account.twoFactor.state(id),
        account.people.planRequests(id),
      ]);
      visit.asFile("opzoek-account.json", "application/json; charset=utf-8");
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
        keys,
        usage: usage.map((line) => ({
          ...line,
          ...(isPageKey(line.keyId) && { keyName: PAGE_KEY_NAME }),
        })),
        // What test keys did, which cost nothing and is in no line above.
        testUsage,
        sessions: sessions.map(({ id: session, createdAtMs, lastSeenAtMs, endsAtMs, client }) => ({
          id: session,
          createdAt: new Date(createdAtMs).toISOString(),
          lastSeenAt: new Date(lastSeenAtMs).toISOString(),
          endsAt: new Date(endsAtMs).toISOString(),
          client,
        })),
        planRequests: requests.map(({ tierName: tier, askedAt }) => ({ tier, askedAt })),
      };
      return `${JSON.stringify(told, undefined, 2)}\n`;
    },
  }),
];

/** All keys of the account as they may be shown: their rows hold no key and, here, no hash. */
async function keysOf({ account, signedIn }: SignedInVisit): Promise<object[]> {
  const keys: object[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const part = await account.people.keyPage(signedIn.person.account.id, { offset, limit: PAGE });
    keys.push(...part.keys.map(({ accountId: _account, ...shown }) => shown));
    if (part.keys.length < PAGE || keys.length >= part.total) return keys;
  }
}
