import type { FastifyInstance, FastifyReply } from "fastify";
import { JSON_TYPE } from "./headers.ts";
import { refuseOtherMethods } from "./otherMethods.ts";
import { sendError } from "./sending.ts";

/** Whether a load balancer should send calls to this process: not if there is a reason. */
export interface Readiness {
  readonly reason?: string;
  /** Whether names can be searched; `none` without a registry. */
  readonly search: "ready" | "building" | "none";
}

export const LIVE_PATH = "/livez";
export const READY_PATH = "/readyz";

/**
 * Adds probes for orchestrators: whether the process answers, and whether it should get calls. They need no key and are
 * not rate limited: frequent probes must not make a process look dead.
 */
export function addProbes(app: FastifyInstance, readiness: () => Promise<Readiness>): void {
  const config = { isKeyless: true, cors: false };
  app.get(LIVE_PATH, { config }, (_request, reply) => send(reply, 200, { status: "alive" }));
  app.get(READY_PATH, { config }, async (_request, reply) => {
    const { reason, search } = await readiness();
    if (reason === undefined) return send(reply, 200, { status: "ready", search });
    return send(reply, 503, { status: "not ready", reason, search });
  });
  refuseOtherMethods(
    app,
    [LIVE_PATH, READY_PATH].map((path) => ({ path, method: "GET" })),
    {
      config,
      refuse: (error, _request, reply) => void sendError(reply, error),
    },
  );
}

function send(reply: FastifyReply, status: number, body: Readonly<Record<string, string>>): FastifyReply {
  return reply
    .code(status)
    .header("content-type", JSON_TYPE)
    .header("cache-control", "no-store")
    .send(JSON.stringify(body));
}
