import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { cannotListen, startListening } from "../../http/server.ts";

/** An address reserved for the processes of one service. */
export interface ReservedAddress {
  readonly port: number;
  release(): Promise<void>;
}

/**
 * Reserves an address for processes that share it; the system alone would let any service of the same user join. An
 * address in use is refused. A second service that starts at the same moment is refused by a socket in Linux's abstract
 * namespace, which disappears with the process.
 * @param port 0 for any free port
 * @throws {CannotListen} (the promise)
 */
export async function reserveAddress(host: string, port: number): Promise<ReservedAddress> {
  const server = createServer();
  const holder = createServer((socket) => socket.destroy());
  try {
    await startListening(server, { host, port, exclusive: true });
    const { address, port: taken } = server.address() as AddressInfo;
    if (process.platform === "linux") {
      await startListening(holder, { path: `\0opzoek ${address} ${taken}`, exclusive: true });
      holder.unref();
    }
    return { port: taken, release: async () => void holder.close() };
  } catch (error) {
    throw cannotListen(error, host, port);
  } finally {
    server.close();
    await once(server, "close").catch(() => {});
  }
}
