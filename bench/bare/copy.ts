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

interface Asked {
  readonly answer: BareAnswer;
  readonly tokensCharged: number;
}

/** One answer to give again, and what was seen while it was looked for. */
export interface Copied {
  readonly answer: BareAnswer;
  readonly statuses: Readonly<Record<string, number>>;
  readonly tokensCharged: number;
}

/**
 * Asks our server each of `calls` and gives the answer of the middle length among those with status `expected`,
 * with the statuses and charges of all.
 * @throws {Error} when no answer has that status
 */
export async function copyAnswer(port: number, calls: readonly Call[], expected: number): Promise<Copied> {
  const asked: Asked[] = [];
  for (const call of calls) asked.push(await ask(port, call));
  const fitting = asked
    .filter(({ answer }) => answer.status === expected)
    .sort((one, other) => one.answer.body.length - other.answer.body.length);
  const middle = fitting[Math.floor(fitting.length / 2)];
  if (middle === undefined) {
    const got = asked.map(({ answer }) => `${answer.status} ${answer.body}`).at(-1);
    throw new Error(`expected status ${expected}, the last answer was: ${got?.slice(0, 300)}`);
  }
  const statuses: Record<string, number> = {};
  for (const { answer } of asked) statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  const tokensCharged = asked.reduce((sum, one) => sum + one.tokensCharged, 0);
  return { answer: middle.answer, statuses, tokensCharged };
}

/** Makes each of `calls` once, and gives them with the tag of the answer that each got, beside what was seen meanwhile. */
export async function holdAnswers(
  port: number,
  calls: readonly Call[],
): Promise<Pick<Copied, "statuses" | "tokensCharged"> & { readonly calls: readonly Call[] }> {
  const statuses: Record<string, number> = {};
  let tokensCharged = 0;
  const holding: Call[] = [];
  for (const call of calls) {
    const { answer, tokensCharged: charged } = await ask(port, call);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    tokensCharged += charged;
    const tag = answer.rawHeaders[answer.rawHeaders.findIndex((name) => name.toLowerCase() === "etag") + 1];
    holding.push({ ...call, headers: { ...call.headers, "if-none-match": tag ?? "" } });
  }
  return { calls: holding, statuses, tokensCharged };
}

function ask(port: number, { method, path, headers, body }: Call): Promise<Asked> {
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
