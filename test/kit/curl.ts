/**
 * For tests: the subset of curl that the documents' examples use. `curls.ts` puts it into a PATH. Other uses are
 * refused.
 */
import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";

/** curl's own exit codes. */
const EXIT = { usage: 2, connect: 7, httpError: 22, range: 33 };
/** The statuses that `--retry` retries (the curl manual). */
const TRANSIENT = [408, 429, 500, 502, 503, 504];

class CurlError extends Error {
  readonly exitCode: number;
  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

// Strict: an unknown option is an error.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "continue-at": { type: "string", short: "C" },
    data: { type: "string", short: "d", multiple: true, default: [] },
    "data-binary": { type: "string", multiple: true, default: [] },
    "dump-header": { type: "string", short: "D" },
    fail: { type: "boolean", short: "f", default: false },
    "fail-with-body": { type: "boolean", default: false },
    header: { type: "string", short: "H", multiple: true, default: [] },
    output: { type: "string", short: "o", default: "-" },
    range: { type: "string", short: "r" },
    request: { type: "string", short: "X" },
    retry: { type: "string", default: "0" },
    "retry-connrefused": { type: "boolean", default: false },
    "retry-max-time": { type: "string", default: "600" },
    "show-error": { type: "boolean", short: "S", default: false },
    silent: { type: "boolean", short: "s", default: false },
  },
});

function refuse(message: string): never {
  throw new CurlError(EXIT.usage, message);
}

function urlOf(): URL {
  const [url = "", ...more] = positionals;
  if (more.length > 0) refuse(`one URL is expected, not also ${more.join(" ")}`);
  if (/[{}[\]\s]/.test(url))
    refuse(`${url} has a brace, a bracket or a space, which curl expands or refuses`);
  if (!url.startsWith("http://")) refuse(`${url} does not start with http://`);
  return new URL(url);
}

/** `--data` drops line ends from a file, `--data-binary` does not. */
function bodyOf(): Buffer | undefined {
  const read = (word: string, isBinary: boolean): Buffer => {
    if (!word.startsWith("@")) return Buffer.from(word);
    const file = readFileSync(word.slice(1));
    return isBinary ? file : Buffer.from(file.filter((byte) => byte !== 10 && byte !== 13));
  };
  const [only, ...more] = [
    ...values.data.map((word) => read(word, false)),
    ...values["data-binary"].map((word) => read(word, true)),
  ];
  if (more.length > 0) refuse("one --data or --data-binary is expected");
  return only;
}

/** The size of the existing output. */
function resumeAt(): number | undefined {
  if (values["continue-at"] === undefined) return undefined;
  if (values["continue-at"] !== "-" || values.output === "-") refuse("-C is expected as -C - with -o FILE");
  return existsSync(values.output) ? statSync(values.output).size : 0;
}

function headersOf(body: Buffer | undefined, from: number | undefined): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { accept: "*/*", "user-agent": "curl" };
  if (body !== undefined) {
    headers["content-type"] = "application/x-www-form-urlencoded";
    headers["content-length"] = body.length;
  }
  if (from !== undefined) headers["range"] = `bytes=${from}-`;
  if (values.range !== undefined) headers["range"] = `bytes=${values.range}`;
  for (const line of values.header) {
    const [, name, value] = /^([^:\s]+): *(.+)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) refuse(`${line} is not a header with a value`);
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

function send(url: URL, headers: OutgoingHttpHeaders, body: Buffer | undefined): Promise<IncomingMessage> {
  const method = values.request ?? (body === undefined ? "GET" : "POST");
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, resolve);
    sent.once("error", (error) => reject(new CurlError(EXIT.connect, `no response from ${url}: ${error}`)));
    sent.end(body);
  });
}

/** Sends until the response needs no retry, or the attempts or the time are used up. */
async function sendWithRetries(...sent: Parameters<typeof send>): Promise<IncomingMessage> {
  const endsMs = performance.now() + Number(values["retry-max-time"]) * 1_000;
  for (let retries = 0; ; retries++) {
    const response = await send(...sent).catch((error: unknown) => {
      if (!values["retry-connrefused"] || retries >= Number(values.retry)) throw error;
    });
    const waitMs = Number(response?.headers["retry-after"] ?? 2 ** retries) * 1_000;
    const isLast = retries >= Number(values.retry) || performance.now() + waitMs > endsMs;
    if (response && (isLast || !TRANSIENT.includes(response.statusCode ?? 0))) return response;
    response?.resume();
    await pause(waitMs);
  }
}

function write(path: string, content: string | Buffer, flags = "w"): void {
  const file = path === "-" ? 1 : openSync(path, flags);
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  if (file !== 1) closeSync(file);
}

function headOf({ httpVersion, statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = [`HTTP/${httpVersion} ${statusCode} ${statusMessage}`];
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}

async function run(): Promise<void> {
  const [url, body, from] = [urlOf(), bodyOf(), resumeAt()];
  const response = await sendWithRetries(url, headersOf(body, from), body);
  const { statusCode = 0 } = response;
  if (from !== undefined && from > 0 && statusCode !== 206) {
    response.destroy();
    throw new CurlError(
      EXIT.range,
      `the server does not continue the download: the response is ${statusCode}`,
    );
  }
  const isFailed = statusCode >= 400 && (values.fail || values["fail-with-body"]);
  if (values["dump-header"] !== undefined) write(values["dump-header"], headOf(response));
  const content = Buffer.concat(await response.toArray());
  if (!isFailed || !values.fail) write(values.output, content, from === undefined ? "w" : "a");
  if (isFailed) throw new CurlError(EXIT.httpError, `the response is ${statusCode}`);
}

try {
  await run();
} catch (error) {
  if (!values.silent || values["show-error"]) console.error(`curl: ${error}`);
  process.exitCode = error instanceof CurlError ? error.exitCode : 1;
}
