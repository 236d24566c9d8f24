import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import fastifyHelmet from "@fastify/helmet";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiError } from "../../contract/errors.ts";
import { sendError } from "../errorAnswers.ts";
import { HELMET, PAGE_POLICY } from "./policy.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
  ".json": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};
const PACKED = new Set([".js", ".css", ".svg", ".json", ".webmanifest", ".txt"]);
const INDEX = "index.html";
/** Where the build puts files whose name changes with their content. */
const HASHED = /^assets\/.+-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/;
const NONCE = "{{nonce}}";

const pack = promisify(gzip);

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

type Send = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/** The page itself, each time with the nonce of its policy; so it is kept nowhere. */
function sendIndex(html: string): Send {
  return (_request, reply) =>
    reply
      .header("cache-control", "no-store")
      .header("content-type", TYPES[".html"])
      .send(html.replaceAll(NONCE, reply.cspNonce.style));
}

function sendFile(path: string, content: Buffer): Send {
  const extension = extname(path);
  const etag = `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
  const caching = HASHED.test(path) ? "public, max-age=31536000, immutable" : "no-cache";
  let packed: Promise<Buffer> | undefined;
  return async (request, reply) => {
    reply
      .header("cache-control", caching)
      .header("content-type", TYPES[extension] ?? "application/octet-stream")
      .header("etag", etag);
    if (PACKED.has(extension)) reply.header("vary", "accept-encoding");
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    if (!PACKED.has(extension) || !/\bgzip\b/.test(request.headers["accept-encoding"] ?? "")) {
      return reply.send(content);
    }
    packed ??= pack(content);
    return reply.header("content-encoding", "gzip").send(await packed);
  };
}

/** Every file of a folder by its path with `/`. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}
