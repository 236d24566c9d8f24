import { type Agent, type IncomingMessage, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type Dispatcher, errors, Pool } from "undici";
import { type Answer, encodeRequest, type TestRequest } from "./answer.ts";

/** The connection ended before the response was complete. */
export class IncompleteResponse extends Error {}

/** Sends a request to a running service; pass an agent to reuse connections. */
export function ask(
  { port }: { readonly port: number },
  testRequest: TestRequest,
  agent: Agent | false = false,
): Promise<Answer> {
  const { headers, body } = encodeRequest(testRequest);
  return new Promise((resolve, reject) => {
    const outgoing = request({
      port,
      host: "127.0.0.1",
      method: testRequest.method ?? "GET",
      path: testRequest.path,
      agent,
      headers: { ...headers, ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }) },
    });
    const fail = (error: Error) => reject(new IncompleteResponse(error.message, { cause: error }));
    outgoing.on("error", fail);
    outgoing.on("response", (response) => {
      read(response).then((text) => {
        resolve({ status: response.statusCode ?? 0, headers: headersOf(response.headers), text });
      }, fail);
    });
    outgoing.end(body);
  });
}

async function read(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function headersOf(
  given: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(given)) {
    headers[name] = typeof value === "object" ? value.join(", ") : value;
  }
  return headers;
}

export interface Load {
  readonly answers: readonly Answer[];
  /** Calls without a complete response. */
  readonly unanswered: readonly TestRequest[];
}

export interface LoadOptions {
  readonly connections: number;
  /**
   * A connection's pause after each response, milliseconds: for load during work that takes a while. None by default.
   */
  readonly pauseMs?: number;
  /** Called with every response; returning false ends its connection. */
  readonly onAnswer?: (answer: Answer, count: number, testRequest: TestRequest) => boolean;
}

/**
 * Sends calls over the given number of connections, one at a time on each; a connection that breaks stops. Allocates as
 * little as possible per call, because the client shares the processor with the service.
 */
export async function load(
  { port }: { readonly port: number },
  calls: Iterable<TestRequest>,
  { connections, pauseMs = 0, onAnswer = () => true }: LoadOptions,
): Promise<Load> {
  // Tests set their own time limits.
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, headersTimeout: 0, bodyTimeout: 0 });
  const answers: Answer[] = [];
  const unanswered: TestRequest[] = [];
  const source = calls[Symbol.iterator]();
  const drive = async () => {
    for (let next = source.next(); next.done !== true; next = source.next()) {
      const answer = await answerTo(pool, next.value);
      if (answer === undefined) {
        unanswered.push(next.value);
        return;
      }
      answers.push(answer);
      if (!onAnswer(answer, answers.length, next.value)) return;
      if (pauseMs > 0) await pause(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, drive));
  await pool.destroy();
  return { answers, unanswered };
}

/** Undefined if the connection ended before the response was complete. */
function answerTo(pool: Pool, testRequest: TestRequest): Promise<Answer | undefined> {
  const { headers, body } = encodeRequest(testRequest);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let status = 0;
    let receivedHeaders: Answer["headers"] = {};
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_, statusCode, responseHeaders) {
        status = statusCode;
        receivedHeaders = headersOf(responseHeaders);
      },
      onResponseData(_, part) {
        parts.push(part);
      },
      onResponseEnd: () =>
        resolve({ status, headers: receivedHeaders, text: Buffer.concat(parts).toString("utf8") }),
      onResponseError: (_, error) =>
        error instanceof errors.InvalidArgumentError ? reject(error) : resolve(undefined),
    };
    const method = testRequest.method ?? "GET";
    pool.dispatch({ path: testRequest.path, method, headers, body: body ?? null }, handler);
  });
}
