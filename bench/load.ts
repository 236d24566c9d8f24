/** Load over keep-alive connections, one call at a time on each. */
import { connect, type Socket } from "node:net";
import { AnswerReader } from "./answerReader.ts";
import { Histogram } from "./histogram.ts";

/** Sent to the client's process, so it is JSON. */
export interface Job {
  readonly port: number;
  /** Made in turn over all connections. */
  readonly calls: readonly Call[];
  readonly connections: number;
  readonly seconds: number;
}

export interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sent back by the client's process. */
export interface Outcome {
  readonly answers: number;
  readonly elapsedMs: number;
  /** Answers by status code. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The sum of `X-Tokens-Charged` over all answers. */
  readonly tokens: number;
  /** Filled buckets as [µs, count]. */
  readonly latencies: readonly (readonly [us: number, count: number])[];
  /** The beginning of the first body with each status. */
  readonly samples: Readonly<Record<string, string>>;
}

const SAMPLE_BYTES = 300;

/**
 * Makes calls for some seconds. When the time is over the responses under way are still awaited and counted, so that what
 * the client saw can be compared to the ledger.
 * @throws {Error} when the server closes a connection in use
 */
export async function load({ port, calls, connections, seconds }: Job): Promise<Outcome> {
  const requests = calls.map(encode);
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const latencies = new Histogram();
  const statuses: Record<string, number> = {};
  const samples: Record<string, string> = {};
  let tokens = 0;
  let next = 0;
  const startedMs = performance.now();
  const endsMs = startedMs + seconds * 1_000;
  const drive = (socket: Socket): Promise<void> =>
    new Promise((resolve, reject) => {
      const reader = new AnswerReader();
      let sentMs = 0;
      let isDone = false;
      const sendNext = (): void => {
        sentMs = performance.now();
        const request = requests[next];
        next = (next + 1) % requests.length;
        if (sentMs < endsMs && request !== undefined) socket.write(request);
        else {
          isDone = true;
          socket.destroy();
          resolve();
        }
      };
      socket.on("data", (chunk: Buffer) => {
        const answer = reader.read(chunk);
        if (answer === undefined) return;
        latencies.add((performance.now() - sentMs) * 1_000);
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        samples[answer.status] ??= answer.body.toString("utf8", 0, SAMPLE_BYTES);
        tokens += answer.tokensCharged;
        sendNext();
      });
      socket.on("error", reject);
      socket.on("close", () => {
        if (!isDone) reject(new Error("the server closed a connection in use"));
      });
      sendNext();
    });
  await Promise.all(sockets.map(drive));
  const answers = Object.values(statuses).reduce((sum, times) => sum + times, 0);
  const elapsedMs = performance.now() - startedMs;
  return { answers, elapsedMs, statuses, tokens, latencies: latencies.entries(), samples };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}

function encode({ method, path, headers, body }: Call): Buffer {
  const length = body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${path} HTTP/1.1`, "host: 127.0.0.1", ...lines, ...length].join("\r\n");
  return Buffer.from(`${head}\r\n\r\n${body ?? ""}`);
}
