import type { Reply } from "../../upstream/simulator/transport.ts";
import type { Counts } from "./counts.ts";
import { type Fault, type FaultTarget, faultProblem, isFault, isFaultTarget } from "./fault.ts";
import type { ViesFaultBoard } from "./faultBoard.ts";

interface Asked {
  readonly method: string;
  /** After `/control`. */
  readonly path: string;
  readonly body: string;
}

const TARGETS = "a state (NL, DE, EL, XI, …), * for every state without one of its own, or check-status";

/**
 * The interface by which faults are set and counts are read over HTTP: `GET|PUT|DELETE /faults/{target}` for one,
 * `GET|PUT|DELETE /faults` for all of them, `GET /counts`. Answers 200 with what holds now, or an error that says what to send.
 */
export function control(board: ViesFaultBoard, counts: Counts, { method, path, body }: Asked): Reply {
  if (path === "/counts") {
    return method === "GET" ? { status: 200, body: { ...counts } } : notAllowed("GET");
  }
  if (path === "/faults") return allFaults(board, method, body);
  const target = /^\/faults\/([^/]+)$/.exec(path)?.[1]?.replace(/^%2a$/i, "*");
  if (target === undefined) {
    return refused(404, "There are /control/faults, /control/faults/{state} and /control/counts.");
  }
  if (!isFaultTarget(target)) return refused(404, `A fault is set for ${TARGETS}.`);
  return oneFault(board, target, method, body);
}

function allFaults(board: ViesFaultBoard, method: string, body: string): Reply {
  if (method === "PUT") {
    const given = parsed(body);
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      return refused(400, `Send {TARGET: FAULT, …}; a target is ${TARGETS}.`);
    }
    const faults: [FaultTarget, Fault][] = [];
    for (const [target, fault] of Object.entries(given)) {
      if (!isFaultTarget(target)) return refused(400, `A fault is set for ${TARGETS}.`);
      if (!isFault(fault)) return refused(400, `${target}: ${faultProblem(fault)}`);
      faults.push([target, fault]);
    }
    board.clear();
    for (const [target, fault] of faults) board.set(target, fault);
  } else if (method === "DELETE") board.clear();
  else if (method !== "GET") return notAllowed("GET, PUT and DELETE");
  return { status: 200, body: board.all() };
}

function oneFault(board: ViesFaultBoard, target: FaultTarget, method: string, body: string): Reply {
  if (method === "GET") {
    const fault = board.get(target);
    return fault === undefined
      ? refused(404, `Nothing is set for ${target}; PUT a fault here, as {"kind": "hang"}.`)
      : { status: 200, body: { ...fault } };
  }
  if (method === "PUT") {
    const fault = parsed(body);
    if (!isFault(fault)) return refused(400, faultProblem(fault) ?? "");
    board.set(target, fault);
  } else if (method === "DELETE") board.set(target, undefined);
  else return notAllowed("GET, PUT and DELETE");
  return { status: 200, body: board.all() };
}

function notAllowed(methods: string): Reply {
  return refused(405, `This address takes ${methods}.`);
}

function refused(status: number, message: string): Reply {
  return { status, body: { error: { code: "BAD_CONTROL_REQUEST", message } } };
}

/** The JSON of a body; undefined when it is none, which is then refused as no fault. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
