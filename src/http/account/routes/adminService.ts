import { Type } from "typebox";
import { type AuditEntry, MAX_AUDITED } from "../../../accounts/changes.ts";
import { PersonRefusal } from "../../../accounts/refusal.ts";
import { AUDIT_KINDS } from "../../../contract/auditKinds.ts";
import { comparedAddress } from "../../../contract/emailAddress.ts";
import { word } from "../../../contract/fields.ts";
import { type AdminAudit, AdminAuditSchema } from "../../../contract/oneAccountResources.ts";
import {
  AdminRegistrySchema,
  AdminTrafficSchema,
  AdminUpstreamsSchema,
} from "../../../contract/operatorResources.ts";
import { dayOf } from "../../../lib/periods.ts";
import { known } from "../../../lib/values.ts";
import { NO_FIGURES } from "../../../metering/usage.ts";
import { pageField, pageOf } from "../fields.ts";
import { type AccountRoute, forOperator, type PersonRequest } from "../route.ts";
import { PAGE_SIZE } from "./adminAccounts.ts";
import { healthOf } from "./public.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;

/** The state of the service, and the audit log. */
export const serviceRoutes: readonly AccountRoute[] = [
  forOperator("GET /account/admin/traffic", {
    schema: { response: AdminTrafficSchema },
    handler: async (_input, { account, services }) => {
      const nowMs = account.now();
      const days = Array.from({ length: DAYS }, (_, index) => dayOf(nowMs - (DAYS - 1 - index) * DAY_MS));
      const rows = await services.ledger.traffic(days[0] ?? dayOf(nowMs));
      const byDay = new Map(rows.map((row) => [row.day, row]));
      return {
        days: days.map((day) => {
          const row = byDay.get(day) ?? { ...NO_FIGURES, day, accounts: 0 };
          return { ...row, refusals: row.refusedByRate + row.refusedByAllowance };
        }),
      };
    },
  }),

  forOperator("GET /account/admin/upstreams", {
    schema: { response: AdminUpstreamsSchema },
    handler: async (_input, request) => {
      const { account } = request;
      const [health, paidCalls] = await Promise.all([healthOf(request), account.paidCalls()]);
      return {
        ...health,
        breakers: [...account.breakers()],
        ...(paidCalls !== undefined && {
          paidCalls: { ...paidCalls, left: Math.max(0, paidCalls.most - paidCalls.made) },
        }),
      };
    },
  }),

  forOperator("GET /account/admin/registry", {
    schema: { response: AdminRegistrySchema },
    handler: async (_input, { account, services }) => {
      const info = services.lookup.snapshotInfo;
      if (info === undefined) return {};
      const { createdAt: builtAt, layers = [info], origins } = info;
      const before = account.snapshotBefore();
      return {
        snapshot: {
          ...info,
          builtAt,
          ageSeconds: Math.max(0, Math.floor((account.now() - Date.parse(builtAt)) / 1_000)),
          layers: layers.map((layer, place) => ({
            ...layer,
            kind: place === 0 ? "base" : "segment",
            builtAt: layer.createdAt,
          })),
          origins: [...origins],
        },
        ...(before !== undefined && { previous: { ...before, builtAt: before.createdAt } }),
      };
    },
  }),

  forOperator("GET /account/admin/audit", {
    schema: {
      querystring: Type.Object({
        account: Type.Optional(
          Type.String({
            maxLength: 320,
            description: "Only entries about this account: its id, even if it was deleted, or its address.",
          }),
        ),
        kind: Type.Optional(word(AUDIT_KINDS, "Only entries about this action.")),
        page: pageField(MAX_AUDITED / PAGE_SIZE),
      }),
      response: AdminAuditSchema,
    },
    handler: async ({ query: { account: search, kind, page } }, request) => {
      const accountId = search === undefined ? undefined : await idOf(request, search.trim());
      const { entries, total } = await request.account.people.audit({
        ...known("accountId", accountId),
        ...known("what", kind),
        ...pageOf(page, PAGE_SIZE),
      });
      const emails = await emailsOf(request, entries);
      return {
        entries: entries.map((entry) => shownEntry(entry, emails)),
        total,
        page,
        pageSize: PAGE_SIZE,
        maxListed: MAX_AUDITED,
      };
    },
  }),
];

/** @throws {PersonRefusal} `not-found` for an unknown address: an empty list would mean that nothing was done */
async function idOf({ account }: PersonRequest, search: string): Promise<string> {
  if (!search.includes("@")) return search;
  const person = await account.people.personByEmail(comparedAddress(search));
  if (person !== undefined) return person.account.id;
  throw new PersonRefusal("not-found", "no account has this address; use the id to find a deleted account");
}

async function emailsOf(
  { account }: PersonRequest,
  entries: readonly AuditEntry[],
): Promise<Map<string, string>> {
  const ids = new Set(entries.flatMap(({ by, accountId = by }) => [by, accountId]));
  const found = await account.people.emailsOf([...ids]);
  return new Map(found.map(({ id, email }) => [id, email]));
}

function shownEntry(entry: AuditEntry, emails: ReadonlyMap<string, string>): AdminAudit["entries"][number] {
  return {
    ...entry,
    at: new Date(entry.atMs).toISOString(),
    ...known("byEmail", emails.get(entry.by)),
    ...known("email", emails.get(entry.accountId ?? "")),
  };
}
