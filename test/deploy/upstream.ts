import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { MATCH_BOUNDS } from "../../src/contract/matchResources.ts";
import { LIMITS } from "../../src/http/limits.ts";
import { afterFile } from "../kit/afterFile.ts";

/** The paths for sending lists, with a key and from the account page. */
export const LISTS = "/v1/jobs?kind=match";
export const PAGE_LISTS = "/account/try/list?kind=match&idempotencyKey=1";

/** The path for matching names, whose bodies may be larger than others. */
export const MATCH = "/v1/match";

function maxBytesOf(path: string | undefined): number {
  return path === MATCH ? MATCH_BOUNDS.maxBytes : LIMITS.bodyLimit;
}

/** A server in place of a node, which records requests and refuses large bodies as a node does. */
export class Upstream {
  readonly seen: IncomingHttpHeaders[] = [];
  connections = 0;
  /** Bytes of lists received so far. */
  received = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((incoming, response) => {
      this.seen.push(incoming.headers);
      if (incoming.url?.startsWith("/hang-up") === true) incoming.socket.destroy();
      else if (incoming.url === LISTS || incoming.url === PAGE_LISTS) {
        incoming.on("data", (part: Buffer) => {
          this.received += part.length;
        });
        incoming.on("end", () => response.writeHead(202).end("{}"));
      } else if (Number(incoming.headers["content-length"] ?? 0) > maxBytesOf(incoming.url)) {
        // Responds after the body: a client that still writes to a closing connection may lose the response.
        incoming.resume().on("end", () => {
          response.writeHead(413, { "content-type": "application/json", connection: "close" });
          response.end('{"error":{"code":"PAYLOAD_TOO_LARGE","message":"…"}}');
        });
      } else {
        const isUnreachable = incoming.url?.startsWith("/upstream-error") === true;
        response.writeHead(isUnreachable ? 502 : 200, { "content-type": "application/json" });
        response.end(isUnreachable ? '{"error":{"code":"UPSTREAM_ERROR"}}' : "{}");
      }
    });
    this.#server.on("connection", () => {
      this.connections += 1;
    });
    afterFile(() => this.close());
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, "127.0.0.1", () => resolve());
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}
