import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  DiagLogLevel,
  diag,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { CallTrace, TraceParent } from "../../http/callTrace.ts";
import { withTimeout } from "../../lib/deadline.ts";
import type { ChargeRequest } from "../../metering/store.ts";
import { chooser } from "./chosen.ts";
import type { Tracing, TracingOptions } from "./tracing.ts";

/** Spans that can wait to be sent; further ones are dropped. */
const MAX_WAITING = 2_048;
const SENT_EVERY_MS = 1_000;
const SENT_WITHIN_MS = 3_000;
const CLOSES_WITHIN_MS = 1_000;
const REPORTED_EVERY_MS = 60_000;
/** Calls that a batch is linked to. */
const MAX_LINKS = 32;

/**
 * Sends spans to a collector by OTLP over HTTP, in the background. A caller's `traceparent` can exclude its call from
 * recording but not include it, because anyone can send one.
 */
export function openTelemetry({ endpoint, share, secret, version, onLost }: TracingOptions): Tracing {
  reportLosses(onLost);
  const current = new AsyncLocalStorage<Context>();
  const ofRequests = new WeakMap<object, Context>();
  const sampled = sampler(chooser(secret, share));
  const exporter = new OTLPTraceExporter({ url: tracesUrl(endpoint), timeoutMillis: SENT_WITHIN_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "opzoek", "service.version": version }),
    sampler: new ParentBasedSampler({ root: sampled, remoteParentSampled: sampled }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MAX_WAITING,
        scheduledDelayMillis: SENT_EVERY_MS,
        exportTimeoutMillis: SENT_WITHIN_MS,
      }),
    ],
  });
  const tracer = provider.getTracer("opzoek", version);
  return {
    begin({ method, route, requestId, parent }) {
      const span = tracer.startSpan(
        `${method} ${route}`,
        {
          kind: SpanKind.SERVER,
          attributes: { "http.request.method": method, "http.route": route, "opzoek.request_id": requestId },
        },
        remoteContext(parent),
      );
      const context = trace.setSpan(ROOT_CONTEXT, span);
      return {
        traceId: span.spanContext().traceId,
        within: (run) => current.run(context, run),
        end: (answer) => endSpan(span, answer),
      };
    },
    chargeRequested(request) {
      const context = current.getStore();
      if (context !== undefined) ofRequests.set(request, context);
    },
    batches: (store) => ({
      findKeys: (hashes) => store.findKeys(hashes),
      async apply(requests) {
        const [first, ...others] = recordedContexts(requests, ofRequests);
        if (first === undefined) return store.apply(requests);
        const attributes = { "opzoek.batch.requests": requests.length };
        const links = linksTo(others.slice(0, MAX_LINKS));
        const span = tracer.startSpan("state batch", { kind: SpanKind.CLIENT, attributes, links }, first);
        return endedWith(span, store.apply(requests), () => {});
      },
    }),
    upstream: (name) => (work, outcomeOf) => {
      const context = current.getStore();
      if (context === undefined || !isRecorded(context)) return work();
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT }, context);
      return endedWith(span, work(), (result) => span.setAttribute("opzoek.outcome", outcomeOf(result)));
    },
    async close() {
      await withTimeout(CLOSES_WITHIN_MS, provider.shutdown()).catch(() => {});
    },
  };
}

function endSpan(span: Span, { status, operation }: Parameters<CallTrace["end"]>[0]): void {
  if (operation !== undefined) span.setAttribute("opzoek.operation", operation);
  if (status === undefined) span.setAttribute("error.type", "hung up");
  else span.setAttribute("http.response.status_code", status);
  // A 4xx is not an error of a server span (OpenTelemetry, semantic conventions for HTTP spans).
  if (status !== undefined && status >= 500) {
    span.setAttribute("error.type", String(status));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

function remoteContext(parent: TraceParent | undefined): Context {
  if (parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = parent;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** The contexts of the recorded calls in a batch. */
function recordedContexts(
  requests: readonly ChargeRequest[],
  ofRequests: WeakMap<object, Context>,
): Context[] {
  return requests
    .map((request) => ofRequests.get(request))
    .filter((context) => context !== undefined)
    .filter(isRecorded);
}

function isRecorded(context: Context): boolean {
  return trace.getSpan(context)?.isRecording() === true;
}

function linksTo(contexts: readonly Context[]): Link[] {
  return contexts
    .map((one) => trace.getSpanContext(one))
    .filter((context) => context !== undefined)
    .map((context) => ({ context }));
}

async function endedWith<T>(span: Span, work: Promise<T>, onDone: (result: T) => void): Promise<T> {
  try {
    const result = await work;
    onDone(result);
    return result;
  } catch (error) {
    span.setAttribute("error.type", error instanceof Error ? error.name : typeof error);
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** Replaces the library's sampler, which decides by the trace id alone, and callers choose that. */
function sampler(isChosen: (traceId: string) => boolean): Sampler {
  return {
    shouldSample: (_context, traceId) => ({
      decision: isChosen(traceId) ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
    }),
    toString: () => "a share of all traces",
  };
}

/**
 * Reports lost spans, at most once a minute. The library's text is not used: it can contain a header with the
 * collector's key.
 */
function reportLosses(onLost: () => void): void {
  let reportedMs = Number.NEGATIVE_INFINITY;
  const report = () => {
    const nowMs = performance.now();
    if (nowMs - reportedMs < REPORTED_EVERY_MS) return;
    reportedMs = nowMs;
    onLost();
  };
  const ignore = () => {};
  const logger = { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

function tracesUrl(endpoint: string): string {
  return `${endpoint.replace(/(?<!\/)\/+$/, "")}/v1/traces`;
}
