import { once } from "node:events";
import { connect } from "node:net";
import type { ClientBase, Pool, PoolClient } from "pg";
import { endsConnection } from "./failures.ts";

const CANCEL_REQUEST = 80_877_102;
const CANCEL_WITHIN_MS = 1_000;

/**
 * Prevents sessions from piling up on a server that accepts commits but cannot confirm them, such as while its
 * synchronous standby is down: the server does not notice that a client has stopped waiting. Such a session is
 * cancelled, and counts as a connection of the pool until then. An unreachable server gets no new sessions either, so
 * one attempt is enough.
 */
export function limitAbandoned(pool: Pool): void {
  pool.on("release", (error, client) => {
    // `pool.query` releases a connection just before it is ended.
    const isLost = client.connection.stream.destroyed || (error instanceof Error && endsConnection(error));
    if (!isLost || pool.ending) return;
    pool.options.max--;
    requestCancel(client)
      .catch(() => {})
      .finally(() => pool.options.max++);
  });
}

/** Sends the protocol's CancelRequest, which needs no session. In plain text: its key is useless afterwards. */
async function requestCancel(client: PoolClient): Promise<void> {
  const { host, port } = client;
  const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.unref();
  const signal = AbortSignal.timeout(CANCEL_WITHIN_MS);
  try {
    await once(socket, "connect", { signal });
    const request = Buffer.alloc(16);
    request.writeInt32BE(request.length);
    request.writeInt32BE(CANCEL_REQUEST, 4);
    request.writeInt32BE(numberOf(client, "processID"), 8);
    request.writeInt32BE(numberOf(client, "secretKey"), 12);
    socket.end(request);
    // The server closes the connection when it has forwarded the request.
    await once(socket.resume(), "close", { signal });
  } finally {
    socket.destroy();
  }
}

function numberOf(client: ClientBase, name: "processID" | "secretKey"): number {
  return Number(Reflect.get(client, name));
}
