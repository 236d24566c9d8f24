import { connect, type Socket } from "node:net";
import { BAKERY } from "./companies.ts";
import { until } from "./until.ts";

/** A batch whose last byte has not been sent. */
export async function startedBatch(
  { port }: { readonly port: number },
  key: string,
): Promise<{ socket: Socket; received: () => string }> {
  const body = JSON.stringify({ kvkNumbers: [BAKERY] });
  const socket = connect({ port, host: "127.0.0.1" });
  let received = "";
  socket.on("data", (part) => {
    received += String(part);
  });
  const headers = [
    "POST /v1/lookup/batch HTTP/1.1",
    "host: x",
    `authorization: Bearer ${key}`,
    "content-type: application/json",
    `content-length: ${body.length}`,
    "expect: 100-continue",
  ];
  socket.write(`${headers.join("\r\n")}\r\n\r\n`);
  // The service has read the headers and waits for the body.
  await until("the service waits for the body", () => received.includes("100 Continue"));
  received = "";
  socket.write(body.slice(0, -1));
  return { socket, received: () => received };
}
