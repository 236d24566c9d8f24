import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface ListenOptions {
  /** A loopback address: whoever reaches a simulator can set its faults. 127.0.0.1 unless given. */
  readonly host?: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
}

export interface Listening {
  /** `http://127.0.0.1:8080` */
  readonly origin: string;
  readonly port: number;
  /** Closes at once, with every connection, hanging ones too. The port is then free. */
  stop(): Promise<void>;
}

/** @throws when the address cannot be listened on */
export async function startListening(
  listener: (...call: Parameters<RequestListener>) => Promise<void>,
  { host = "127.0.0.1", port: wanted = 0 }: ListenOptions,
): Promise<Listening> {
  const server = createServer((request, response) => {
    listener(request, response).catch(() => response.destroy());
  });
  // A connection that the server closes while the next request is on its way would look like a fault that nobody set.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(wanted, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const { address, family, port } = server.address() as AddressInfo;
  return {
    origin: `http://${family === "IPv6" ? `[${address}]` : address}:${port}`,
    port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
