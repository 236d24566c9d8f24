import scalar from "@scalar/fastify-api-reference";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ApiError } from "../contract/errors.ts";
import { sendError } from "./errorAnswers.ts";

/**
 * The docs page at `/docs`, made from the API document. All that it loads comes from this service.
 * @param refuse tells whether a client asks too often
 */
export async function addDocsPage(
  app: FastifyInstance,
  apiDocumentPath: string,
  refuse: (request: FastifyRequest) => ApiError | undefined,
): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook("onRequest", async (request, reply) => {
      const refusal = refuse(request);
      if (refusal !== undefined) return sendError(reply, refusal);
      reply.header("content-security-policy", CONTENT_SECURITY_POLICY);
      reply.header("referrer-policy", "no-referrer");
    });
    scope.addHook("onRoute", (route) => {
      route.config = { ...route.config, isKeyless: true };
    });
    await scope.register(scalar, {
      routePrefix: "/docs",
      configuration: {
        url: apiDocumentPath,
        pageTitle: "Opzoek API",
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        agent: { disabled: true },
        mcp: { disabled: true },
        showDeveloperTools: "never",
        persistAuth: false,
      },
    });
  });
}

/** Nothing from outside; the page's own script sets styles inline. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
