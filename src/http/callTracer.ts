import type { TraceParent } from "./traceParent.ts";

/** What is told of a call when its answer has left, or its caller. */
export interface TracedAnswer {
  /** The HTTP status; undefined when the caller hung up before the answer. */
  readonly status: number | undefined;
  readonly operation: string | undefined;
}

/** The trace of one call. */
export interface CallTrace {
  /** 32 hexadecimal digits, the caller's own where it told one. */
  readonly traceId: string;
  /** Goes on with the call: what is done then, and what that waits for, is part of the trace. */
  within(goOn: () => void): void;
  /** Called once. */
  end(answer: TracedAnswer): void;
}

/** What follows calls through the service, where the operator wants that. */
export interface CallTracer {
  /** @param route the route's pattern, `-` for none: a path may hold what must not be told */
  begin(call: {
    readonly method: string;
    readonly route: string;
    readonly requestId: string;
    readonly parent: TraceParent | undefined;
  }): CallTrace;
}
