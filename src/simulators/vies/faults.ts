import { isStateCode, type StateCode } from "../../vat/numbers/states.ts";
import { FaultBoard, isFlapDown } from "../faultBoard.ts";
import { COUNT, type Kinds, MS, matching, optional, problemIn, STATUS } from "../kinds.ts";
import { TRANSPORT_KINDS, type TransportFault } from "../transport.ts";

/** Something that goes wrong with every request for which it is set. Times are in milliseconds. */
export type Fault =
  | TransportFault
  /** An error in the envelope; `status` replaces the HTTP status that VIES gives to this code (mostly 200). */
  | { readonly kind: "code"; readonly code: string; readonly status?: number }
  /** Every other request, beginning with the first, gets the code; with `first`: that many, and then none. */
  | { readonly kind: "flapping"; readonly code: string; readonly first?: number }
  /** The first answer comes that late, each later one less, after `over` requests all come at once. */
  | { readonly kind: "slowStart"; readonly ms: number; readonly over: number }
  /** No answer until the fault is cleared or replaced, or the caller hangs up. */
  | { readonly kind: "hang" }
  /** An envelope with no error in it, and one with null. */
  | { readonly kind: "emptyErrors" }
  | { readonly kind: "nullError" }
  /** An answer without `valid`, and one where it is text. */
  | { readonly kind: "missingValid" }
  | { readonly kind: "wrongValid" }
  /** An answer that names another number than the one that was asked. */
  | { readonly kind: "otherNumber" }
  /** A sick backend: it answers, and knows no number. */
  | { readonly kind: "invalid" };

/** What a fault is set for: one state, the status call, or (`*`) every state that has none of its own. */
export type FaultTarget = StateCode | "*" | "check-status";

export function isFaultTarget(text: string): text is FaultTarget {
  return text === "*" || text === "check-status" || isStateCode(text);
}

const CODE = matching(/^[A-Z][A-Z0-9_-]{0,59}$/, "a code such as MS_UNAVAILABLE");

/** The fields that each kind has. */
const KINDS: Kinds<Fault["kind"]> = {
  code: { code: CODE, status: optional(STATUS) },
  flapping: { code: CODE, first: optional(COUNT) },
  latency: TRANSPORT_KINDS.latency,
  slowStart: { ms: MS, over: COUNT },
  hang: {},
  reset: TRANSPORT_KINDS.reset,
  html: TRANSPORT_KINDS.html,
  truncated: TRANSPORT_KINDS.truncated,
  cutJson: TRANSPORT_KINDS.cutJson,
  bom: TRANSPORT_KINDS.bom,
  compressed: TRANSPORT_KINDS.compressed,
  interim: TRANSPORT_KINDS.interim,
  tooMany: TRANSPORT_KINDS.tooMany,
  slowBody: TRANSPORT_KINDS.slowBody,
  emptyErrors: {},
  nullError: {},
  missingValid: {},
  wrongValid: {},
  otherNumber: {},
  invalid: {},
};

/** Every kind of fault. */
export const FAULT_KINDS = Object.keys(KINDS) as readonly Fault["kind"][];

export function isFault(value: unknown): value is Fault {
  return faultProblem(value) === undefined;
}

/** Why a value is no fault, with what would be right; undefined when it is one. */
export function faultProblem(value: unknown): string | undefined {
  return problemIn(KINDS, value);
}

/** Whether a state under this fault gives no verdicts at all, so that the status call shows it as unavailable. */
export function isOutage(fault: Fault | undefined): boolean {
  return fault !== undefined && ["code", "hang", "reset", "html", "tooMany"].includes(fault.kind);
}

/** A fault as one request meets it: what depends on the number of requests is decided. */
export type MetFault = Exclude<Fault, { kind: "flapping" | "slowStart" | "hang" }>;

/** The faults that are set now. A state without a fault of its own meets that of `*`. */
export type ViesFaultBoard = FaultBoard<FaultTarget, Fault, MetFault>;

export function openFaultBoard(): ViesFaultBoard {
  return new FaultBoard({
    problemIn: faultProblem,
    fallbackOf: (target) => (target === "check-status" ? undefined : "*"),
    meet,
  });
}

function meet(fault: Fault, metBefore: number): MetFault | "hang" | undefined {
  if (fault.kind === "hang") return fault.kind;
  if (fault.kind === "flapping") {
    return isFlapDown(metBefore, fault.first) ? { kind: "code", code: fault.code } : undefined;
  }
  if (fault.kind === "slowStart") {
    const left = Math.max(0, fault.over - metBefore) / fault.over;
    return left === 0 ? undefined : { kind: "latency", ms: Math.round(fault.ms * left) };
  }
  return fault;
}
