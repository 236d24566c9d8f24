import { request } from "node:http";
import { servingPort } from "./server.ts";

/** A proxy that interrupts downloads of results. */
export interface CuttingProxy {
  readonly address: string;
  /** The `Range` of each request so far. */
  readonly ranges: readonly (string | undefined)[];
  /** Cuts each of the next downloads after the given number of bytes; later ones are complete. Clears `ranges`. */
  cut(...bytes: readonly number[]): void;
}

/** Forwards calls to a service on this machine. */
export async function startCuttingProxy(service: string): Promise<CuttingProxy> {
  const { port } = new URL(service);
  const ranges: (string | undefined)[] = [];
  let cuts: number[] = [];
  const ownPort = await servingPort((incoming, outgoing) => {
    const { method, url = "", headers: sent } = incoming;
    ranges.push(sent.range);
    // Closing each connection lets the service stop in time.
    const headers = { ...sent, connection: "close" };
    const onward = request({ port, host: "127.0.0.1", method, path: url, headers }, (answer) => {
      const cut = url.includes("/results") ? cuts.shift() : undefined;
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      if (cut === undefined) {
        answer.pipe(outgoing);
        return;
      }
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.once("end", () => {
        outgoing.write(Buffer.concat(parts).subarray(0, cut), () => outgoing.socket?.destroySoon());
      });
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  return {
    address: `http://127.0.0.1:${ownPort}`,
    ranges,
    cut(...bytes) {
      cuts = [...bytes];
      ranges.length = 0;
    },
  };
}
