import type { FastifyInstance, FastifyReply } from "fastify";
import { JSON_TYPE } from "./headers.ts";
import { refuseOtherMethods } from "./otherMethods.ts";
import { sendError } from "./sending.ts";

/** Whether calls should be sent to this process. */
export type Readiness = { readonly isReady: true } | { readonly isReady: false; readonly reason: string };

export const LIVE_PATH = "/livez";
export const READY_PATH = "/readyz";

/**
 * What machines ask that look after the process: whether it answers at all, and whether calls should be sent to it. Without a key and outside the
 * limit of calls without one: who asks that often must not be told that a process is dead.
 */
export function addProbes(app: FastifyInstance, readiness: () => Promise<Readiness>): void {
  const config = { isKeyless: true, cors: false };
  app.get(LIVE_PATH, { config }, (_request, reply) => send(reply, 200, { status: "alive" }));
  app.get(READY_PATH, { config }, async (_request, reply) => {
    const told = await readiness();
    if (told.isReady) return send(reply, 200, { status: "ready" });
    return send(reply, 503, { status: "not ready", reason: told.reason });
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
