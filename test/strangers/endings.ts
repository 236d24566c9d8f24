/** The ways in which a connection ends, by hanging up, crashing or with bad intent. */
import { connect, type Socket } from "node:net";

/** A request in bytes. */
export interface WireCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for none. */
  readonly body: string;
}

export interface Ending {
  readonly name: string;
  /** Whether the caller reads to the end, and so waits as long as the service does. */
  readonly waitsForAnswer: boolean;
  /** Resolves when the connection has ended, with the service's output. */
  readonly run: (port: number, call: WireCall) => Promise<string>;
}

/** Each way once, for every call. */
export const ENDINGS: readonly Ending[] = [
  {
    name: "a reset",
    waitsForAnswer: false,
    run: (port, call) => connectAnd(port, (socket) => send(socket, wire(call), reset)),
  },
  {
    name: "a half-closed connection",
    waitsForAnswer: true,
    run: (port, call) => connectAnd(port, (socket) => socket.end(wire(call))),
  },
  {
    name: "half a header",
    waitsForAnswer: false,
    run: (port, call) => connectAnd(port, (socket) => send(socket, half(headOf(call)), reset)),
  },
  {
    name: "half a body",
    waitsForAnswer: false,
    run: (port, call) => {
      const whole = call.body === "" ? { ...call, body: "a body that no GET has" } : call;
      return connectAnd(port, (socket) => send(socket, headOf(whole) + half(whole.body), reset));
    },
  },
  {
    name: "a reset between the request and its response",
    waitsForAnswer: false,
    run: (port, call) =>
      connectAnd(port, (socket) =>
        send(socket, wire(call), () => afterAnotherCall(port, () => reset(socket))),
      ),
  },
  {
    name: "four pipelined requests and a reset",
    waitsForAnswer: false,
    run: (port, call) =>
      connectAnd(port, (socket) =>
        send(socket, wire(call).repeat(4), () => afterAnotherCall(port, () => reset(socket))),
      ),
  },
];

function connectAnd(port: number, begin: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("data", (part: Buffer) => parts.push(part));
    socket.on("end", () => socket.end());
    socket.on("error", () => {});
    socket.on("close", () => resolve(Buffer.concat(parts).toString("utf8")));
    begin(socket);
  });
}

function send(socket: Socket, text: string, then: (socket: Socket) => void): void {
  socket.write(text, () => then(socket));
}

function reset(socket: Socket): void {
  socket.resetAndDestroy();
}

/** Once another connection has its response, the service has started the earlier request. */
function afterAnotherCall(port: number, then: () => void): void {
  const call = { method: "GET", path: "/v1/health", headers: {}, body: "" };
  void connectAnd(port, (socket) => socket.end(wire(call))).then(then);
}

function wire(call: WireCall): string {
  return headOf(call) + call.body;
}

function headOf({ method, path, headers, body }: WireCall): string {
  const length = body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host: "127.0.0.1", ...headers, ...length });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
}

function half(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}
