import { createHash } from "node:crypto";
import { extname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

export const HTML = "text/html; charset=utf-8";

const TYPES: Readonly<Record<string, string>> = {
  ".html": HTML,
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
/** Where the build puts files whose name changes with their content. */
const HASHED = /^assets\/.+-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/;

const pack = promisify(gzip);

export type Send = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/**
 * Sends a file whose content does not change.
 * @param path its own, as those who load it know it
 */
export function sendFile(path: string, content: Buffer): Send {
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
