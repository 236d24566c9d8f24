import { readFileSync } from "node:fs";
import { Compile } from "typebox/schema";
import { expect } from "vitest";
import { ERROR_CODES, ERRORS } from "../../src/contract/errors.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { type Answer, jsonOf } from "./answer.ts";

/** The headers of every response to a call with a valid key. */
export const BALANCE_HEADERS = [
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-tokens-remaining",
  "x-tokens-charged",
  "x-tokens-reset",
] as const;

/** Expects a response in the form of an error: exactly the given code with its status, and a message. */
export function expectError(answer: Answer, code: string): void {
  expectContractError(answer);
  expect(jsonOf(answer)).toMatchObject({ error: { code } });
}

/** Expects any error of the contract. */
export function expectContractError(answer: Answer): void {
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.headers["x-request-id"]).toMatch(/./);
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  expect(jsonOf(answer)).toEqual({
    error: { code: expect.any(String), message: expect.stringMatching(/./) },
  });
  const body = jsonOf(answer) as { error: { code: string } };
  const known = ERROR_CODES.find((code) => code === body.error.code);
  expect(known, `${body.error.code} is not a code of the contract`).toBeDefined();
  if (known !== undefined) expect(answer.status).toBe(ERRORS[known].status);
}

export function expectBalance(answer: Answer): void {
  for (const header of BALANCE_HEADERS) {
    expect(answer.headers[header], `${header} on ${answer.status} ${answer.text.slice(0, 200)}`).toMatch(
      /^[0-9]+$/,
    );
  }
  const isTagged = answer.headers["etag"] !== undefined;
  expect(answer.headers["cache-control"]).toBe(isTagged ? "private, no-cache" : "private, no-store");
}

const document: unknown = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));

/** Expects a response that matches the schema of `openapi.json` for this endpoint and status. */
export function expectDocumented(endpoint: Pick<Endpoint, "method" | "path">, answer: Answer): void {
  const path = endpoint.path.replaceAll(/:([A-Za-z]+)/g, "{$1}");
  const where = ["paths", path, endpoint.method.toLowerCase(), "responses", String(answer.status)];
  const schema = at(document, [...where, "content", "application/json", "schema"]);
  expect(schema, `openapi.json has no ${endpoint.method} ${path} ${answer.status}`).toBeDefined();
  const [fits, errors] = Compile(inlined(schema)).Errors(jsonOf(answer));
  expect(fits, JSON.stringify(errors)).toBe(true);
}

/** A part of a response's description in `openapi.json`. */
export function documented(method: string, path: string, status: number, part: string): unknown {
  return at(document, ["paths", path, method, "responses", String(status), part]);
}

function at(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    found =
      typeof found === "object" && found !== null
        ? Object.entries(found).find(([key]) => key === name)?.[1]
        : undefined;
  }
  return found;
}

/** The schema with its references resolved; ours are never circular. */
function inlined(schema: unknown): object {
  if (typeof schema !== "object" || schema === null) throw new Error("a schema is an object");
  return inline(schema) as object;
}

function inline(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inline);
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value && typeof value.$ref === "string") {
    const target = at(document, value.$ref.slice(2).split("/"));
    if (target === undefined) throw new Error(`${value.$ref} does not exist`);
    return inline(target);
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inline(part)]));
}
