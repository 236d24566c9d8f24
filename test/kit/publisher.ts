import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { sha256 } from "./published.ts";
import { servingPort } from "./server.ts";

/** What the server does to the files of layers, or to manifests where it says so. */
export type Fault =
  | { readonly kind: "status"; readonly of: "manifest" | "snapshot"; readonly status: number }
  /** Sends so many bytes of what was asked for and nothing more, until the connection is closed. */
  | { readonly kind: "hang"; readonly afterBytes: number }
  | { readonly kind: "damaged" }
  | { readonly kind: "manifest"; readonly text: string };

export interface Seen {
  readonly name: string;
  readonly range: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly status: number;
}

/** A web server over a published folder, as plain as they come, that can be made to fail. */
export interface Publisher {
  /** To be used as `REGISTRY_URL`. */
  readonly url: string;
  readonly seen: readonly Seen[];
  fault: Fault | undefined;
  /** Whether a part of a file can be asked for. */
  hasRanges: boolean;
  /** Cuts the connections of what hangs. */
  cut(): void;
}

const MANIFEST = "manifest.jsonl";
const LAYER = ".sqlite.zst";

/** Serves `folder` on a free port until the file's tests have ended. */
export async function startPublisher(folder: string): Promise<Publisher> {
  const seen: Seen[] = [];
  const hanging = new Set<ServerResponse>();
  const publisher: { -readonly [Name in keyof Publisher]: Publisher[Name] } = {
    url: "",
    seen,
    fault: undefined,
    hasRanges: true,
    cut() {
      for (const response of hanging) response.destroy();
      hanging.clear();
    },
  };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = request.url?.split("/").at(-1) ?? "";
    const { range, "if-none-match": ifNoneMatch } = request.headers;
    const respond = (status: number, headers: Record<string, string | number> = {}) => {
      seen.push({ name, range, ifNoneMatch, status });
      return response.writeHead(status, headers);
    };
    const path = join(folder, name);
    const isManifest = name === MANIFEST;
    const fault = isManifest || name.endsWith(LAYER) ? publisher.fault : undefined;
    if (fault?.kind === "status" && (fault.of === "manifest") === isManifest) {
      respond(fault.status, fault.status < 400 ? { location: `/elsewhere/${name}` } : {}).end("no");
    } else if (!existsSync(path)) {
      respond(404).end("no");
    } else if (isManifest) {
      const body = fault?.kind === "manifest" ? Buffer.from(fault.text) : readFileSync(path);
      const etag = `"${sha256(body)}"`;
      if (ifNoneMatch === etag) respond(304, { etag }).end();
      else respond(200, { etag }).end(body);
    } else {
      await sendFile(path, range, fault, respond, response);
    }
  }

  async function sendFile(
    path: string,
    range: string | undefined,
    fault: Fault | undefined,
    respond: (status: number, headers: Record<string, string | number>) => void,
    response: ServerResponse,
  ): Promise<void> {
    const { size } = statSync(path);
    const asked = publisher.hasRanges ? /^bytes=([0-9]+)-$/.exec(range ?? "")?.[1] : undefined;
    const start = Number(asked ?? 0);
    if (start >= size) {
      respond(416, {});
      response.end();
      return;
    }
    const partial = { "content-range": `bytes ${start}-${size - 1}/${size}` };
    const headers = { "content-length": size - start, ...(asked === undefined ? {} : partial) };
    respond(asked === undefined ? 200 : 206, headers);
    if (fault?.kind === "hang") {
      hanging.add(response);
      response.write(readFileSync(path).subarray(start, start + fault.afterBytes));
    } else if (fault?.kind === "damaged") {
      const bytes = readFileSync(path);
      bytes[size - 1] = (bytes[size - 1] ?? 0) ^ 0x01;
      response.end(bytes.subarray(start));
    } else {
      await pipeline(createReadStream(path, { start }), response);
    }
  }

  const port = await servingPort((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  publisher.url = `http://127.0.0.1:${port}/published`;
  return publisher;
}

/** What was asked of the files of layers, without their indexes. */
export const downloads = ({ seen }: Publisher): readonly Seen[] =>
  seen.filter(({ name }) => name.endsWith(LAYER));
