import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ApiError } from "../contract/errors.ts";
import { sendError } from "./errorAnswers.ts";
import { type Send, sendFile } from "./files.ts";

const INDEX = "index.html";
/** The page by the paths that it has, and its script: large, and seldom asked for. */
const FILES = { "/docs/": INDEX, "/docs/js/scalar.js": "js/scalar.js" };

/**
 * The docs page at `/docs`, which shows the API document; all that it loads comes from this service. Its files are read when they are first
 * asked for; a folder that is absent leaves `/docs` a path that does not exist.
 * @param refuse tells whether a client asks too often
 */
export async function addDocsPage(
  app: FastifyInstance,
  folder: string,
  refuse: (request: FastifyRequest) => ApiError | undefined,
): Promise<void> {
  if (!existsSync(join(folder, INDEX))) return;
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
    for (const [path, name] of Object.entries(FILES)) {
      let send: Send | undefined;
      scope.get(path, async (request, reply) => {
        send ??= sendFile(name, await readFile(join(folder, name)));
        return send(request, reply);
      });
    }
  });
}

/** Nothing from outside; the page's own script sets styles inline. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
