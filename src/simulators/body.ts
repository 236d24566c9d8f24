import type { IncomingMessage } from "node:http";

const MOST_BYTES = 64 * 1024;

/** The body of a request as text; undefined when it is larger than anybody has reason to send, or breaks off. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      const bytes = Buffer.from(part);
      length += bytes.length;
      if (length > MOST_BYTES) return undefined;
      parts.push(bytes);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(parts).toString("utf8");
}
