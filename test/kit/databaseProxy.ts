import { connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterFile } from "./afterFile.ts";

/**
 * The fate of one message to the server. `cut`: it never arrives and the connection ends. `lose-answer`: it arrives,
 * and the connection ends when the server has responded. `crash`: the same, after an error like PgBouncer's for a
 * server that it has lost. `hold`: it and everything up to the commit is held back; the connection ends for the client
 * but stays open for the server.
 */
export type Fate = "pass" | "cut" | "lose-answer" | "crash" | "hold";

/**
 * A message of PostgreSQL's protocol: its type, and the text of a query, plain or to be prepared, or the name of the
 * bound statement.
 */
export interface Message {
  readonly type: string;
  readonly text: string;
}

/** A proxy between a service and its database that simulates network faults and failovers. */
export interface DatabaseProxy {
  /** The address of a database through the proxy. */
  through(url: string): string;
  /** Sets the function that decides each message's fate. */
  decide(fate: (message: Message) => Fate): void;
  /** Delays each response by this time. */
  delayAnswers(ms: number): void;
  /** Ends all connections and refuses new ones until it is opened again. */
  shut(): void;
  /** Drops all bytes without closing connections: a network that drops packets. */
  fallSilent(): void;
  open(): void;
  /** Sends the held messages; resolves when the server has responded. */
  release(): Promise<void>;
}

const HEADER_BYTES = 4;
/** Message types with a final response from the server, and the type of that response. */
const ANSWERED_WITH_READY = new Set(["Q", "S"]);
const READY = "Z";

export async function startDatabaseProxy(port: number): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  const heldMessages: { upstream: Socket; bytes: Buffer }[] = [];
  let fateOf: (message: Message) => Fate = () => "pass";
  let isShut = false;
  let isSilent = false;
  let delayMs = 0;

  const server = createServer((client) => {
    if (isShut) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(port, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    let isHolding = false;
    let lost: "lose-answer" | "crash" | undefined;
    client.on("close", () => {
      if (!isHolding) upstream.end();
    });
    upstream.on("close", () => client.destroy());
    let answered: Promise<unknown> = Promise.resolve();
    // The first response is the one to opening the session.
    let unanswered = 1;
    let onAnswered = () => {};
    const splitAnswers = messageSplitter({ opensSession: false });
    upstream.on("data", (bytes: Buffer) => {
      unanswered -= splitAnswers(bytes).filter(({ message }) => message.type === READY).length;
      if (unanswered === 0) onAnswered();
      if (isSilent || isHolding) return;
      if (lost !== undefined) {
        if (unanswered > 0) return;
        if (lost === "crash") client.end(refusal("server conn crashed?"));
        else client.destroy();
        return;
      }
      if (delayMs > 0) answered = answered.then(() => wait(delayMs));
      answered = answered.then(() => client.write(bytes));
    });
    const split = messageSplitter({ opensSession: true });
    client.on("data", (chunk: Buffer) => {
      if (isSilent) return;
      for (const { message, bytes } of split(chunk)) {
        const fate = isHolding ? "hold" : fateOf(message);
        if (fate === "cut") {
          client.destroy();
          return;
        }
        if (fate === "hold") {
          isHolding = true;
          heldMessages.push({ upstream, bytes });
          // In a transaction the plain query is the commit, its last message. Everything sent before it has been
          // executed when the client sees the connection end.
          if (message.type === "Q") {
            onAnswered = () => client.destroy();
            if (unanswered === 0) onAnswered();
          }
          continue;
        }
        if (ANSWERED_WITH_READY.has(message.type)) unanswered += 1;
        if (fate === "lose-answer" || fate === "crash") lost = fate;
        upstream.write(bytes);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  afterFile(() => {
    endAll();
    server.close();
  });
  const address = server.address();
  const ownPort = typeof address === "object" && address !== null ? address.port : 0;
  return {
    through(url) {
      const changed = new URL(url);
      changed.port = String(ownPort);
      return changed.href;
    },
    decide(fate) {
      fateOf = fate;
    },
    delayAnswers(ms) {
      delayMs = ms;
    },
    shut() {
      isShut = true;
      endAll();
    },
    fallSilent() {
      isSilent = true;
    },
    open() {
      isShut = false;
      isSilent = false;
      delayMs = 0;
      fateOf = () => "pass";
    },
    async release() {
      for (const { upstream, bytes } of heldMessages.splice(0)) {
        upstream.write(bytes);
        if (bytes.toString("latin1", 0, 1) !== "Q") continue;
        await new Promise((resolve) => upstream.once("data", resolve));
        upstream.end();
      }
    },
  };
}

/** Splits one side's bytes into messages. The startup message has no type. */
export function messageSplitter({
  opensSession,
}: {
  opensSession: boolean;
}): (chunk: Buffer) => { message: Message; bytes: Buffer }[] {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = opensSession;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const found: { message: Message; bytes: Buffer }[] = [];
    for (;;) {
      const typeBytes = isFirst ? 0 : 1;
      if (rest.length < typeBytes + HEADER_BYTES) return found;
      const length = typeBytes + rest.readInt32BE(typeBytes);
      if (rest.length < length) return found;
      const bytes = rest.subarray(0, length);
      rest = rest.subarray(length);
      const type = isFirst ? "" : bytes.toString("latin1", 0, 1);
      const text = textOf(type, bytes.subarray(typeBytes + HEADER_BYTES));
      found.push({ message: { type, text }, bytes });
      isFirst = false;
    }
  };
}

function textOf(type: string, content: Buffer): string {
  // A bind begins with the names of portal and statement, a parse with the name and text of the statement, each
  // zero-terminated.
  if (type === "B" || type === "P") return content.toString("utf8").split("\0", 2)[1] ?? "";
  return type === "Q" ? content.toString("utf8", 0, content.length - 1) : "";
}

/** A protocol error that ends the connection. */
export function refusal(text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
