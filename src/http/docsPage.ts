import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ApiError } from "../contract/errors.ts";
import { sendError } from "./errorAnswers.ts";
import { type BuiltFile, sendFile } from "./files.ts";

/** Where the build leaves the docs page; its scripts and styles lie beside those of the account page. */
export const DOCS_INDEX = "docs/index.html";

/**
 * The docs page at `/docs`, which shows the API document; all that it loads comes from this service.
 * @param refuse tells whether a client asks too often
 */
export async function addDocsPage(
  app: FastifyInstance,
  index: BuiltFile,
  refuse: (request: FastifyRequest) => ApiError | undefined,
): Promise<void> {
  const send = sendFile(index);
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
    scope.get("/docs", (_request, reply) => reply.redirect("/docs/", 301));
    scope.get("/docs/", send);
  });
}

/** Nothing from outside and nothing inline, not even a style: so the page is one file for everybody, and can be kept. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
