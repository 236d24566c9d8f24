import { isJsonObject } from "../src/lib/values.ts";

/** A node of a syntax tree as `parseSync` of Vite returns it. */
export type Node = Readonly<Record<string, unknown>>;

/** Yields all nodes of a tree, each before the nodes in it. */
export function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item);
  if (!isJsonObject(value)) return;
  if (typeof value["type"] === "string") yield value;
  for (const child of Object.values(value)) yield* nodesOf(child);
}
