import fastifyHelmet from "@fastify/helmet";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ApiError } from "../../contract/errors.ts";
import type { Site } from "../../contract/publicResources.ts";
import { sendError } from "../errorAnswers.ts";
import { type BuiltFile, HTML, type Send, sendFile } from "../files.ts";
import { withSite } from "../site.ts";
import { HELMET, PAGE_POLICY } from "./policy.ts";

const INDEX = "index.html";
/** The autocomplete element, which pages of other sites load from here. */
export const ELEMENT = "element.js";
const NONCE = "{{nonce}}";

/**
 * Serves the built account page: `index.html` at `/`, every other file under its own path, and nothing else of the disk. Without
 * `index.html` there is nothing at `/`. Other sites may load {@link ELEMENT} and nothing else.
 * @param files what was built, but for pages that have a path of their own
 * @param site facts that the document carries
 * @param refuse tells whether a client asks too often
 */
export async function addPage(
  app: FastifyInstance,
  files: readonly BuiltFile[],
  site: () => Site,
  refuse: (request: FastifyRequest) => ApiError | undefined,
): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(fastifyHelmet, {
      ...HELMET,
      contentSecurityPolicy: PAGE_POLICY,
      enableCSPNonces: true,
    });
    for (const file of files) {
      const isIndex = file.path === INDEX;
      const isCrossOrigin = file.path === ELEMENT;
      const send = isIndex ? sendIndex(file.content.toString("utf8"), site) : sendFile(file);
      scope.route({
        method: "GET",
        url: isIndex ? "/" : `/${file.path}`,
        config: { isKeyless: true, ...(!isCrossOrigin && { isCrossOrigin }) },
        handler: async (request, reply) => {
          if (isCrossOrigin) reply.header("cross-origin-resource-policy", "cross-origin");
          const refusal = refuse(request);
          return refusal === undefined ? send(request, reply) : sendError(reply, refusal);
        },
      });
    }
  });
}

/** The page itself, each time with the nonce of its policy; so it is kept nowhere. */
function sendIndex(html: string, site: () => Site): Send {
  return (_request, reply) =>
    reply
      .header("cache-control", "no-store")
      .header("content-type", HTML)
      .send(withSite(html.replaceAll(NONCE, reply.cspNonce.style), site()));
}
