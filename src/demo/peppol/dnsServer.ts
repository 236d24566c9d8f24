import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { addAbortSignal } from "node:stream";
import { decode } from "dns-packet";
import type { DnsQuery } from "./dns.ts";

/** The bytes of a response, or undefined for none. */
type Answering = (query: DnsQuery) => Promise<Buffer | undefined>;

const HOST = "127.0.0.1";
const LENGTH_BYTES = 2;
const ignore = () => undefined;

/**
 * Starts a DNS server on a UDP and a TCP port of 127.0.0.1 with the same number, until the signal.
 * @param port 0 takes a free one
 * @returns its address, and when everything is closed
 * @throws when it cannot listen on the port
 */
export async function startDnsServer(port: number, answer: Answering, signal: AbortSignal) {
  const { udp, tcp } = await bind(port, signal);
  const respond = async (bytes: Buffer, transport: "udp" | "tcp", send: (response: Buffer) => void) => {
    const { type, id = 0, questions: [question] = [] } = decode(bytes);
    const response = type === "query" && question && (await answer({ ...question, id, transport }));
    if (response && !signal.aborted) send(response);
  };
  // Questions that cannot be read, and callers that are gone, get no response.
  udp.on("error", ignore).on("message", (bytes, { port: to, address }) => {
    respond(bytes, "udp", (response) => udp.send(response, to, address, ignore)).catch(ignore);
  });
  tcp.on("error", ignore).on("connection", (connection) => {
    const send = (response: Buffer) =>
      connection.write(Buffer.concat([Buffer.of(response.length >> 8, response.length & 255), response]));
    // Questions are so short that each comes in one piece.
    addAbortSignal(signal, connection.on("error", ignore)).on("data", (part: Buffer) => {
      for (let rest = part, end = 0; rest.length > LENGTH_BYTES; rest = rest.subarray(end)) {
        end = LENGTH_BYTES + rest.readUInt16BE();
        respond(rest.subarray(LENGTH_BYTES, end), "tcp", send).catch(ignore);
      }
    });
  });
  const closed = Promise.all([udp, tcp].map((server) => new Promise((done) => server.once("close", done))));
  return { address: `${HOST}:${udp.address().port}`, closed };
}

/** A port that is free for UDP may be taken for TCP; then another one is tried. */
async function bind(port: number, signal: AbortSignal, triesLeft = 20) {
  const udp = createSocket({ type: "udp4", signal });
  const tcp = createServer();
  try {
    await once(udp.bind(port, HOST), "listening");
    await once(tcp.listen({ port: udp.address().port, host: HOST, signal }), "listening");
    return { udp, tcp };
  } catch (error) {
    udp.close();
    if (port !== 0 || triesLeft === 0) throw error;
    return bind(port, signal, triesLeft - 1);
  }
}
