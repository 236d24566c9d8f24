import { request } from "node:http";
import type { Call } from "../client/job.ts";

/** What the bare server is to send: the bytes of one of our answers. */
export interface BareAnswer {
  readonly status: number;
  /** Names and values in turn, as they stood in our answer, without those that `node:http` adds by itself. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** Added by `node:http` to the answers of both servers alike. */
const ADDED_BY_NODE = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

/** An answer of ours with what it was charged. */
export interface Copied {
  readonly answer: BareAnswer;
  readonly tokensCharged: number;
}

/**
 * Asks our server each of `calls` and gives the answer of the middle length among those with status `expected`,
 * with all that was charged for asking.
 * @throws {Error} when no answer has that status
 */
export async function copyAnswer(port: number, calls: readonly Call[], expected: number): Promise<Copied> {
  const copied: Copied[] = [];
  for (const call of calls) copied.push(await ask(port, call));
  const fitting = copied
    .filter(({ answer }) => answer.status === expected)
    .sort((one, other) => one.answer.body.length - other.answer.body.length);
  const middle = fitting[Math.floor(fitting.length / 2)];
  if (middle === undefined) {
    const got = copied.map(({ answer }) => `${answer.status} ${answer.body}`).at(-1);
    throw new Error(`expected status ${expected}, the last answer was: ${got?.slice(0, 300)}`);
  }
  const tokensCharged = copied.reduce((sum, one) => sum + one.tokensCharged, 0);
  return { answer: middle.answer, tokensCharged };
}

function ask(port: number, { method, path, headers, body }: Call): Promise<Copied> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: "127.0.0.1", method, path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("error", reject);
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        const text = Buffer.concat(parts).toString("utf8");
        resolve({
          answer: {
            status: response.statusCode ?? 0,
            rawHeaders: ownHeaders(response.rawHeaders),
            body: text,
          },
          tokensCharged: Number(response.headers["x-tokens-charged"] ?? 0),
        });
      });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

function ownHeaders(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, index) => {
    const name = rawHeaders[index - (index % 2)];
    return name !== undefined && !ADDED_BY_NODE.has(name.toLowerCase());
  });
}
