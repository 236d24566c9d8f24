import { newTraceSecret } from "../../tracing/chosen.ts";
import type { Tracing } from "../../tracing/tracing.ts";
import { programVersion } from "../version.ts";
import type { SharedParts } from "./parts.ts";

/** Sends spans to the collector that the settings name; loaded only then. */
export async function composeTracing({ settings, state, logger }: SharedParts): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = settings;
  if (endpoint === undefined) return undefined;
  const { openTelemetry } = await import("../../tracing/openTelemetry.ts");
  return openTelemetry({
    endpoint,
    share,
    // The same in all processes, so that all spans of a trace are recorded or none.
    secret: await state.people.secret("traces", newTraceSecret()),
    version: programVersion(),
    onLost: () => logger.warn("spans could not be sent: check OTEL_EXPORTER_OTLP_ENDPOINT and its collector"),
  });
}
