import { type Static, Type } from "typebox";
import { operation as operationField } from "../../../contract/accountFields.ts";
import { type AccountCalls, AccountCallsSchema } from "../../../contract/accountResources.ts";
import { known } from "../../../lib/values.ts";
import {
  CALL_RETENTION_MS,
  type CallFilter,
  MAX_CALLS,
  type RecordedCall,
} from "../../../metering/recordedCalls.ts";
import type { NamedKeys } from "../../../metering/usage.ts";
import { pageField, pageOf } from "../fields.ts";
import { type AccountRoute, forSignedIn, type PersonRequest } from "../route.ts";
import { namesOf } from "./keys.ts";

const PAGE_SIZE = 50;
const DAY_MS = 86_400_000;

/** The filter of calls. */
export const CallsQuery = Type.Object({
  key: Type.Optional(Type.String({ maxLength: 64, description: "Only calls with the key of this id." })),
  status: Type.Optional(
    Type.String({
      pattern: "^[1-5](xx|[0-9]{2})$",
      description: "A status, or all statuses that begin with a digit.",
      "x-rule": "a status such as 404, or 4xx",
    }),
  ),
  operation: Type.Optional(operationField),
  page: pageField(MAX_CALLS / PAGE_SIZE),
});

/** The account's recent calls, without their inputs. */
export const callRoutes: readonly AccountRoute[] = [
  forSignedIn("GET /account/calls", {
    schema: { querystring: CallsQuery, response: AccountCallsSchema },
    handler: ({ query }, request) => callsOf(request, request.accountId, query),
  }),
];

/** Returns a page of an account's recent calls. */
export async function callsOf(
  request: PersonRequest,
  accountId: string,
  { page, key, status, operation }: Static<typeof CallsQuery>,
): Promise<AccountCalls> {
  const { account } = request;
  const filter: CallFilter = {
    ...known("keyId", key),
    ...known("operation", operation),
    ...(status !== undefined && { statuses: statusesOf(status) }),
  };
  const sinceMs = account.now() - CALL_RETENTION_MS;
  const found = await account.calls.store.calls(accountId, sinceMs, filter, pageOf(page, PAGE_SIZE));
  const keys = found.keyIds.map((keyId) => ({ keyId }));
  const names = await namesOf(request, accountId, keys);
  return {
    calls: found.calls.map((call) => callResource(call, names)),
    keys: keys.map(({ keyId }) => ({ keyId, ...names.get(keyId) })),
    total: found.total,
    page,
    pageSize: PAGE_SIZE,
    isOn: account.calls.isOn,
    maxCalls: MAX_CALLS,
    days: CALL_RETENTION_MS / DAY_MS,
    leftOut: account.calls.leftOut(accountId),
  };
}

function statusesOf(text: string): { from: number; to: number } {
  const first = Number(text.replace("xx", "00"));
  return { from: first, to: text.endsWith("xx") ? first + 99 : first };
}

function callResource({ code, ...call }: RecordedCall, names: NamedKeys): AccountCalls["calls"][number] {
  return {
    ...call,
    ...known("code", code),
    at: new Date(call.atMs).toISOString(),
    durationMs: call.durationUs / 1_000,
    ...names.get(call.keyId),
  };
}
