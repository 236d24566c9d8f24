import { connect, createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { afterFile } from "./afterFile.ts";
import { LOCAL_CERTIFICATE, LOCAL_KEY } from "./certificates.ts";

const ENCRYPTED = "S";

/**
 * A TLS proxy in front of a database, which starts TLS as PostgreSQL does
 * (postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-SSL), under a private root.
 * @returns its port
 */
export async function startTlsFront(port: number): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    // A client first sends a request for TLS.
    client.once("data", () => {
      client.write(ENCRYPTED);
      const secure = new TLSSocket(client, { isServer: true, key: LOCAL_KEY, cert: LOCAL_CERTIFICATE });
      secure.on("error", () => client.destroy());
      secure.pipe(upstream).pipe(secure);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterFile(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
