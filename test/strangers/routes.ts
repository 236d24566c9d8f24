/** Every path of the service, with a call that causes work. A new route is covered automatically. */
import type { TObject, TSchema } from "typebox";
import { ACCOUNT_ROUTES } from "../../src/http/account/routes/all.ts";
import { ENDPOINTS } from "../../src/http/endpoints/all.ts";
import { validCall } from "../kit/validCalls.ts";
import type { WireCall } from "./endings.ts";

export interface TestedRoute {
  readonly name: string;
  /** The caller's credentials. */
  readonly shows: "key" | "session";
  readonly call: WireCall;
}

export function everyRoute(): readonly TestedRoute[] {
  return [
    ...ENDPOINTS.map((endpoint) => {
      const { method, path, body, headers } = validCall(endpoint);
      return keyed(method, path, body, headers);
    }),
    ...["/v1/openapi.json", "/docs", "/docs/openapi.json", "/", "/v1/nowhere", "/v1/lookup/%zz"].map((path) =>
      keyed("GET", path),
    ),
    keyed("DELETE", "/v1/usage"),
    keyed("POST", "/mcp", TOOL_CALL),
    ...ACCOUNT_ROUTES.map(({ method, path, schema }) => ({
      name: `${method} ${path}`,
      shows: "session" as const,
      call: wireCall(method, path.replace(":id", "acc_of_nobody"), bodyFor(schema.body), {
        "sec-fetch-site": "same-origin",
      }),
    })),
  ];
}

const TOOL_CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "show_usage" } };

function keyed(
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
): TestedRoute {
  return { name: `${method} ${path}`, shows: "key", call: wireCall(method, path, body, headers) };
}

function wireCall(
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): WireCall {
  if (body === undefined) return { method, path, headers, body: "" };
  return {
    method,
    path,
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}

/** A body with every field of a schema, of the right types: it is processed as far as its values make sense. */
function bodyFor(schema: TObject | undefined): unknown {
  if (schema === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [name, valueFor(field)]),
  );
}

function valueFor(field: TSchema): unknown {
  const shape: { enum?: readonly unknown[]; type?: unknown; minimum?: unknown; pattern?: unknown } = field;
  if (shape.enum !== undefined) return shape.enum[0];
  if (shape.type === "boolean") return true;
  if (shape.type === "integer" || shape.type === "number") return shape.minimum ?? 1;
  return "somebody@fabel.example";
}
