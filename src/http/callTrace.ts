/** The trace of one call. */
export interface CallTrace {
  /** 32 hexadecimal digits, the caller's own if it sent one. */
  readonly traceId: string;
  /** Continues the call inside the trace. */
  within(run: () => void): void;
  /**
   * Called once, when the response was sent or the caller disconnected.
   * @param answer its status is undefined if the caller disconnected
   */
  end(answer: { readonly status: number | undefined; readonly operation: string | undefined }): void;
}

/** Traces calls. */
export interface CallTracer {
  /** @param route the route's pattern, `-` for none; never the path, which may contain a secret */
  begin(call: {
    readonly method: string;
    readonly route: string;
    readonly requestId: string;
    readonly parent: TraceParent | undefined;
  }): CallTrace;
}

/** The position of a call in its caller's trace. */
export interface TraceParent {
  /** 32 hexadecimal digits */
  readonly traceId: string;
  /** The caller's span, 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the caller records the trace. */
  readonly isSampled: boolean;
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NONE = /^0+$/;
const SAMPLED = 1;

/**
 * Parses the header `traceparent`; undefined if it is absent or malformed (W3C, Trace Context, section 3.2). Only the
 * known fields of a later version are read.
 */
export function parseTraceParent(header: string | readonly string[] | undefined): TraceParent | undefined {
  if (typeof header !== "string") return undefined;
  const [, version, traceId = "", spanId = "", flags = "", rest] = FORM.exec(header) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (NONE.test(traceId) || NONE.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}
