/** A response, from any kind of client. */
import type { FastifyInstance, InjectOptions } from "fastify";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

export interface TestRequest {
  readonly method?: string;
  /** Path and query, sent unchanged. */
  readonly path: string;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent unchanged, other values as JSON with its content type. */
  readonly body?: unknown;
}

/** The headers and body of a request, for any kind of client. */
export function encodeRequest({ key, headers = {}, body }: TestRequest): {
  headers: Record<string, string>;
  body: string | undefined;
} {
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  return {
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: text,
  };
}

/** Sends a request to the app in this process. */
export async function inject(app: FastifyInstance, request: TestRequest): Promise<Answer> {
  const { headers, body } = encodeRequest(request);
  // The app registers methods that the type of `inject` lacks.
  const method = (request.method ?? "GET") as NonNullable<InjectOptions["method"]>;
  const response = await app.inject({
    method,
    url: request.path,
    headers,
    ...(body === undefined ? {} : { payload: body }),
  });
  const seen: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    seen[name] = value === undefined ? undefined : String(value);
  }
  return { status: response.statusCode, headers: seen, text: response.body };
}

export function jsonOf(answer: Answer): unknown {
  return JSON.parse(answer.text);
}

/** A numeric header. */
export function numberIn(answer: Answer, header: string): number {
  const text = answer.headers[header];
  if (text === undefined || !/^[0-9]+$/.test(text)) throw new Error(`${header} is ${text ?? "absent"}`);
  return Number(text);
}

export function codeOf(answer: Answer): string | undefined {
  return errorOf(answer)?.code;
}

export function messageOf(answer: Answer): string {
  return errorOf(answer)?.message ?? "";
}

function errorOf(answer: Answer): { code: string; message: string } | undefined {
  const body = jsonOf(answer);
  if (typeof body !== "object" || body === null || !("error" in body)) return undefined;
  const { error } = body;
  if (typeof error !== "object" || error === null || !("code" in error && "message" in error))
    return undefined;
  return { code: String(error.code), message: String(error.message) };
}
