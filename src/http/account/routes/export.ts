import type { Readable } from "node:stream";
import { isPageKey, PAGE_KEY_NAME } from "../../../contract/pageKey.ts";
import type { LedgerLine } from "../../../metering/ledger.ts";
import { linesInSteps } from "../../../metering/ledgerReads.ts";
import { changeEventOf } from "../../../monitors/changeEvent.ts";
import { monitorResource } from "../../../monitors/monitorResource.ts";
import { type AccountRoute, forSignedIn, type SignedInRequest } from "../route.ts";
import { sessionsOf } from "./sign.ts";

const PAGE = 500;
const FIRST_DAY = "0000-01-01";
const LAST_DAY = "9999-12-31";

/** Exports all stored data of the signed-in person's account, without secrets and their hashes. */
export const exportRoutes: readonly AccountRoute[] = [
  forSignedIn("GET /account/export", {
    status: 200,
    handler: (_input, request) =>
      fileOf(request, "opzoek-account.json", "application/json; charset=utf-8", exported(request)),
  }),
];

async function* exported(request: SignedInRequest): AsyncGenerator<string, void> {
  const { account, signedIn, accountId: id } = request;
  await account.limits.take([["export", id]]);
  const { ledger, testLedger } = request.services;
  const [sessions, twoFactor, requests] = await Promise.all([
    sessionsOf(request),
    account.twoFactor.state(id),
    account.people.planRequests(id),
  ]);
  const { email, tierName: tier, createdAt, isSuspended, suspendedAt } = signedIn.person.account;
  const { language, isAdmin, wantsAllowanceMails: allowanceMails } = signedIn.person;
  yield* jsonPieces({
    exportedAt: new Date(account.now()).toISOString(),
    account: { id, email, tier, createdAt, language, allowanceMails, isAdmin, isSuspended, suspendedAt },
    twoFactor: { isOn: twoFactor.isOn, since: twoFactor.since },
    keys: keysOf(request),
    usage: namedLines(linesInSteps(ledger, id, FIRST_DAY, LAST_DAY)),
    // Calls with test keys cost nothing and are in no line above.
    testUsage: linesInSteps(testLedger, id, FIRST_DAY, LAST_DAY),
    monitors: monitorsOf(request),
    events: eventsOf(request),
    sessions,
    planRequests: requests.map((asked) => ({ tier: asked.tierName, askedAt: asked.askedAt })),
  });
}

/** Returns the account's keys for display. These rows contain no keys and no hashes. */
async function* keysOf({ account, accountId }: SignedInRequest): AsyncGenerator<readonly object[], void> {
  for (let offset = 0; ; offset += PAGE) {
    const part = await account.people.keyPage(accountId, { offset, limit: PAGE });
    yield part.keys.map(({ accountId: _account, ...shown }) => shown);
    if (part.keys.length < PAGE || offset + PAGE >= part.total) return;
  }
}

async function* monitorsOf({
  services,
  accountId,
}: SignedInRequest): AsyncGenerator<readonly object[], void> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page = await services.monitors.list({ accountId }, after, PAGE);
    yield page.monitors.map((monitor) => monitorResource(monitor, services.monitors.service));
    after = page.after;
  }
}

async function* eventsOf({ services, accountId }: SignedInRequest): AsyncGenerator<readonly object[], void> {
  for await (const events of services.monitors.eventsInSteps({ accountId })) yield events.map(changeEventOf);
}

async function* namedLines(steps: InSteps<LedgerLine>): AsyncGenerator<readonly object[], void> {
  for await (const lines of steps) {
    yield lines.map((line) => ({ ...line, ...(isPageKey(line.keyId) && { keyName: PAGE_KEY_NAME }) }));
  }
}

/**
 * Sends a file. The first piece is made before the response begins, so that a failure to start becomes an error
 * response. A later failure cuts the response off.
 * @param pieces the text, each piece some milliseconds of work
 */
export function fileOf(
  request: SignedInRequest,
  name: string,
  type: string,
  pieces: AsyncGenerator<string, void>,
): Promise<Readable> {
  return request.services.downloads.with(request.signedIn.person.account, async (bodyOf) => {
    const first = await pieces.next();
    request.asFile(name, type);
    return bodyOf(behind(first, pieces));
  });
}

async function* behind(
  first: IteratorResult<string, void>,
  pieces: AsyncGenerator<string, void>,
): AsyncGenerator<string, void> {
  if (first.done === true) return;
  yield first.value;
  yield* pieces;
}

/** Some items of a list at a time. */
type InSteps<Item> = AsyncIterable<readonly Item[]>;

/** Writes an object like `JSON.stringify` with an indentation of two and a final line break; its lists may be async. */
async function* jsonPieces(members: Readonly<Record<string, unknown>>): AsyncGenerator<string, void> {
  let before = "{";
  for (const [name, value] of Object.entries(members)) {
    const start = `${before}\n  ${JSON.stringify(name)}: `;
    if (isInSteps(value)) yield* listPieces(start, value);
    else yield start + indented(value, "  ");
    before = ",";
  }
  yield "\n}\n";
}

function isInSteps(value: unknown): value is InSteps<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

async function* listPieces(start: string, steps: InSteps<unknown>): AsyncGenerator<string, void> {
  let before = `${start}[`;
  for await (const items of steps) {
    if (items.length === 0) continue;
    yield before + items.map((item) => `\n    ${indented(item, "    ")}`).join(",");
    before = ",";
  }
  yield before === "," ? "\n  ]" : `${before}]`;
}

function indented(value: unknown, by: string): string {
  return JSON.stringify(value, undefined, 2).replaceAll("\n", `\n${by}`);
}
