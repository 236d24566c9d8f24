import type { FaultBoard } from "./faults.ts";
import type { Reply } from "./sending.ts";

/**
 * Sets faults and reads counts over HTTP: `PUT|DELETE /faults/{target}`, `GET|DELETE /faults`, `GET /counts`. A target
 * is a state or `check-status` (VIES), a product such as `basisprofiel` (KVK), or `*`; the body of a PUT is a fault,
 * such as `{"kind":"hang"}`. Returns the faults that are set now, or the counts, or an error that says what to send.
 */
export function control<Target extends string, Own extends { readonly kind: string }>(
  board: FaultBoard<Target, Own>,
  counts: object,
  request: { readonly method: string; readonly path: string; readonly body: string },
): Reply {
  const { method, path, body } = request;
  if (path === "/counts") {
    return method === "GET" ? { status: 200, body: { ...counts } } : notAllowed("GET");
  }
  if (path === "/faults") {
    if (method === "DELETE") board.clear();
    else if (method !== "GET") return notAllowed("GET and DELETE");
    return { status: 200, body: board.all };
  }
  const target = /^\/faults\/([^/]+)$/.exec(path)?.[1]?.replace(/^%2a$/i, "*");
  if (target === undefined) {
    return refused(404, "Use /control/counts, /control/faults or /control/faults/{target}.");
  }
  if (!board.terms.isTarget(target)) return refused(404, `The target of a fault is ${board.terms.targets}.`);
  if (method === "PUT") {
    const fault = parsed(body);
    if (!board.isFault(fault)) return refused(400, board.problemIn(fault) ?? "");
    board.set(target, fault);
  } else if (method === "DELETE") board.set(target, undefined);
  else return notAllowed("PUT and DELETE");
  return { status: 200, body: board.all };
}

function notAllowed(methods: string): Reply {
  return refused(405, `This address takes ${methods}.`);
}

function refused(status: number, message: string): Reply {
  return { status, body: { error: { code: "BAD_CONTROL_REQUEST", message } } };
}

/** The JSON of a body; undefined, which is not a fault, when it is not JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
