import { Agent, type Dispatcher, request } from "undici";
import { earlierOf } from "../../lib/deadline.ts";
import { FetchFailure } from "./failure.ts";
import { MANIFEST_FILE, MOST_MANIFEST_BYTES, tooLong } from "./manifest.ts";
import { NAMES_LIST_FILE } from "./namesList.ts";
import type { Patience, PublishedSource } from "./source.ts";

const OK = 200;
const PARTIAL = 206;
const NOT_MODIFIED = 304;
const NOT_SATISFIABLE = 416;
const CONNECT_WITHIN_MS = 10_000;

/** A published folder behind a web server. Redirects are not followed: what is asked is what the operator wrote. */
export function openHttp(baseUrl: string, patience: Patience): PublishedSource {
  const agent = new Agent({
    connect: { timeout: Math.min(CONNECT_WITHIN_MS, patience.manifestMs) },
    headersTimeout: patience.stallMs,
    bodyTimeout: patience.stallMs,
    allowH2: false,
  });

  async function get(
    name: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    // The bytes as they are on the publisher's disk: their checksum is of those.
    const wanted = { ...headers, "accept-encoding": "identity" };
    try {
      return await request(`${baseUrl}/${name}`, { headers: wanted, dispatcher: agent, signal });
    } catch (error) {
      throw explained(error, name, signal, "address");
    }
  }

  return {
    async manifest(etag, signal) {
      const deadline = earlierOf(signal, patience.manifestMs);
      const headers = etag === undefined ? undefined : { "if-none-match": etag };
      const response = await get(MANIFEST_FILE, headers ?? {}, deadline);
      if (response.statusCode === NOT_MODIFIED && etag !== undefined) {
        await response.body.dump();
        return undefined;
      }
      if (response.statusCode !== OK) throw await refused(response, MANIFEST_FILE);
      const given = response.headers.etag;
      const bytes = await readSmall(explaining(response.body, MANIFEST_FILE, deadline), MANIFEST_FILE);
      return { bytes, etag: typeof given === "string" ? given : undefined };
    },

    async namesList(signal) {
      const deadline = earlierOf(signal, patience.manifestMs);
      const response = await get(NAMES_LIST_FILE, {}, deadline);
      if (response.statusCode !== OK) throw await refused(response, NAMES_LIST_FILE);
      return readSmall(explaining(response.body, NAMES_LIST_FILE, deadline), NAMES_LIST_FILE);
    },

    async file(name, from, signal) {
      if (from > 0) {
        // No If-Range: the name holds the checksum, so another version of the same file is a damaged one, and found out.
        const response = await get(name, { range: `bytes=${from}-` }, signal);
        if (response.statusCode === PARTIAL && startOf(response.headers["content-range"]) === from) {
          return { start: from, body: explaining(response.body, name, signal) };
        }
        if (response.statusCode === OK) return { start: 0, body: explaining(response.body, name, signal) };
        if (response.statusCode !== PARTIAL && response.statusCode !== NOT_SATISFIABLE) {
          throw await refused(response, name);
        }
        response.body.on("error", () => {}).destroy();
      }
      const response = await get(name, {}, signal);
      if (response.statusCode !== OK) throw await refused(response, name);
      return { start: 0, body: explaining(response.body, name, signal) };
    },

    close: () => agent.destroy(),
  };
}

async function refused(response: Dispatcher.ResponseData, name: string): Promise<FetchFailure> {
  response.body.on("error", () => {}).destroy();
  const { statusCode } = response;
  const hint =
    statusCode >= 300 && statusCode < 400
      ? "redirects are not followed; set REGISTRY_URL to the address where the folder really is"
      : `check that REGISTRY_URL is the folder that "opzoek registry publish" wrote, and the server that gives it out`;
  return new FetchFailure("answer", `The server of REGISTRY_URL answers ${statusCode} for ${name}: ${hint}.`);
}

/** The bytes of a manifest, or of what is as small. @throws {FetchFailure} for more than one may have */
async function readSmall(body: AsyncIterable<Buffer>, name: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > MOST_MANIFEST_BYTES) throw tooLong(name);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** `bytes 100-199/200` begins at 100. */
function startOf(contentRange: string | string[] | undefined): number | undefined {
  const start = typeof contentRange === "string" ? /^bytes ([0-9]+)-/.exec(contentRange)?.[1] : undefined;
  return start === undefined ? undefined : Number(start);
}

async function* explaining(
  body: AsyncIterable<Buffer>,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw explained(error, name, signal, "cut");
  }
}

const TOO_SLOW: readonly unknown[] = [
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
];

/** What an error of the connection means. One that the signal made is that of the signal: a time-out, or a stop. */
function explained(error: unknown, name: string, signal: AbortSignal, kind: "address" | "cut"): unknown {
  const cause = signal.aborted ? signal.reason : error;
  const isTimeout = cause instanceof Error && cause.name === "TimeoutError";
  if (signal.aborted && !isTimeout) return cause;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (isTimeout || TOO_SLOW.includes(code)) {
    return new FetchFailure("slow", `${name} did not come in time from REGISTRY_URL: it is tried again.`, {
      cause,
    });
  }
  const shown = typeof code === "string" ? ` (${code})` : "";
  const message =
    kind === "cut"
      ? `The connection to REGISTRY_URL was cut${shown} while ${name} came: it is tried again.`
      : `REGISTRY_URL cannot be reached${shown}: check the address, its certificate and the way through the firewall.`;
  return new FetchFailure(kind, message, { cause });
}
