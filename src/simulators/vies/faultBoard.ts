import { FaultBoard, isFlapDown } from "../faultBoard.ts";
import { type Fault, type FaultTarget, faultProblem } from "./fault.ts";

/** A fault as one request meets it: what depends on the number of requests is decided. */
export type MetFault = Exclude<Fault, { kind: "flapping" | "slowStart" }>;

/** The faults that are set now. A state without a fault of its own meets that of `*`. */
export type ViesFaultBoard = FaultBoard<FaultTarget, Fault, MetFault>;

export function openFaultBoard(): ViesFaultBoard {
  return new FaultBoard({
    problemIn: faultProblem,
    fallbackOf: (target) => (target === "check-status" ? undefined : "*"),
    meet,
  });
}

function meet(fault: Fault, metBefore: number): MetFault | undefined {
  if (fault.kind === "flapping") {
    return isFlapDown(metBefore, fault.first) ? { kind: "code", code: fault.code } : undefined;
  }
  if (fault.kind === "slowStart") {
    const left = Math.max(0, fault.over - metBefore) / fault.over;
    return left === 0 ? undefined : { kind: "latency", ms: Math.round(fault.ms * left) };
  }
  return fault;
}
