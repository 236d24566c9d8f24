import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../contract/errors.ts";

interface Refusing {
  readonly config?: FastifyContextConfig & { readonly cors?: boolean };
  /** Refuses OPTIONS too, which is otherwise answered for every path. */
  readonly alsoPreflight?: true;
  readonly refuse: (error: ApiError, request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;
}

/** Answers other methods on the paths of these routes with METHOD_NOT_ALLOWED, before the body is read. */
export function refuseOtherMethods(
  app: FastifyInstance,
  routes: readonly { readonly path: string; readonly method: string }[],
  { config = {}, alsoPreflight, refuse }: Refusing,
): void {
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    const allowed = ofPath.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    const served = alsoPreflight ? allowed : [...allowed, "OPTIONS"];
    const allow = allowed.join(", ");
    app.route({
      method: app.supportedMethods.filter((method) => !served.includes(method)),
      url: path,
      config,
      onRequest: async (request, reply) => {
        const message = `this path serves ${allow}; see the Allow header`;
        await refuse(new ApiError("METHOD_NOT_ALLOWED", message, { allow }), request, reply);
      },
      handler: (_request, reply) => reply,
    });
  }
}
