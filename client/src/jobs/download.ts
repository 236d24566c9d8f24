/** Downloads the results of a list as bytes, over connections that may break. */
import type { ResultsQuery } from "../api/calls.ts";
import type { Deadline } from "../deadline.ts";
import { ConnectionError, RangeNotSatisfiableError, TimeoutError, UnexpectedAnswerError } from "../errors.ts";
import { pause, WINDOW_MS } from "../pacing.ts";
import { waitBeforeRetryMs } from "../retrying.ts";
import { awaitResponse, bodyOf, type CallOptions, segment, type Transport } from "../transport.ts";

/** A part of the results. */
export interface ResultsPart {
  readonly bytes: Uint8Array;
  /** The position of the first byte. It is 0 again if the results have changed: then discard the earlier parts. */
  readonly at: number;
  /** The total number of bytes, if known. */
  readonly total: number | undefined;
  /** Identifies these results; undefined if the download cannot be resumed. */
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

/** The next minute of the rate, and a random extra wait. */
const MAX_PAUSE_MS = 2 * WINDOW_MS;

/** A JSON response instead of results. */
const ERROR = { field: "error" };

const TYPE = /^(application\/x-ndjson|text\/csv)\b/;

/** Downloads the results from `from` on. Resumes after a broken connection. */
export async function* downloadResults(
  transport: Transport,
  id: string,
  { format = "jsonl", from, ...call }: DownloadOptions,
): AsyncGenerator<ResultsPart, void, undefined> {
  const path = `/v1/jobs/${segment(id)}/results`;
  let held = from;
  let reached = from?.at ?? 0;
  for (let failures = 0; ; ) {
    const headers = held && { range: `bytes=${held.at}-`, "if-range": held.etag };
    const request = { operation: "jobs", ...ERROR, path, query: { format }, headers };
    try {
      const response = await timed(transport, call, (deadline) => transport.send(request, call, deadline));
      transport.report(request, call, response, failures + 1);
      for await (const part of partsOf(response, held?.at ?? 0, (work) => timed(transport, call, work))) {
        const at = part.at + part.bytes.length;
        held = part.etag === undefined ? undefined : { at, etag: part.etag };
        // Only progress resets the failures: a download that restarts each time would never end.
        if (at > reached) [failures, reached] = [0, at];
        yield part;
      }
      return;
    } catch (error) {
      // The download was complete already.
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

/** Each wait has the time limit of a call. The caller's work between two parts does not count. */
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

/** Yields the bytes of one response. @throws {OpzoekError} if it is an error or the connection breaks */
async function* partsOf(response: Response, requestedAt: number, within: Timed): AsyncGenerator<ResultsPart> {
  const { headers, ok, status, body } = response;
  if (!ok || !TYPE.test(headers.get("content-type") ?? "")) {
    bodyOf(response, await within((deadline) => awaitResponse(() => response.text(), deadline)), ERROR);
    throw new UnexpectedAnswerError({ status });
  }
  const { etag, total, ...begins } = extentOf(headers, status === 206 ? requestedAt : 0);
  let { at } = begins;
  const reader = body?.getReader();
  try {
    // A proxy that compresses sends other bytes than the requested ones. Accept only the whole file then.
    if (at !== requestedAt && at !== 0) throw new UnexpectedAnswerError({ status });
    while (reader !== undefined) {
      const { value } = await within((deadline) => awaitResponse(() => reader.read(), deadline));
      if (value === undefined) break;
      yield { bytes: value, at, total, etag };
      at += value.length;
    }
    // Report an empty part too when it replaces something.
    if (at === 0 && requestedAt > 0) yield { bytes: new Uint8Array(), at, total, etag };
  } finally {
    // Close a connection that is no longer needed.
    reader?.cancel().catch(() => {});
  }
  if (total !== undefined && at < total) throw new ConnectionError(new Error("the results ended early"));
}

/**
 * Returns the position of a response's bytes: the requested one if a page of another origin cannot read
 * `Content-Range`.
 */
function extentOf(headers: Headers, requestedAt: number): Pick<ResultsPart, "at" | "total" | "etag"> {
  const given = headers.get("etag");
  // Weak tags do not identify bytes.
  const etag = given?.startsWith('"') && !headers.has("content-encoding") ? given : undefined;
  const [, first, all] = /^bytes ([0-9]+)-[0-9]+\/([0-9]+)$/.exec(headers.get("content-range") ?? "") ?? [];
  const at = first === undefined ? requestedAt : Number(first);
  const length = headers.get("content-length");
  const total = all ?? (length === null ? undefined : at + Number(length));
  return { at, etag, total: etag === undefined || total === undefined ? undefined : Number(total) };
}
