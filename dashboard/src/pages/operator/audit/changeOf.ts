import type { AuditKind } from "../../../../../src/contract/auditKinds.ts";
import type { AdminAudit } from "../../../../../src/contract/oneAccountResources.ts";
import { planName } from "../../../language/planName.ts";
import type { texts } from "./texts.ts";

type Texts = (typeof texts)["en"];

/** Which text says a kind of change. */
const NAMES: Readonly<Record<AuditKind, keyof Texts["kinds"]>> = {
  created: "created",
  tier: "tier",
  "plan request": "planRequest",
  suspended: "suspended",
  "kept suspension": "keptSuspension",
  operator: "operator",
  deleted: "deleted",
  invite: "invite",
  "password link": "passwordLink",
  "two-factor": "twoFactor",
  email: "email",
  note: "note",
  "sessions ended": "sessionsEnded",
  "key made": "keyMade",
  "key changed": "keyChanged",
  "key revoked": "keyRevoked",
};

/** All kinds, each with its name. */
export function namedKinds({ kinds }: Texts): { readonly value: string; readonly label: string }[] {
  return Object.entries(NAMES).map(([value, name]) => ({ value, label: kinds[name] }));
}

/** What was done and what it changed, in words; a kind of a newer version by its own name. */
export function changeOf(
  { what, from, to }: AdminAudit["entries"][number],
  t: Texts,
): { readonly name: string; readonly change: string } {
  return { name: isKind(what) ? t.kinds[NAMES[what]] : what, change: detailOf(what, from, to, t) };
}

function isKind(what: string): what is AuditKind {
  return Object.hasOwn(NAMES, what);
}

function detailOf(what: string, from: string | undefined, to: string | undefined, t: Texts): string {
  if (to === "true" || to === "false") return to === "true" ? t.on : t.off;
  if (what === "sessions ended") return from === undefined ? "" : t.ended(from);
  return [from, to].flatMap((plan) => (plan === undefined ? [] : planName(plan))).join(" → ");
}
