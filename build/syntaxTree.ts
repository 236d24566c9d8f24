import { isJsonObject } from "../src/lib/values.ts";

/** A node of a syntax tree as `parseSync` of Vite returns it. */
export type Node = Readonly<Record<string, unknown>>;

/** Yields all nodes of a tree, each before the nodes in it. */
export function* nodesOf(tree: unknown): Generator<Node> {
  const left = [tree];
  while (left.length > 0) {
    const value = left.pop();
    if (!Array.isArray(value) && !isJsonObject(value)) continue;
    if (isJsonObject(value) && typeof value["type"] === "string") yield value;
    left.push(...Object.values(value).reverse());
  }
}
