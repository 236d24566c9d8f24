import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Stands between the nodes and their database: shut, it refuses and cuts; silent, it lets no byte through and ends nothing. */
export interface Gate {
  /** The address of the database by way of the gate. */
  readonly url: string;
  shut(): void;
  fallSilent(): void;
  open(): void;
  stop(): Promise<void>;
}

export async function openGate(databaseUrl: string): Promise<Gate> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isShut = false;
  let isSilent = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // Whichever end is lost, the other is ended by its own event.
    socket.on("error", () => {});
  };
  const server = createServer({ pauseOnConnect: true }, (client) => {
    keep(client);
    if (isShut) return void client.destroy();
    const onward = connect(Number(target.port), target.hostname);
    keep(onward);
    client.on("close", () => onward.destroy());
    onward.on("close", () => client.destroy());
    for (const [from, to] of [
      [client, onward],
      [onward, client],
    ] as const) {
      from.on("data", (bytes) => {
        // What is lost on the way was sent all the same: who waits for an answer waits in vain.
        if (!isSilent) to.write(bytes);
      });
    }
    client.resume();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    shut() {
      isShut = true;
      cutAll();
    },
    fallSilent() {
      isSilent = true;
    },
    open() {
      isShut = false;
      if (isSilent) cutAll();
      isSilent = false;
    },
    async stop() {
      server.close();
      cutAll();
      await once(server, "close");
    },
  };
}
