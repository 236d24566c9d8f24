import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import { errorBody } from "../../contract/errors.ts";
import { breachOf, brokenRequestAnswerer, handleOddRequests } from "../../http/brokenRequests.ts";
import { addPendingResponse, closeAfterPending, stateOf } from "../../http/connections.ts";
import { JSON_TYPE } from "../../http/headers.ts";
import { BODY_TIMES, LIMITS } from "../../http/limits.ts";
import { LIVE_PATH, READY_PATH } from "../../http/probes.ts";
import { addressOf, cannotListen, closeAtOnce, sharing, startListening } from "../../http/server.ts";

const HEALTH_PATH = "/v1/health";
const REASON = "the state store is unavailable";
const RETRY_AFTER_SECONDS = 2;
const IDLE_WITHIN_MS = 10_000;
const MAX_CONNECTIONS = 1_000;

export interface WaitingServer {
  /** `http://127.0.0.1:8080` */
  readonly address: string;
  readonly port: number;
  /** Number of refused calls. */
  readonly refused: number;
  close(): Promise<void>;
}

/**
 * Answers on the service's address while the state store is unavailable: alive, not ready, down, and 503 for every
 * call. Each response ends its connection, so that none is open when the service itself starts.
 * @param isShared whether other processes of the service listen on the same address
 * @throws {CannotListen} (the promise)
 */
export async function listenWhileWaiting(
  host: string,
  port: number,
  { isShared = false } = {},
): Promise<WaitingServer> {
  let refused = 0;
  const server = createServer({ ...LIMITS.http, requestTimeout: BODY_TIMES.wholeMs }, (request, response) => {
    if (!addPendingResponse(stateOf(request.socket), response)) return;
    // Discard the body.
    request.resume();
    if (answer(request, response)) refused += 1;
  });
  server.on("connection", closeAfterPending);
  const answerBroken = brokenRequestAnswerer({ newRequestId: randomUUID, count: () => {} });
  handleOddRequests(server, answerBroken);
  server.on("clientError", (error, socket) => {
    if (socket instanceof Socket) answerBroken(error, socket);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(IDLE_WITHIN_MS);
  try {
    await startListening(server, { host, port, ...(isShared ? sharing() : { exclusive: true }) });
  } catch (error) {
    throw cannotListen(error, host, port);
  }
  // A connection that could not be accepted must not end the process.
  server.on("error", () => {});
  const address = addressOf(server);
  return {
    address,
    port: Number(new URL(address).port),
    get refused() {
      return refused;
    },
    close: () => closeAtOnce(server),
  };
}

/** Sends the response. @returns whether it was a refused call */
function answer(request: IncomingMessage, response: ServerResponse): boolean {
  const [path] = (request.url ?? "").split("?", 1);
  const send = (status: number, body: object) => {
    const text = JSON.stringify(body);
    response.writeHead(status, {
      "content-length": Buffer.byteLength(text),
      "content-type": JSON_TYPE,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": randomUUID(),
      "access-control-allow-origin": "*",
      ...(status === 503 && { "retry-after": String(RETRY_AFTER_SECONDS) }),
    });
    response.end(request.method === "HEAD" ? undefined : text);
  };
  const breach = breachOf(request);
  if (breach !== undefined) send(breach.status, errorBody(breach.code, breach.message));
  else if (path === LIVE_PATH) send(200, { status: "alive" });
  else if (path === READY_PATH) send(503, { status: "not ready", reason: REASON });
  else if (path === HEALTH_PATH) {
    send(503, {
      status: "down",
      services: { kvk: "down" },
      reason: REASON,
      timestamp: new Date().toISOString(),
    });
  } else {
    const message = `the service is waiting for its state store and answers no calls yet; try again in ${RETRY_AFTER_SECONDS} seconds`;
    send(503, errorBody("SERVICE_UNAVAILABLE", message));
    return true;
  }
  return false;
}
