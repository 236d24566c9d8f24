import { Agent, type IncomingMessage, request } from "node:http";
import { type Answer, type Asked, prepared } from "./answer.ts";

/** The connection ended before the whole answer was there. */
export class Unanswered extends Error {}

/** Asks a running service over HTTP; pass an agent to share connections. */
export function ask(
  { port }: { readonly port: number },
  asked: Asked,
  agent: Agent | false = false,
): Promise<Answer> {
  const { headers, body } = prepared(asked);
  return new Promise((resolve, reject) => {
    const outgoing = request({
      port,
      host: "127.0.0.1",
      method: asked.method ?? "GET",
      path: asked.path,
      agent,
      headers: { ...headers, ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }) },
    });
    const fail = (error: Error) => reject(new Unanswered(error.message, { cause: error }));
    outgoing.on("error", fail);
    outgoing.on("response", (response) => {
      read(response).then((text) => {
        resolve({ status: response.statusCode ?? 0, headers: headersOf(response), text });
      }, fail);
    });
    outgoing.end(body);
  });
}

async function read(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function headersOf(response: IncomingMessage): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return headers;
}

export interface Load {
  readonly answers: readonly Answer[];
  /** Calls that were sent and got no whole answer. */
  readonly unanswered: readonly Asked[];
}

export interface LoadOptions {
  readonly connections: number;
  /** Told of every answer; what it returns false for is the last call of its connection. */
  readonly onAnswer?: (answer: Answer, count: number, asked: Asked) => boolean;
}

/** Sends calls over so many connections, one at a time on each; a connection that breaks ends its part. */
export async function load(
  service: { readonly port: number },
  calls: Iterable<Asked>,
  { connections, onAnswer = () => true }: LoadOptions,
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers: Answer[] = [];
  const unanswered: Asked[] = [];
  const source = calls[Symbol.iterator]();
  const drive = async () => {
    for (let next = source.next(); next.done !== true; next = source.next()) {
      try {
        const answer = await ask(service, next.value, agent);
        answers.push(answer);
        if (!onAnswer(answer, answers.length, next.value)) return;
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
        unanswered.push(next.value);
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, drive));
  agent.destroy();
  return { answers, unanswered };
}
