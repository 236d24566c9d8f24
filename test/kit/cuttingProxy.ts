import { request } from "node:http";
import { servingPort } from "./server.ts";

/** A proxy that breaks off the results of lists on their way. */
export interface CuttingProxy {
  readonly address: string;
  /** What was asked of it: the `Range` of each. */
  readonly ranges: readonly (string | undefined)[];
  /** The next results end after so many bytes each, in their order; those that follow come whole. Forgets what was asked. */
  cut(...bytes: readonly number[]): void;
}

/** Hands calls on to a service of this machine. */
export async function startCuttingProxy(service: string): Promise<CuttingProxy> {
  const { port } = new URL(service);
  const ranges: (string | undefined)[] = [];
  let cuts: number[] = [];
  const ownPort = await servingPort((incoming, outgoing) => {
    const { method, url = "", headers: sent } = incoming;
    ranges.push(sent.range);
    // The service closes with its last connection.
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
