import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { sha256 } from "./published.ts";
import { servingPort } from "./server.ts";

/** Faults of the server, in archives or in manifests. */
export type Fault =
  | {
      readonly kind: "status";
      readonly of: "manifest" | "archive";
      readonly status: number;
      readonly location?: string;
    }
  /** Sends this many bytes and then nothing until the connection is closed. */
  | { readonly kind: "hang"; readonly afterBytes: number }
  /** Sends this many bytes and ends as if complete. */
  | { readonly kind: "short"; readonly bytes: number }
  /** Announces the full length and closes the connection after this many bytes. */
  | { readonly kind: "cut"; readonly afterBytes: number }
  | { readonly kind: "damaged" }
  | { readonly kind: "manifest"; readonly text: string };

export interface Seen {
  readonly name: string;
  readonly url: string;
  readonly ifNoneMatch: string | undefined;
  readonly authorization: string | undefined;
  readonly status: number;
}

/** A plain web server for a published folder that can be made to fail. */
export interface Publisher {
  /** The value for `REGISTRY_URL`. */
  readonly url: string;
  readonly seen: readonly Seen[];
  fault: Fault | undefined;
  /** Closes the hanging connections. */
  cut(): void;
}

const MANIFEST = "manifest.json";

/** Serves `folder` on a free port until the file's tests have ended. */
export async function startPublisher(folder: string): Promise<Publisher> {
  const seen: Seen[] = [];
  const hanging = new Set<ServerResponse>();
  const publisher: { -readonly [Name in keyof Publisher]: Publisher[Name] } = {
    url: "",
    seen,
    fault: undefined,
    cut() {
      for (const response of hanging) response.destroy();
      hanging.clear();
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = "" } = request;
    const name = url.split("?")[0]?.split("/").at(-1) ?? "";
    const { authorization, "if-none-match": ifNoneMatch } = request.headers;
    const respond = (status: number, headers: Record<string, string | number> = {}) => {
      seen.push({ name, url, ifNoneMatch, authorization, status });
      return response.writeHead(status, headers);
    };
    const path = join(folder, name);
    const isManifest = name === MANIFEST;
    const { fault } = publisher;
    if (fault?.kind === "status" && (fault.of === "manifest") === isManifest) {
      respond(fault.status, { location: fault.location ?? `/elsewhere/${name}` }).end("no");
    } else if (!existsSync(path)) {
      respond(404).end("no");
    } else if (isManifest) {
      const body = fault?.kind === "manifest" ? Buffer.from(fault.text) : readFileSync(path);
      const etag = `"${sha256(body)}"`;
      if (ifNoneMatch === etag) respond(304, { etag }).end();
      else respond(200, { etag }).end(body);
    } else {
      await sendArchive(path, fault, respond, response);
    }
  }

  async function sendArchive(
    path: string,
    fault: Fault | undefined,
    respond: (status: number, headers?: Record<string, string | number>) => void,
    response: ServerResponse,
  ): Promise<void> {
    const { size } = statSync(path);
    respond(200, fault?.kind === "short" ? {} : { "content-length": size });
    if (fault?.kind === "hang") {
      hanging.add(response);
      response.write(readFileSync(path).subarray(0, fault.afterBytes));
    } else if (fault?.kind === "cut") {
      response.write(readFileSync(path).subarray(0, fault.afterBytes), () => response.destroy());
    } else if (fault?.kind === "short") {
      response.end(readFileSync(path).subarray(0, fault.bytes));
    } else if (fault?.kind === "damaged") {
      const bytes = readFileSync(path);
      bytes[size - 1] = (bytes[size - 1] ?? 0) ^ 0x01;
      response.end(bytes);
    } else {
      await pipeline(createReadStream(path), response);
    }
  }

  const port = await servingPort((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  publisher.url = `http://127.0.0.1:${port}/published`;
  return publisher;
}

/** The requests for archives. */
export const downloads = ({ seen }: Publisher): readonly Seen[] =>
  seen.filter(({ name }) => name !== MANIFEST);
