import type { RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { viesOverHttp } from "../../src/vat/vies/upstream.ts";

export { serving } from "./server.ts";

/** The client for the server, closed after the test. */
export function upstreamAt(url: string) {
  const upstream = viesOverHttp(url);
  onTestFinished(() => upstream.close());
  return upstream;
}

/** Responds as VIES does for a registered number. */
export const yes: RequestListener = async (request, response) => {
  const query = JSON.parse(await text(request)) as object;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ ...query, ...YES }));
};

export const YES = { requestDate: "2026-10-03T21:02:05.698Z", valid: true, name: "---", address: "---" };
