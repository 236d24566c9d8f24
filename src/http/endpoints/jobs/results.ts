import type { IncomingHttpHeaders } from "node:http";
import { Type } from "typebox";
import { ApiError } from "../../../contract/errors.ts";
import { JOB_BOUNDS } from "../../../contract/jobs.ts";
import { POOLS } from "../../../contract/pools.ts";
import type { Lists, ResultPlan } from "../../../jobs/lists.ts";
import type { ListForm } from "../../../jobs/receiving.ts";
import { csvHeader, linesIn, resultCsvRows } from "../../../jobs/results.ts";
import { matchesTag } from "../../conditional.ts";
import type { DownloadBody } from "../../downloads.ts";
import { type Answer, free } from "../../endpoint.ts";
import { oneOf } from "../shared.ts";
import { JobIdParameter } from "./manage.ts";

const TYPES = { jsonl: "application/x-ndjson", csv: "text/csv; charset=utf-8" } as const satisfies Record<
  ListForm,
  string
>;

/** The results of a list so far. */
export const jobResults = free({
  method: "GET",
  path: "/v1/jobs/:jobId/results",
  operation: "jobs",
  tag: "Lists",
  summary: "Download the results of a list",
  description: `The results so far (free), stored until ${JOB_BOUNDS.resultDays} days after the list ends: JSON lines, or CSV with \`format=csv\` or \`Accept: text/csv\`. Each line has the \`number\` as it was sent and its \`result\`, as for a single call, or its \`error\`. A line of \`match\` has the \`row\` (from 1, without the header), the \`id\` if the row has one, and a \`result\` with a \`decision\` (\`matched\`, \`ambiguous\` or \`none\`) and at most three \`candidates\`, best first, or an \`error\`. A broken download can be resumed with \`Range\` and \`If-Range\` with the \`ETag\` (\`curl -C -\`). An account may run ${POOLS.downloads.perAccount} downloads at once; more get RATE_LIMIT_EXCEEDED.`,
  isConditional: true,
  delivers: { types: ["application/x-ndjson", "text/csv"] },
  schema: {
    params: Type.Object({ jobId: JobIdParameter }),
    querystring: Type.Object({
      format: Type.Optional(
        oneOf(
          ["jsonl", "csv"],
          "`jsonl` or `csv`. By default the Accept header decides; without it, JSON lines.",
          "csv",
        ),
      ),
    }),
    response: Type.String({
      description: "A line for each number or row, in the order of processing.",
    }),
  },
  handler: ({ params: { jobId }, query: { format }, headers = {} }, { lists, downloads }, owner) =>
    downloads.with({ id: owner.accountId, tierName: owner.tierName }, async (bodyOf) => {
      const form = format ?? formAccepted(headers.accept);
      const plan = await lists.results(owner.accountId, jobId);
      return resultsOf(lists, plan, form, headers, bodyOf);
    }),
});

function formAccepted(accept: string | undefined): ListForm {
  return accept !== undefined && /\btext\/csv\b/i.test(accept) ? "csv" : "jsonl";
}

function resultsOf(
  lists: Lists,
  plan: ResultPlan,
  form: ListForm,
  { range, "if-range": ifRange, "if-none-match": ifNoneMatch }: IncomingHttpHeaders,
  bodyOf: DownloadBody,
): Answer {
  const { list, sizes, mark } = plan;
  const header = form === "csv" ? csvHeader(list.kind) : "";
  const bytesOf = (size: (typeof sizes)[number]) => (form === "csv" ? size.csvBytes : size.jsonlBytes);
  const total = sizes.reduce((sum, size) => sum + bytesOf(size), Buffer.byteLength(header));
  const etag = `"${list.id}-${form}-${sizes.length}-${sizes.at(-1)?.step ?? 0}-${mark.replaceAll(/[^0-9]/g, ".")}"`;
  const state = { etag, vary: "accept" };
  // Before the range: RFC 9110, section 13.2.2.
  if (matchesTag(ifNoneMatch, etag)) return { headers: state, body: {}, isUnchanged: true };
  const part = ifRange === undefined || ifRange === etag ? rangeOf(range, total) : undefined;
  if (part === "beyond") {
    throw new ApiError("RANGE_NOT_SATISFIABLE", `the range starts after the end: there are ${total} bytes`, {
      totalBytes: total,
    });
  }
  const { first, last } = part ?? { first: 0, last: total - 1 };
  const headers = {
    "content-type": TYPES[form],
    "content-disposition": `attachment; filename="${list.id}.${form}"`,
    "accept-ranges": "bytes",
    ...state,
    "content-length": last - first + 1,
  };
  const body = bodyOf(bytesInRange(lists, plan, form, header, { first, last }));
  if (part === undefined) return { headers, body };
  return { status: 206, headers: { ...headers, "content-range": `bytes ${first}-${last}/${total}` }, body };
}

/**
 * Yields the bytes of a range, read as they are sent. Fails if the results change in the meantime, because the parts
 * would not match.
 */
async function* bytesInRange(
  lists: Lists,
  { list, sizes }: ResultPlan,
  form: ListForm,
  header: string,
  { first, last }: ByteRange,
): AsyncGenerator<Buffer> {
  let offset = 0;
  const cut = (part: Buffer): Buffer => {
    const from = Math.max(0, first - offset);
    const to = Math.min(part.length, last + 1 - offset);
    offset += part.length;
    return part.subarray(from, Math.max(from, to));
  };
  if (header !== "") yield cut(Buffer.from(header));
  for (const size of sizes) {
    const length = form === "csv" ? size.csvBytes : size.jsonlBytes;
    if (offset > last) return;
    if (offset + length <= first) {
      offset += length;
      continue;
    }
    const lines = await lists.linesOf(list.id, size.step);
    const part = Buffer.from(
      lines === undefined || form === "jsonl" ? (lines ?? "") : resultCsvRows(list.kind, linesIn(lines)),
    );
    if (part.length !== length) throw new Error("the results changed while they were fetched");
    yield cut(part);
  }
}

/** A range of bytes, both ends included. */
interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Parses a `Range` header (RFC 9110, section 14.1.2). Invalid headers and several ranges are ignored, as the RFC
 * allows.
 * @returns `beyond` when the range starts after the end
 */
export function rangeOf(header: string | undefined, total: number): ByteRange | "beyond" | undefined {
  const [, from, to] = /^bytes=([0-9]{0,15})-([0-9]{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return undefined;
  if (from === "") {
    const length = Math.min(total, Number(to));
    return length === 0 ? "beyond" : { first: total - length, last: total - 1 };
  }
  const first = Number(from);
  if (first >= total) return "beyond";
  const last = to === "" ? total - 1 : Math.min(total - 1, Number(to));
  return last < first ? undefined : { first, last };
}
