import { Type } from "typebox";
import { type AuditEntry, MOST_AUDITED } from "../../../accounts/changes.ts";
import { PersonRefusal } from "../../../accounts/refusal.ts";
import { AUDIT_KINDS, type AuditKind } from "../../../contract/auditKinds.ts";
import { comparedAddress } from "../../../contract/emailAddress.ts";
import { type AdminAudit, AdminAuditSchema } from "../../../contract/oneAccountResources.ts";
import { known } from "../../../lib/values.ts";
import { type AccountRoute, forOperator, type Visit } from "../route.ts";
import { PAGE_SIZE } from "./adminFields.ts";

/** What operators did. */
export const auditRoutes: readonly AccountRoute[] = [
  forOperator({
    method: "GET",
    path: "/account/admin/audit",
    status: 200,
    schema: {
      querystring: Type.Object({
        account: Type.Optional(
          Type.String({
            maxLength: 320,
            description:
              "What is about this account alone: its id, also of one that is gone, or its address.",
          }),
        ),
        kind: Type.Optional(
          Type.Unsafe<AuditKind>({ type: "string", enum: [...AUDIT_KINDS], description: "What was done." }),
        ),
        page: Type.Integer({
          minimum: 1,
          maximum: MOST_AUDITED / PAGE_SIZE,
          default: 1,
          description: "Which page.",
        }),
      }),
      response: AdminAuditSchema,
    },
    handler: async ({ query: { account: asked, kind, page } }, visit): Promise<AdminAudit> => {
      const accountId = asked === undefined ? undefined : await idOf(visit, asked.trim());
      const { entries, total } = await visit.account.people.audit({
        ...known("accountId", accountId),
        ...known("what", kind),
        offset: (page - 1) * PAGE_SIZE,
        limit: PAGE_SIZE,
      });
      const emails = await emailsOf(visit, entries);
      return {
        entries: entries.map((entry) => told(entry, emails)),
        total,
        page,
        pageSize: PAGE_SIZE,
        mostListed: MOST_AUDITED,
      };
    },
  }),
];

/** @throws {PersonRefusal} nothing, for an address that no account has: an empty list would say that nothing was done */
async function idOf({ account }: Visit, asked: string): Promise<string> {
  if (!asked.includes("@")) return asked;
  const person = await account.people.personByEmail(comparedAddress(asked));
  if (person !== undefined) return person.account.id;
  throw new PersonRefusal("nothing", "no account has this address; one that was deleted is found by its id");
}

async function emailsOf({ account }: Visit, entries: readonly AuditEntry[]): Promise<Map<string, string>> {
  const ids = new Set(
    entries.flatMap(({ by, accountId }) => [by, ...(accountId === undefined ? [] : [accountId])]),
  );
  const found = await account.people.emailsOf([...ids]);
  return new Map(found.map(({ id, email }) => [id, email]));
}

function told(
  { id, atMs, by, what, accountId, keyId, from, to }: AuditEntry,
  emails: ReadonlyMap<string, string>,
): AdminAudit["entries"][number] {
  return {
    id,
    at: new Date(atMs).toISOString(),
    by,
    ...known("byEmail", emails.get(by)),
    what,
    ...known("accountId", accountId),
    ...known("email", accountId === undefined ? undefined : emails.get(accountId)),
    ...known("keyId", keyId),
    ...known("from", from),
    ...known("to", to),
  };
}
