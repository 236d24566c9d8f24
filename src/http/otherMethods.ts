import type { FastifyInstance } from "fastify";
import { ApiError } from "../contract/errors.ts";
import type { Calls } from "./calls.ts";
import { sendError } from "./errorAnswers.ts";

/** Answers every other method on a path with the ones that it serves; OPTIONS is answered for every path. */
export function refuseOtherMethods(
  app: FastifyInstance,
  path: string,
  allowed: readonly string[],
  calls: Calls,
): void {
  const allow = allowed.join(", ");
  const refused = app.supportedMethods.filter((method) => !allowed.includes(method) && method !== "OPTIONS");
  const error = () =>
    new ApiError("METHOD_NOT_ALLOWED", `this path serves ${allow}; see the Allow header`, { allow });
  app.route({
    method: refused,
    url: path,
    onRequest: async (request, reply) => {
      await calls.identify(request, "other");
      await calls.sendFailure(error(), request, reply);
    },
    handler: (_request, reply) => sendError(reply, error()),
  });
}
