import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent, request } from "undici";
import { readParts } from "./archive.ts";
import { FetchFailure } from "./failure.ts";

/** A published folder. Its content, sizes and speed are untrusted. */
export interface PublishedSource {
  /**
   * Opens a file of the folder; undefined when it still has the given ETag.
   * @throws {FetchFailure} also while reading the body
   */
  get(
    name: string,
    signal: AbortSignal,
    etag?: string,
  ): Promise<{ readonly body: AsyncIterable<Buffer>; readonly etag: string | undefined } | undefined>;
  close(): Promise<void>;
}

export interface FetchTimeouts {
  /** The timeout for connecting, between two chunks, and for the whole manifest. */
  readonly stallMs: number;
  /** The timeout for one download, so that a slow source does not hold the registry's lock forever. */
  readonly downloadMs: number;
}

export const FETCH_TIMEOUTS: FetchTimeouts = { stallMs: 30_000, downloadMs: 6 * 3_600_000 };

const OK = 200;
const NOT_MODIFIED = 304;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const MAX_REDIRECTS = 5;
const MAX_CONNECT_MS = 10_000;

/**
 * @param url a folder: `https://…`, `http://…` or `file:///…`. A query is part of each request
 * @param headers sent only to the origin of `url`
 */
export function openPublishedSource(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  patience: FetchTimeouts = FETCH_TIMEOUTS,
): PublishedSource {
  return url.startsWith("file:") ? openFolder(fileURLToPath(url)) : openHttp(url, headers, patience);
}

function openFolder(folder: string): PublishedSource {
  return {
    async get(name, signal) {
      return { body: explaining(readParts(join(folder, name)), name, signal), etag: undefined };
    },
    close: async () => {},
  };
}

/** Follows redirects with the same scheme. Messages never contain a URL, because its query may be secret. */
function openHttp(
  folder: string,
  ownHeaders: Readonly<Record<string, string>>,
  { stallMs }: FetchTimeouts,
): PublishedSource {
  const base = new URL(folder);
  const connect = { timeout: Math.min(MAX_CONNECT_MS, stallMs) };
  const agent = new Agent({ connect, headersTimeout: stallMs, bodyTimeout: stallMs, allowH2: false });

  return {
    async get(name, signal, etag) {
      let url = new URL(base);
      url.pathname = `${base.pathname.replace(/(?<!\/)\/+$/, "")}/${name}`;
      for (let redirects = 0; ; redirects++) {
        const headers = {
          ...(url.origin === base.origin && ownHeaders),
          ...(etag !== undefined && { "if-none-match": etag }),
          // The SHA-256 applies to the bytes on the publisher's disk.
          "accept-encoding": "identity",
        };
        const response = await request(url, { headers, dispatcher: agent, signal }).catch(
          (error: unknown) => {
            throw explained(error, name, signal);
          },
        );
        const { statusCode, headers: given, body } = response;
        if (statusCode === OK) {
          const tag = typeof given.etag === "string" ? given.etag : undefined;
          return { body: explaining(body, name, signal), etag: tag };
        }
        body.on("error", () => {}).destroy();
        if (statusCode === NOT_MODIFIED && etag !== undefined) return undefined;
        const next = REDIRECTS.includes(statusCode) ? URL.parse(String(given.location), url.href) : null;
        if (next === null || redirects === MAX_REDIRECTS || !mayFollow(url, next)) {
          throw new FetchFailure(
            "source",
            `The server of REGISTRY_URL answers ${statusCode} for ${name}: check the address, REGISTRY_HEADERS and the server. Up to ${MAX_REDIRECTS} redirects with the same scheme are followed.`,
          );
        }
        url = next;
      }
    },
    close: () => agent.destroy(),
  };
}

function mayFollow(from: URL, to: URL): boolean {
  return to.protocol === from.protocol && to.username === "" && to.password === "";
}

async function* explaining(
  body: AsyncIterable<Buffer>,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw explained(error, name, signal);
  }
}

/** Converts an error of a connection or file; returns the reason of the signal after an abort. */
function explained(error: unknown, name: string, signal: AbortSignal): unknown {
  const cause = signal.aborted ? signal.reason : error;
  const isTimeout = cause instanceof Error && cause.name === "TimeoutError";
  if (signal.aborted && !isTimeout) return cause;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
  if (isTimeout || /^UND_ERR_\w+_TIMEOUT$/.test(code)) {
    return new FetchFailure("slow", `${name} did not arrive in time from REGISTRY_URL.`, { cause });
  }
  const message = `${name} cannot be read from REGISTRY_URL (${code}): check the address, the rights of its files, its certificate and the way through the firewall.`;
  return new FetchFailure("source", message, { cause });
}
