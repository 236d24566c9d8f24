import { isStateCode, type StateCode } from "../../vat/numbers/states.ts";
import {
  type ActiveFault,
  COMMON_KINDS,
  type CommonFault,
  FaultBoard,
  type FaultOf,
} from "../simulator/faults.ts";
import { type Outgoing, type Reply, sendReply } from "../simulator/sending.ts";
import { errorAnswer } from "./answers.ts";
import { WITHHELD } from "./traders.ts";

const OWN_KINDS = {
  /** An error without a code, and one whose code is null. */
  emptyErrors: {},
  nullError: {},
  /** A result without `valid`, and one where it is text. */
  missingValid: {},
  wrongValid: {},
  /** A result for another number than the requested one. */
  otherNumber: {},
  /** A broken backend that responds and knows no number. */
  invalid: {},
} as const;

export type OwnFault = FaultOf<typeof OWN_KINDS>;
export type Fault = CommonFault | OwnFault;
const KINDS = { ...COMMON_KINDS, ...OWN_KINDS };
export const FAULT_KINDS = Object.keys(KINDS) as readonly Fault["kind"][];

/** One state, the status call, or (`*`) every state that has no fault of its own. */
export type FaultTarget = StateCode | "*" | "check-status";

export function openFaultBoard(): FaultBoard<FaultTarget, OwnFault> {
  return new FaultBoard({
    kinds: KINDS,
    isTarget: (text): text is FaultTarget => text === "*" || text === "check-status" || isStateCode(text),
    targets: "a state (NL, DE, EL, XI, …), * for all states without a fault of their own, or check-status",
  });
}

/** Whether a state with this fault gives no verdicts at all, so that `check-status` shows it as unavailable. */
export function isOutage(fault: Fault | undefined): boolean {
  return fault !== undefined && ["code", "hang", "reset", "html", "tooMany"].includes(fault.kind);
}

/** Sends a response under a fault. */
export function respond(
  outgoing: Outgoing,
  reply: Reply,
  fault: ActiveFault | OwnFault | undefined,
): Promise<void> {
  const { body } = reply;
  const changed = (fields: object) => sendReply(outgoing, { ...reply, body: { ...body, ...fields } });
  switch (fault?.kind) {
    case "code":
      return sendReply(outgoing, errorAnswer(fault.code, fault.status));
    case "emptyErrors":
      return sendReply(outgoing, { status: 200, body: { actionSucceed: false, errorWrappers: [] } });
    case "nullError":
      return sendReply(outgoing, { status: 200, body: { actionSucceed: false, errorWrappers: [null] } });
    case "missingValid":
      return changed({ valid: undefined });
    case "wrongValid":
      return changed("valid" in body ? { valid: "true" } : {});
    case "otherNumber":
      return changed(typeof body["vatNumber"] === "string" ? { vatNumber: another(body["vatNumber"]) } : {});
    case "invalid":
      return changed(body["valid"] === true ? { valid: false, name: WITHHELD, address: WITHHELD } : {});
    default:
      return sendReply(outgoing, reply, fault);
  }
}

/** A number of the same form with another first digit. */
function another(vatNumber: string): string {
  return vatNumber.replace(/[0-9]/, (digit) => (digit === "9" ? "8" : "9"));
}
