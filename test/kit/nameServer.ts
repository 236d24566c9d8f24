/** A DNS server on UDP (RFC 1035) with scripted answers. */
import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { isIPv4 } from "node:net";
import { afterFile } from "./afterFile.ts";

/** Addresses; `nobody`: the name does not exist (NXDOMAIN); `silence`: no response. */
export type NameAnswer = readonly string[] | "nobody" | "silence";

export interface NameServer {
  /** The address for `Resolver.setServers`. */
  readonly address: string;
  /** The queried names so far, once for each query. */
  readonly asked: readonly string[];
}

const TYPES = { A: 1, AAAA: 28 } as const;
const HEADER_BYTES = 12;
const NXDOMAIN = 3;

/**
 * Starts one on a free port of 127.0.0.1; stopped after the file's tests. `answers` is called with each name in
 * lowercase.
 */
export async function startNameServer(answers: (name: string) => NameAnswer): Promise<NameServer> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (question: Buffer, from: RemoteInfo) => {
    const { name, type, end } = questionIn(question);
    asked.push(name);
    const answer = answers(name);
    if (answer === "silence") return;
    const found = answer === "nobody" ? [] : answer;
    const records = found
      .filter((address) => type === (isIPv4(address) ? TYPES.A : TYPES.AAAA))
      .map((address) => recordOf(address));
    const header = Buffer.alloc(HEADER_BYTES);
    question.copy(header, 0, 0, 2);
    // A response, recursion desired and available.
    header.writeUInt16BE(0x8180 | (answer === "nobody" ? NXDOMAIN : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    const response = Buffer.concat([header, question.subarray(HEADER_BYTES, end), ...records]);
    socket.send(response, from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  afterFile(() => void socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

function questionIn(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** An A or AAAA record of the queried name, with a TTL of zero. */
function recordOf(address: string): Buffer {
  const data = isIPv4(address) ? Buffer.from(address.split(".").map(Number)) : ipv6Bytes(address);
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(isIPv4(address) ? TYPES.A : TYPES.AAAA, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([record, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [head = "", tail = ""] = address.split("::", 2);
  const [front, back] = [head, tail].map((part) => part.split(":").filter((group) => group !== ""));
  const groups = [
    ...(front ?? []),
    ...Array<string>(8 - (front?.length ?? 0) - (back?.length ?? 0)).fill("0"),
    ...(back ?? []),
  ];
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}
