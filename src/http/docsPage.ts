import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ApiError } from "../contract/errors.ts";
import type { Site } from "../contract/publicResources.ts";
import { sendError } from "./errorAnswers.ts";
import { type BuiltFile, type Send, sendFile } from "./files.ts";
import { withSite } from "./site.ts";

/** Where the build leaves the docs page; its scripts and styles lie beside those of the account page. */
export const DOCS_INDEX = "docs/index.html";

/**
 * The docs page at `/docs`, which shows the API document; all that it loads comes from this service.
 * @param site facts that the document carries
 * @param refuse tells whether a client asks too often
 */
export async function addDocsPage(
  app: FastifyInstance,
  index: BuiltFile,
  site: () => Site,
  refuse: (request: FastifyRequest) => ApiError | undefined,
): Promise<void> {
  const send = sendDocs(index, site);
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

/** The same document for everybody, so that browsers keep it; made anew when the facts change. */
function sendDocs(index: BuiltFile, site: () => Site): Send {
  const html = index.content.toString("utf8");
  let made: { readonly text: string; readonly send: Send } | undefined;
  return (request, reply) => {
    const text = withSite(html, site());
    if (made?.text !== text) {
      made = { text, send: sendFile({ path: index.path, content: Buffer.from(text), packed: {} }) };
    }
    return made.send(request, reply);
  };
}

/** Nothing from outside and nothing inline, not even a style: so the page is one file for everybody, and can be kept. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
