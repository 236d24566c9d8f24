/** The tables of the endpoints and of the tools in the documents, from their definitions. */
import type { TObject } from "typebox";
import type { Endpoint } from "../src/http/endpoint.ts";
import { ENDPOINTS } from "../src/http/endpoints/all.ts";
import { tools } from "../src/http/mcp/tools.ts";
import { priceOf } from "./prices.ts";

export const ENDPOINT_COLUMNS = ["endpoint", "does", "parameters", "tokens"] as const;
export const TOOL_COLUMNS = ["tool", "does", "call", "tokens"] as const;

/** One row for each endpoint of the API document. */
export function endpointRows(): string[][] {
  return ENDPOINTS.filter(({ specification }) => specification === undefined).map((endpoint) => {
    const { summary, schema } = endpoint;
    const parameters = [namesIn(schema.querystring), namesIn(schema.body, "in the body: ")];
    return [routeOf(endpoint), summary, parameters.filter(Boolean).join("; "), tokensOf(endpoint)];
  });
}

/** One row for each tool, in the order of their list. */
export function toolRows(): string[][] {
  return [...tools()].map(([name, { endpoint, description }]) => [
    `\`${name}\``,
    description.title ?? "",
    routeOf(endpoint),
    tokensOf(endpoint),
  ]);
}

function namesIn(part: TObject | undefined, before = ""): string {
  if (part === undefined) return "";
  return (
    before +
    Object.keys(part.properties)
      .map((name) => `\`${name}\``)
      .join(", ")
  );
}

function routeOf({ method, path }: Endpoint): string {
  return `\`${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}\``;
}

/** The rule of the price, otherwise the price. */
function tokensOf(endpoint: Endpoint): string {
  const { tokens, rule } = priceOf(endpoint);
  return rule ?? String(tokens);
}
