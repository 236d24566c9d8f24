import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { matchesTag } from "./conditional.ts";

/** Content codings, the smaller one first, with the endings of compressed files. */
const ENDINGS = { br: ".br", gzip: ".gz" } as const;

type Encoding = keyof typeof ENDINGS;

/** The compressed forms of a file. */
type Packed = Readonly<Partial<Record<Encoding, Buffer>>>;

/** The methods of what has a tag. HEAD is explicit because Fastify's own HEAD routes give a 304 a length. */
export const READ = ["GET", "HEAD"];

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
/** Built files whose names change with their content. Input: at most 255 letters. */
const HASHED = /^assets\/.+-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/;

/** A built file with its compressed forms. */
export interface BuiltFile {
  /** Path within the folder, with `/`. */
  readonly path: string;
  readonly content: Buffer;
  readonly packed: Packed;
}

/** Reads every file of a folder with its compressed forms. */
export function readBuilt(folder: string): readonly BuiltFile[] {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
  const all = new Set(paths);
  const read = (path: string) => readFileSync(join(folder, path));
  const isForm = (path: string) =>
    Object.values(ENDINGS).some((ending) => path.endsWith(ending) && all.has(path.slice(0, -ending.length)));
  return paths
    .filter((path) => !isForm(path))
    .map((path) => ({
      path,
      content: read(path),
      packed: Object.fromEntries(
        Object.entries(ENDINGS)
          .filter(([, ending]) => all.has(path + ending))
          .map(([encoding, ending]) => [encoding, read(path + ending)]),
      ),
    }));
}

/**
 * Returns the smallest coding that a client accepts (RFC 9110, section 12.5.3); undefined for the uncompressed file.
 */
export function chooseEncoding(accepted: string | undefined, packed: Packed): Encoding | undefined {
  const codings = (accepted ?? "").toLowerCase().replaceAll(/\s/g, "").split(",");
  const names = codings
    .filter((coding) => !/;q=0(\.0*)?$/.test(coding))
    .map((coding) => coding.split(";")[0]);
  if (packed.br !== undefined && names.includes("br")) return "br";
  return packed.gzip !== undefined && (names.includes("gzip") || names.includes("x-gzip"))
    ? "gzip"
    : undefined;
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Compresses content that the program writes, on libuv's threads. */
export async function compressFile(content: Buffer): Promise<Packed> {
  const [br, gz] = await Promise.all([brotli(content), gzipped(content, { level: 9 })]);
  return { br, gzip: gz };
}

export type Send = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/**
 * Returns a function that sends a file in the form that the client prefers. A file whose name depends on its content
 * may be cached forever; others must be revalidated each time.
 */
export function sendFile({ path, content, packed }: BuiltFile): Send {
  const hash = createHash("sha256").update(content).digest("base64url").slice(0, 22);
  const type = TYPES[extname(path)] ?? "application/octet-stream";
  const caching = HASHED.test(path) ? "public, max-age=31536000, immutable" : "no-cache";
  const hasForms = Object.keys(packed).length > 0;
  return (request, reply) => {
    const encoding = chooseEncoding(request.headers["accept-encoding"], packed);
    const form = encoding === undefined ? undefined : packed[encoding];
    // Each form has its own tag, because their bytes differ. Suffixes of proxies begin with another character.
    const etag = encoding === undefined ? `"${hash}"` : `"${hash}.${encoding}"`;
    reply.header("cache-control", caching).header("content-type", type).header("etag", etag);
    if (hasForms) reply.header("vary", "accept-encoding");
    if (matchesTag(request.headers["if-none-match"], etag)) return reply.code(304).send();
    if (encoding !== undefined) reply.header("content-encoding", encoding);
    return reply.send(form ?? content);
  };
}
