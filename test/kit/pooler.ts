import { connect, createServer, type Socket } from "node:net";
import { afterFile } from "./afterFile.ts";
import { messageSplitter, refusal } from "./databaseProxy.ts";

/**
 * PgBouncer's pool modes: a session belongs to one client until that disconnects, or to the client of the current
 * transaction.
 */
export type PoolMode = "session" | "transaction";

/**
 * Behaves like PgBouncer as far as clients can see: the startup parameters that it accepts, and the session that a
 * client gets.
 */
export interface Pooler {
  /** The address of a database through the pooler. */
  through(url: string): string;
  /** Applies from the next transaction, as after a reload of its settings. */
  setMode(mode: PoolMode): void;
}

/**
 * The startup parameters that PgBouncer accepts (pgbouncer.org/config.html, ignore_startup_parameters); it refuses all
 * others.
 */
const KNOWN_PARAMETERS = new Set([
  "user",
  "database",
  "application_name",
  "client_encoding",
  "datestyle",
  "timezone",
  "standard_conforming_strings",
]);
const ANSWERED_WITH_READY = new Set(["Q", "S"]);
const IDLE = "I";

/** A session on the server, and its current client. */
interface Session {
  readonly socket: Socket;
  client: Socket | undefined;
  unanswered: number;
}

export async function startPooler(port: number, startMode: PoolMode): Promise<Pooler> {
  let mode = startMode;
  const sockets = new Set<Socket>();
  /** The session that was returned last is reused first. */
  const free: Session[] = [];
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  };

  function openSession(client: Socket): Session {
    const session: Session = { socket: connect(port, "127.0.0.1"), client, unanswered: 1 };
    keep(session.socket);
    const split = messageSplitter({ opensSession: false });
    session.socket.on("close", () => session.client?.destroy());
    session.socket.on("data", (chunk: Buffer) => {
      for (const { message, bytes } of split(chunk)) {
        // The client's cancellation number is the pooler's own.
        if (message.type === "K") bytes.writeInt32BE(1 + Math.floor(Math.random() * 1_000), 5);
        session.client?.write(bytes);
        if (message.type !== "Z") continue;
        session.unanswered -= 1;
        const isIdle = bytes.toString("latin1", 5, 6) === IDLE;
        if (mode === "session" || !isIdle || session.unanswered > 0) continue;
        session.client = undefined;
        free.push(session);
      }
    });
    return session;
  }

  const server = createServer((client) => {
    keep(client);
    let session: Session | undefined;
    let isOpen = false;
    const split = messageSplitter({ opensSession: true });
    client.on("close", () => session?.client === client && session.socket.destroy());
    client.on("data", (chunk: Buffer) => {
      for (const { message, bytes } of split(chunk)) {
        if (!isOpen) {
          const refused = parametersOf(bytes).find((name) => !KNOWN_PARAMETERS.has(name.toLowerCase()));
          if (refused !== undefined) {
            client.end(refusal(`unsupported startup parameter: ${refused}`));
            return;
          }
          isOpen = true;
          session = openSession(client);
          session.socket.write(bytes);
          continue;
        }
        if (session?.client !== client) {
          session = free.pop() ?? session;
          if (session === undefined) return;
          session.client = client;
        }
        if (ANSWERED_WITH_READY.has(message.type)) session.unanswered += 1;
        session.socket.write(bytes);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterFile(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return {
    through(url) {
      const changed = new URL(url);
      changed.port = String(typeof address === "object" && address !== null ? address.port : 0);
      return changed.href;
    },
    setMode(next) {
      mode = next;
    },
  };
}

/** The names of the startup parameters: after length and version, pairs of zero-terminated texts. */
function parametersOf(opening: Buffer): string[] {
  const texts = opening.toString("utf8", 8).split("\0");
  return texts.filter((text, index) => index % 2 === 0 && text !== "");
}
