import type { SubmitQuery } from "../api/calls.ts";
import type { Job } from "../api/resources.ts";
import { withinRate } from "../pacing.ts";
import type { CallOptions, Transport } from "../transport.ts";
import type { JobKind } from "./types.ts";

/** The format of a list: JSON lines (strings or objects), or CSV with column names in the first row. */
export type ListFormat = "jsonl" | "csv";

const TYPES = { jsonl: "application/x-ndjson", csv: "text/csv" } as const;

/** The service accepts no more characters; longer input fails there instead of running out of memory here. */
const MAX_CHARACTERS = 64 * 1_048_576;

/** As long as the slowest upload that the service accepts. */
const DEFAULT_TIMEOUT_MS = 3_600_000;

/** Options of `submit()`. */
export interface SubmitOptions<Kind extends JobKind = JobKind> extends CallOptions, SubmitQuery {
  readonly kind: Kind;
  /** The format of a string or Blob; default `jsonl`, or `csv` for a Blob of type `text/csv`. */
  readonly format?: ListFormat | undefined;
}

/** Sends a list. All tries share an idempotency key, so that it is created and charged once. */
export async function submitList(
  transport: Transport,
  numbers: string | Blob | Iterable<string>,
  { kind, dryRun, maxTokens, webhook, format, ...call }: SubmitOptions,
): Promise<Job> {
  const isGiven = typeof numbers === "string" || numbers instanceof Blob;
  const ofBlob = numbers instanceof Blob && numbers.type.startsWith(TYPES.csv) ? "csv" : "jsonl";
  const request = {
    operation: "jobs",
    field: "kind",
    path: "/v1/jobs",
    query: { kind, dryRun, maxTokens, webhook },
    content: {
      type: TYPES[isGiven ? (format ?? ofBlob) : "jsonl"],
      body: isGiven ? numbers : linesOf(numbers),
    },
  };
  const idempotencyKey = call.idempotencyKey ?? transport.newIdempotencyKey(call);
  const timeoutMs = transport.timeoutOf(call, DEFAULT_TIMEOUT_MS);
  const options = { ...call, idempotencyKey, timeoutMs };
  return withinRate(transport, call.signal, () => transport.call<Job>(request, options));
}

function linesOf(numbers: Iterable<string>): string {
  let text = "";
  for (const number of numbers) {
    text += `${JSON.stringify(number)}\n`;
    if (text.length > MAX_CHARACTERS) break;
  }
  return text;
}
