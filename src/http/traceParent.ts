/** Where a call stands in a trace that its caller began. */
export interface TraceParent {
  /** 32 hexadecimal digits */
  readonly traceId: string;
  /** Of the caller's own step, 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the caller records the trace. */
  readonly isSampled: boolean;
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NONE = /^0+$/;
const SAMPLED = 1;

/**
 * Reads the header `traceparent`; undefined where it is absent or not of the form, which is then as if it were absent (W3C, Trace Context,
 * section 3.2). Of a later version of the form what this one knows is read.
 */
export function parseTraceParent(header: string | readonly string[] | undefined): TraceParent | undefined {
  if (typeof header !== "string") return undefined;
  const [, version, traceId = "", spanId = "", flags = "", rest] = FORM.exec(header) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (NONE.test(traceId) || NONE.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}
