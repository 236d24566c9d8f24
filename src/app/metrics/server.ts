import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import { errorBody } from "../../contract/errors.ts";
import { JSON_TYPE } from "../../http/headers.ts";
import { addressOf, CannotListen, closeAtOnce, startListening } from "../../http/server.ts";

export interface MetricsServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Returns the current metrics in Prometheus' text format. Concurrent requests share one call. */
  readonly render: () => Promise<string>;
  readonly onError: (error: unknown) => void;
}

export interface MetricsServer {
  /** `http://127.0.0.1:9464/metrics` */
  readonly address: string;
  close(): Promise<void>;
}

const PATH = "/metrics";
const TEXT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
/** Enough for a few scrapers; more would take file descriptors from calls. */
const MAX_CONNECTIONS = 32;
const REQUEST_WITHIN_MS = 5_000;
/** A client that does not read its response is cut off after this. */
const SILENT_FOR_MS = 20_000;

/** Serves `/metrics` on its own address. @throws {CannotListen} (the promise) */
export async function listenForMetrics(options: MetricsServerOptions): Promise<MetricsServer> {
  const { host, port, onError } = options;
  let inProgress: Promise<string> | undefined;
  const render = () => {
    inProgress ??= options.render().finally(() => {
      inProgress = undefined;
    });
    return inProgress;
  };
  const server = createServer(
    {
      headersTimeout: REQUEST_WITHIN_MS,
      requestTimeout: REQUEST_WITHIN_MS,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      // One request per connection, so that idle connections cannot use up the limit.
      response.setHeader("connection", "close");
      answer(request, response, render).catch((error: unknown) => {
        onError(error);
        if (response.headersSent) response.destroy();
        else refuse(response, 500, "INTERNAL_ERROR", "the metrics cannot be read; see the log");
      });
    },
  );
  boundConnections(server);
  server.setTimeout(SILENT_FOR_MS);
  server.on("clientError", (_error, socket) => {
    // A proxy would mistake a response without a request for the one to its next request.
    const mayRead = socket instanceof Socket && socket.bytesRead > 0 && socket.writable;
    if (mayRead) socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n");
    else socket.destroy();
  });
  try {
    await startListening(server, { host, port, exclusive: true });
  } catch (error) {
    throw cannotListen(error, host, port);
  }
  server.on("error", onError);
  return { address: addressOf(server) + PATH, close: () => closeAtOnce(server) };
}

/**
 * Limits connections. A new one replaces the one that has waited longest without a request; if all have requests it is
 * refused.
 */
function boundConnections(server: Server): void {
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  const forget = (socket: Socket) => {
    open.delete(socket);
    silent.delete(socket);
  };
  server.on("connection", (socket) => {
    if (open.size >= MAX_CONNECTIONS) {
      const [oldest = socket] = silent;
      forget(oldest);
      oldest.destroy();
      if (oldest === socket) return;
    }
    open.add(socket);
    silent.add(socket);
    socket.once("close", () => forget(socket));
  });
  server.on("request", ({ socket }) => silent.delete(socket));
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  render: () => Promise<string>,
): Promise<void> {
  // Discard the body.
  request.resume();
  const [path] = (request.url ?? "").split("?", 1);
  if (path !== PATH) return refuse(response, 404, "ROUTE_NOT_FOUND", `only ${PATH} is served here`);
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    return refuse(response, 405, "METHOD_NOT_ALLOWED", "this path serves GET, HEAD; see the Allow header");
  }
  const text = await render();
  response.writeHead(200, {
    "content-type": TEXT_TYPE,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  });
  response.end(request.method === "HEAD" ? undefined : text);
}

function refuse(
  response: ServerResponse,
  status: number,
  code: Parameters<typeof errorBody>[0],
  message: string,
): void {
  response.writeHead(status, { "content-type": JSON_TYPE });
  response.end(JSON.stringify(errorBody(code, message)));
}

function cannotListen(error: unknown, host: string, port: number): CannotListen {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  const why = code === "EADDRINUSE" ? "the address is in use" : code;
  return new CannotListen(
    `metrics cannot be served on ${host}:${port} (${why}): choose another METRICS_PORT (0 picks a free one) or METRICS_HOST`,
    error,
  );
}
