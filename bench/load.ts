/** Load over keep-alive connections, one call at a time on each. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Call } from "./processes.ts";
import { ResponseReader } from "./responseReader.ts";

/** Sent to the thread of the load client. */
export interface Job {
  readonly port: number;
  /** Sent in this order, over all connections. */
  readonly calls: readonly Call[];
  readonly connections: number;
  readonly seconds: number;
}

/** Sent back by the thread of the load client. */
export interface Outcome {
  readonly elapsedMs: number;
  /** The sum of `X-Tokens-Charged` over all responses. */
  readonly tokens: number;
  /** Of each response, in microseconds. */
  readonly latenciesUs: readonly number[];
  /** Status and start of the body of the first response that is not 200. */
  readonly failure: string | undefined;
}

const SHOWN_BYTES = 300;

/**
 * Makes calls for some seconds, then waits for the last responses and counts them too, so that the outcome can be
 * compared with the ledger.
 * @throws {Error} if the server closes a connection in use
 */
export async function load({ port, calls, connections, seconds }: Job): Promise<Outcome> {
  const requests = calls.map(encode);
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const latenciesUs: number[] = [];
  let failure: string | undefined;
  let tokens = 0;
  let next = 0;
  const startedMs = performance.now();
  const endsMs = startedMs + seconds * 1_000;
  const drive = (socket: Socket): Promise<void> =>
    new Promise((resolve, reject) => {
      const reader = new ResponseReader();
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
        const response = reader.read(chunk);
        if (response === undefined) return;
        latenciesUs.push(Math.round((performance.now() - sentMs) * 1_000));
        if (response.status !== 200)
          failure ??= `${response.status} ${response.body.toString("utf8", 0, SHOWN_BYTES)}`;
        tokens += response.tokensCharged;
        sendNext();
      });
      socket.on("error", reject);
      socket.on("close", () => {
        if (!isDone) reject(new Error("the server closed a connection in use"));
      });
      sendNext();
    });
  await Promise.all(sockets.map(drive));
  const elapsedMs = performance.now() - startedMs;
  return { elapsedMs, tokens, latenciesUs, failure };
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  return socket;
}

function encode({ path, key }: Call): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n\r\n`);
}
