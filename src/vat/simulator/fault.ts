import { isStateCode, type StateCode } from "../numbers/states.ts";

/** Something that goes wrong with every request for which it is set. Times are in milliseconds. */
export type Fault =
  /** An error in the envelope; `status` replaces the HTTP status that VIES gives to this code (mostly 200). */
  | { readonly kind: "code"; readonly code: string; readonly status?: number }
  /** Every other request, beginning with the first, gets the code; with `first`: that many, and then none. */
  | { readonly kind: "flapping"; readonly code: string; readonly first?: number }
  /** The right answer, late. */
  | { readonly kind: "latency"; readonly ms: number }
  /** The first answer comes that late, each later one less, after `over` requests all come at once. */
  | { readonly kind: "slowStart"; readonly ms: number; readonly over: number }
  /** No answer until the fault is cleared or replaced, or the caller hangs up. */
  | { readonly kind: "hang" }
  /** The connection is reset instead of an answer. */
  | { readonly kind: "reset" }
  /** A page of HTML, with 503 unless `status` says otherwise. */
  | { readonly kind: "html"; readonly status?: number }
  /** The connection ends in the middle of the body. */
  | { readonly kind: "truncated" }
  /** A whole HTTP answer with half of the JSON. */
  | { readonly kind: "cutJson" }
  /** A byte order mark before the right answer. */
  | { readonly kind: "bom" }
  /** The right answer byte by byte, `everyMs` (20 unless given) between two. */
  | { readonly kind: "slowBody"; readonly everyMs?: number }
  /** An envelope with no error in it, and one with null. */
  | { readonly kind: "emptyErrors" }
  | { readonly kind: "nullError" }
  /** An answer without `valid`, and one where it is text. */
  | { readonly kind: "missingValid" }
  | { readonly kind: "wrongValid" }
  /** A sick backend: it answers, and knows no number. */
  | { readonly kind: "invalid" };

/** What a fault is set for: one state, the status call, or (`*`) every state that has none of its own. */
export type FaultTarget = StateCode | "*" | "check-status";

export function isFaultTarget(text: string): text is FaultTarget {
  return text === "*" || text === "check-status" || isStateCode(text);
}

interface Field {
  readonly isOptional?: true;
  readonly isRight: (value: unknown) => boolean;
  readonly rule: string;
}

const wholeNumber = (least: number, most: number): Field => ({
  isRight: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  rule: `a whole number from ${least} to ${most}`,
});
const optional = (field: Field): Field => ({ ...field, isOptional: true });

const CODE: Field = {
  isRight: (value) => typeof value === "string" && /^[A-Z][A-Z0-9_-]{0,59}$/.test(value),
  rule: "a code such as MS_UNAVAILABLE",
};
const MS = wholeNumber(0, 600_000);
const STATUS = optional(wholeNumber(200, 599));
const COUNT = wholeNumber(1, 1_000_000);

/** The fields that each kind has. */
const KINDS: Readonly<Record<Fault["kind"], Readonly<Record<string, Field>>>> = {
  code: { code: CODE, status: STATUS },
  flapping: { code: CODE, first: optional(COUNT) },
  latency: { ms: MS },
  slowStart: { ms: MS, over: COUNT },
  hang: {},
  reset: {},
  html: { status: STATUS },
  truncated: {},
  cutJson: {},
  bom: {},
  slowBody: { everyMs: optional(MS) },
  emptyErrors: {},
  nullError: {},
  missingValid: {},
  wrongValid: {},
  invalid: {},
};

/** Every kind of fault. */
export const FAULT_KINDS = Object.keys(KINDS) as readonly Fault["kind"][];

export function isFault(value: unknown): value is Fault {
  return faultProblem(value) === undefined;
}

/** Why a value is no fault, with what would be right; undefined when it is one. */
export function faultProblem(value: unknown): string | undefined {
  const given: Readonly<Record<string, unknown>> =
    typeof value === "object" && value !== null ? { ...value } : {};
  const kind = FAULT_KINDS.find((known) => known === given["kind"]);
  if (kind === undefined) return `A fault is {"kind": K}, with K one of ${FAULT_KINDS.join(", ")}.`;
  const fields = KINDS[kind];
  const names = Object.keys(fields);
  const strange = Object.keys(given).some((name) => name !== "kind" && !names.includes(name));
  if (strange) return `A fault of the kind ${kind} has ${["kind", ...names].join(", ")} and nothing else.`;
  const wrong = Object.entries(fields).find(
    ([name, { isOptional, isRight }]) => !(isOptional && given[name] === undefined) && !isRight(given[name]),
  );
  return wrong === undefined ? undefined : `${wrong[0]} of the kind ${kind} must be ${wrong[1].rule}.`;
}

/** Whether a state under this fault gives no verdicts at all, so that the status call shows it as unavailable. */
export function isOutage(fault: Fault | undefined): boolean {
  return fault !== undefined && ["code", "hang", "reset", "html"].includes(fault.kind);
}
