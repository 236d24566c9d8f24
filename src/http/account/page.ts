import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import fastifyHelmet from "@fastify/helmet";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ApiError } from "../../contract/errors.ts";
import { sendError } from "../errorAnswers.ts";
import { HTML, type Send, sendFile } from "../files.ts";
import { HELMET, PAGE_POLICY } from "./policy.ts";

const INDEX = "index.html";
const NONCE = "{{nonce}}";

/**
 * Serves the built account page: `index.html` at `/`, every other file under its own path, and nothing else of the disk. The
 * files are read once; a folder that is absent leaves `/` a path that does not exist.
 * @param refuse tells whether a client asks too often
 */
export async function addPage(
  app: FastifyInstance,
  folder: string,
  refuse: (request: FastifyRequest) => ApiError | undefined,
): Promise<void> {
  if (!existsSync(join(folder, INDEX))) return;
  await app.register(async (scope) => {
    await scope.register(fastifyHelmet, {
      ...HELMET,
      contentSecurityPolicy: PAGE_POLICY,
      enableCSPNonces: true,
    });
    for (const path of filesIn(folder)) {
      const content = readFileSync(join(folder, path));
      const send = path === INDEX ? sendIndex(content.toString("utf8")) : sendFile(path, content);
      scope.route({
        method: "GET",
        url: path === INDEX ? "/" : `/${path}`,
        config: { isKeyless: true, cors: false },
        handler: async (request, reply) => {
          // The files of a page come together: only the page itself counts as a call.
          const refusal = path === INDEX ? refuse(request) : undefined;
          return refusal === undefined ? send(request, reply) : sendError(reply, refusal);
        },
      });
    }
  });
}

/** The page itself, each time with the nonce of its policy; so it is kept nowhere. */
function sendIndex(html: string): Send {
  return (_request, reply) =>
    reply
      .header("cache-control", "no-store")
      .header("content-type", HTML)
      .send(html.replaceAll(NONCE, reply.cspNonce.style));
}

/** Every file of a folder by its path with `/`. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}
