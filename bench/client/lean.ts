import { connect, type Socket } from "node:net";
import { AnswerReader } from "./answerReader.ts";
import type { Call, Job, Outcome } from "./job.ts";
import { Tally } from "./tally.ts";

/**
 * Load over keep-alive connections, one call at a time on each: the next call leaves when the answer before it is
 * whole. When the time is over no call starts, and the answers under way are still awaited and counted, so that
 * what the client saw and what the server did can be compared to the last call.
 */
export async function loadLean(job: Job): Promise<Outcome> {
  const requests = job.calls.map(encode);
  const sockets = await Promise.all(
    Array.from({ length: job.connections }, (_, index) => open(job.ports[index % job.ports.length] ?? 0)),
  );
  const tally = new Tally();
  const endsMs = performance.now() + job.seconds * 1_000;
  let next = 0;
  const takeRequest = (): Buffer | undefined => {
    if (performance.now() >= endsMs) return undefined;
    const request = requests[next];
    next = (next + 1) % requests.length;
    return request;
  };
  await Promise.all(sockets.map((socket) => drive(socket, takeRequest, tally)));
  return tally.outcome();
}

/** Keeps one connection busy until `takeRequest` has no more. */
function drive(socket: Socket, takeRequest: () => Buffer | undefined, tally: Tally): Promise<void> {
  return new Promise((resolve, reject) => {
    const reader = new AnswerReader();
    let sentMs = 0;
    let isDone = false;
    const sendNext = (): void => {
      const request = takeRequest();
      if (request === undefined) {
        isDone = true;
        socket.destroy();
        resolve();
        return;
      }
      sentMs = performance.now();
      socket.write(request);
    };
    socket.on("data", (chunk: Buffer) => {
      const answer = reader.read(chunk);
      if (answer === undefined) return;
      const us = (performance.now() - sentMs) * 1_000;
      tally.addRead(answer.status, us, answer.tokensCharged, answer.body);
      sendNext();
    });
    socket.on("error", reject);
    socket.on("close", () => {
      if (!isDone) reject(new Error("the server closed a connection in use"));
    });
    sendNext();
  });
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
