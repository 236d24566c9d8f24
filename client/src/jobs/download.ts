/** Downloads the results of a list as bytes, over connections that may break. */
import type { ResultsQuery } from "../api/calls.ts";
import type { Deadline } from "../deadline.ts";
import { ConnectionError, RangeNotSatisfiableError, TimeoutError, UnexpectedAnswerError } from "../errors.ts";
import { pause, WINDOW_MS } from "../pacing.ts";
import { waitBeforeRetryMs } from "../retrying.ts";
import { arrived, bodyOf, type CallOptions, segment, type Transport } from "../transport.ts";

/** Some of the results, in their order. */
export interface ResultsPart {
  readonly bytes: Uint8Array;
  /** Where they begin. It is 0 again where the results are others by now: then what came before is void. */
  readonly at: number;
  /** The total number of bytes, if known. */
  readonly total: number | undefined;
  /** Names these very results; undefined where a part of them cannot be asked for. */
  readonly etag: string | undefined;
}

/** The position in a partial download. */
interface Held {
  readonly at: number;
  readonly etag: string;
}

/** Options of `download()`. The time limit applies to each connection and each wait, not to the whole download. */
export interface DownloadOptions extends Omit<CallOptions, "idempotencyKey">, ResultsQuery {
  /** Resumes an earlier download: `at` bytes of the results named by `etag`. */
  readonly from?: Held | undefined;
}

/** The next minute of the rate, and what is waited beyond it by chance. */
const MAX_PAUSE_MS = 2 * WINDOW_MS;

/** A JSON response instead of results. */
const ERROR = { field: "error" };

const TYPE = /^(application\/x-ndjson|text\/csv)\b/;

/** The results from `from` on; what breaks off goes on where it was. */
export async function* downloaded(
  transport: Transport,
  id: string,
  { format = "jsonl", from, ...call }: DownloadOptions,
): AsyncGenerator<ResultsPart, void, undefined> {
  const path = `/v1/jobs/${segment(id)}/results`;
  let held = from;
  let reached = from?.at ?? 0;
  for (let failures = 0; ; ) {
    const headers = held && { range: `bytes=${held.at}-`, "if-range": held.etag };
    const asked = { operation: "jobs", ...ERROR, path, query: { format }, headers };
    try {
      const response = await timed(transport, call, (deadline) => transport.send(asked, call, deadline));
      transport.tell(asked, call, response, failures + 1);
      for await (const part of partsOf(response, held?.at ?? 0, (work) => timed(transport, call, work))) {
        const at = part.at + part.bytes.length;
        held = part.etag === undefined ? undefined : { at, etag: part.etag };
        // What begins anew each time, and never comes further, would be tried for ever.
        if (at > reached) [failures, reached] = [0, at];
        yield part;
      }
      return;
    } catch (error) {
      // What is there already was all there is.
      if (error instanceof RangeNotSatisfiableError && held !== undefined) return;
      failures += 1;
      const waitMs = error instanceof TimeoutError ? 0 : waitBeforeRetryMs(error, failures);
      const maxMs = Math.max(MAX_PAUSE_MS, transport.timeoutOf(call));
      if (waitMs === undefined || waitMs > maxMs || failures > transport.retriesOf(call)) throw error;
      await pause(waitMs, call.signal);
    }
  }
}

type Timed = <T>(work: (deadline: Deadline) => Promise<T>) => Promise<T>;

/** Each wait has the time of a call; what its caller does between two parts is none of it. */
async function timed<T>(
  transport: Transport,
  call: CallOptions,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const deadline = transport.deadlineOf(call);
  try {
    return await work(deadline);
  } finally {
    deadline.close();
  }
}

/** Yields the bytes of one response. @throws {OpzoekError} when it is not a success, or breaks off */
async function* partsOf(response: Response, asked: number, within: Timed): AsyncGenerator<ResultsPart> {
  const { headers, ok, status, body } = response;
  if (!ok || !TYPE.test(headers.get("content-type") ?? "")) {
    bodyOf(response, await within((deadline) => arrived(() => response.text(), deadline)), ERROR);
    throw new UnexpectedAnswerError({ status });
  }
  const { etag, total, ...begins } = extentOf(headers, status === 206 ? asked : 0);
  let { at } = begins;
  const reader = body?.getReader();
  try {
    // What is packed on its way has other bytes than were asked for: it comes whole or anew.
    if (at !== asked && at !== 0) throw new UnexpectedAnswerError({ status });
    while (reader !== undefined) {
      const { value } = await within((deadline) => arrived(() => reader.read(), deadline));
      if (value === undefined) break;
      yield { bytes: value, at, total, etag };
      at += value.length;
    }
    // Report an empty part too when it replaces something.
    if (at === 0 && asked > 0) yield { bytes: new Uint8Array(), at, total, etag };
  } finally {
    // Close a connection that is no longer needed.
    reader?.cancel().catch(() => {});
  }
  if (total !== undefined && at < total) throw new ConnectionError(new Error("the results ended early"));
}

/** Where the bytes of an answer belong: what was asked for, where a page of another origin may not see `Content-Range`. */
function extentOf(headers: Headers, asked: number): Pick<ResultsPart, "at" | "total" | "etag"> {
  const given = headers.get("etag");
  // A weak one stands for what means the same, whatever its bytes.
  const etag = given?.startsWith('"') && !headers.has("content-encoding") ? given : undefined;
  const [, first, all] = /^bytes ([0-9]+)-[0-9]+\/([0-9]+)$/.exec(headers.get("content-range") ?? "") ?? [];
  const at = first === undefined ? asked : Number(first);
  const length = headers.get("content-length");
  const total = all ?? (length === null ? undefined : at + Number(length));
  return { at, etag, total: etag === undefined || total === undefined ? undefined : Number(total) };
}
