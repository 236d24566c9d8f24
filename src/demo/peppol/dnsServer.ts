import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { addAbortSignal } from "node:stream";
import { decode } from "dns-packet";
import type { DnsQuery } from "./dns.ts";

/** The bytes of a response, or undefined for none. */
type Answering = (query: DnsQuery) => Promise<Buffer | undefined>;

const HOST = "127.0.0.1";
const ignore = () => undefined;

/**
 * Starts a DNS server on a UDP and a TCP port of 127.0.0.1 with the same number, until the signal.
 * @returns its address, and when everything is closed
 */
export async function startDnsServer(answer: Answering, signal: AbortSignal) {
  const { udp, tcp } = await bind(signal);
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
    // Each follows its length in two bytes. They are so short that each comes in one piece.
    addAbortSignal(signal, connection.on("error", ignore)).on("data", (part: Buffer) => {
      for (let rest = part, end = 0; rest.length > 2; rest = rest.subarray(end)) {
        end = 2 + rest.readUInt16BE();
        respond(rest.subarray(2, end), "tcp", send).catch(ignore);
      }
    });
  });
  const closed = Promise.all([udp, tcp].map((server) => new Promise((done) => server.once("close", done))));
  return { address: `${HOST}:${udp.address().port}`, closed };
}

/** A port that is free for UDP may be taken for TCP; then another one is tried. */
async function bind(signal: AbortSignal, triesLeft = 20) {
  const udp = createSocket({ type: "udp4", signal });
  const tcp = createServer();
  try {
    await once(udp.bind(0, HOST), "listening");
    await once(tcp.listen({ port: udp.address().port, host: HOST, signal }), "listening");
    return { udp, tcp };
  } catch (error) {
    udp.close();
    if (triesLeft === 0) throw error;
    return bind(signal, triesLeft - 1);
  }
}
