import type { FaultBoard } from "./faultBoard.ts";
import type { Reply } from "./transport.ts";

interface Asked {
  readonly method: string;
  /** After `/control`. */
  readonly path: string;
  readonly body: string;
}

export interface ControlTerms<Target extends string, Fault extends object> {
  readonly board: FaultBoard<Target, Fault, object>;
  readonly counts: object;
  readonly isTarget: (text: string) => text is Target;
  /** What a target is, for who sent none: `a state (NL, DE, …)`. */
  readonly targets: string;
  /** What stands for a target in a path: `state`. */
  readonly targetName: string;
  readonly isFault: (value: unknown) => value is Fault;
  readonly problemIn: (value: unknown) => string | undefined;
}

/**
 * The interface by which faults are set and counts are read over HTTP: `GET|PUT|DELETE /faults/{target}` for one,
 * `GET|PUT|DELETE /faults` for all of them, `GET /counts`. Answers 200 with what holds now, or an error that says what to send.
 */
export function control<Target extends string, Fault extends object>(
  terms: ControlTerms<Target, Fault>,
  { method, path, body }: Asked,
): Reply {
  if (path === "/counts") {
    return method === "GET" ? { status: 200, body: { ...terms.counts } } : notAllowed("GET");
  }
  if (path === "/faults") return allFaults(terms, method, body);
  const target = /^\/faults\/([^/]+)$/.exec(path)?.[1]?.replace(/^%2a$/i, "*");
  if (target === undefined) {
    const one = `/control/faults/{${terms.targetName}}`;
    return refused(404, `There are /control/faults, ${one} and /control/counts.`);
  }
  if (!terms.isTarget(target)) return refused(404, `A fault is set for ${terms.targets}.`);
  return oneFault(terms, target, method, body);
}

function allFaults<Target extends string, Fault extends object>(
  { board, targets, isTarget, isFault, problemIn }: ControlTerms<Target, Fault>,
  method: string,
  body: string,
): Reply {
  if (method === "PUT") {
    const given = parsed(body);
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      return refused(400, `Send {TARGET: FAULT, …}; a target is ${targets}.`);
    }
    const faults: [Target, Fault][] = [];
    for (const [target, fault] of Object.entries(given)) {
      if (!isTarget(target)) return refused(400, `A fault is set for ${targets}.`);
      if (!isFault(fault)) return refused(400, `${target}: ${problemIn(fault)}`);
      faults.push([target, fault]);
    }
    board.clear();
    for (const [target, fault] of faults) board.set(target, fault);
  } else if (method === "DELETE") board.clear();
  else if (method !== "GET") return notAllowed("GET, PUT and DELETE");
  return { status: 200, body: board.all() };
}

function oneFault<Target extends string, Fault extends object>(
  { board, isFault, problemIn }: ControlTerms<Target, Fault>,
  target: Target,
  method: string,
  body: string,
): Reply {
  if (method === "GET") {
    const fault = board.get(target);
    return fault === undefined
      ? refused(404, `Nothing is set for ${target}; PUT a fault here, as {"kind": "hang"}.`)
      : { status: 200, body: Object.fromEntries(Object.entries(fault)) };
  }
  if (method === "PUT") {
    const fault = parsed(body);
    if (!isFault(fault)) return refused(400, problemIn(fault) ?? "");
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
