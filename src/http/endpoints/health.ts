import { Type } from "typebox";
import { OptionalCoverage } from "../../contract/coverage.ts";
import { text } from "../../contract/fields.ts";
import { CONDITIONS, HEALTH_SERVICES } from "../../contract/health.ts";
import { known } from "../../lib/values.ts";
import type { OpenEndpoint } from "../endpoint.ts";
import { oneOf } from "./shared.ts";

const state = (description: string) => oneOf(CONDITIONS, description, "up");
const { kvk, ...optional } = HEALTH_SERVICES;
const OPTIONAL = Object.entries(optional).map(([name, meaning]) => [name, Type.Optional(state(meaning))]);

/** Whether the service can serve, and the health of its dependencies. */
export const health: OpenEndpoint = {
  auth: "none",
  method: "GET",
  path: "/v1/health",
  tag: "Service",
  summary: "Show the health of the service",
  description:
    "`ok`; `degraded` when an upstream is down or names cannot be searched yet, still 200; `down` with 503 when the service itself cannot serve. No key, no tokens.",
  schema: {
    response: Type.Object({
      status: oneOf(["ok", "degraded", "down"], "The service as a whole.", "ok"),
      services: Type.Object(
        {
          kvk: state(kvk),
          ...Object.fromEntries(OPTIONAL),
        },
        { description: "The services that this one depends on." },
      ),
      reason: Type.Optional(
        Type.String({
          description: "The problem, if the status alone does not show it.",
        }),
      ),
      coverage: OptionalCoverage,
      timestamp: text("Now, ISO 8601 UTC.", "2026-11-21T12:00:00.000Z"),
    }),
  },
  handler: async ({ health: check, lookup }) => {
    const body = { ...(await check()), ...known("coverage", lookup.coverage) };
    return { status: body.status === "down" ? 503 : 200, body };
  },
};
