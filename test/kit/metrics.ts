import { expect } from "vitest";
import { ask } from "./client.ts";

/** The metrics on a port, in Prometheus' text format. */
export async function scrape(port: number): Promise<string> {
  const { status, text, headers } = await ask({ port }, { path: "/metrics" });
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  return text;
}

/** The values of a metric by their labels, as text. */
export function valuesOf(text: string, name: string): ReadonlyMap<string, number> {
  const lines = text.split("\n").filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return new Map(
    lines.map((line) => [
      line.slice(name.length, line.lastIndexOf(" ")),
      Number(line.slice(line.lastIndexOf(" "))),
    ]),
  );
}
