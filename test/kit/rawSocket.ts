import { connect } from "node:net";
import type { Answer } from "./answer.ts";

/**
 * Writes bytes to a port and reads until the other side closes, or until one complete response if the request keeps the
 * connection open.
 */
export function sendBytes(port: number, bytes: Buffer | string, withinMs = 20_000): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" });
    const parts: Buffer[] = [];
    const late = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(`no end after ${withinMs} ms: ${Buffer.concat(parts).toString("latin1").slice(0, 300)}`),
      );
    }, withinMs);
    socket.on("data", (part) => parts.push(Buffer.from(part)));
    // A server may close before reading everything; its response still counts.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(late);
      resolve(Buffer.concat(parts));
    });
    socket.write(bytes);
  });
}

/** One request as bytes, with `Connection: close`. */
export function requestBytes(
  line: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  body: string | Buffer = "",
): Buffer {
  const lines = Object.entries({ host: "127.0.0.1", connection: "close", ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.concat([
    typeof line === "string" ? Buffer.from(line, "latin1") : line,
    Buffer.from(` HTTP/1.1\r\n${head}\r\n`, "latin1"),
    Buffer.from(body),
  ]);
}

/** The only response in a socket's bytes. */
export function parseAnswer(bytes: Buffer): Answer {
  const text = bytes.toString("utf8");
  const end = text.indexOf("\r\n\r\n");
  const status = /^HTTP\/1\.1 ([0-9]{3})/.exec(text)?.[1];
  if (end === -1 || status === undefined) throw new Error(`not a complete response: ${text.slice(0, 300)}`);
  const headers: Record<string, string> = {};
  for (const line of text.slice(0, end).split("\r\n").slice(1)) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { status: Number(status), headers, text: text.slice(end + 4) };
}

/** All responses in a socket's bytes, split by their lengths. */
export function parseAnswers(bytes: Buffer): readonly Answer[] {
  const answers: Answer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const length = Number(parseAnswer(rest).headers["content-length"]);
    const end = rest.indexOf("\r\n\r\n") + 4 + length;
    answers.push(parseAnswer(rest.subarray(0, end)));
    rest = rest.subarray(end);
  }
  return answers;
}
