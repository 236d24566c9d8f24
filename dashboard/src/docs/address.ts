import { decoded } from "../router/decoded.ts";

/** Where the reader is. */
export type DocsRoute = { readonly anchor?: string | undefined } & (
  | { readonly kind: "overview" }
  | { readonly kind: "guides" | "calls" | "objects"; readonly name: string }
);

/** The address of a view, or of a heading in it. */
export function linkTo(route: DocsRoute): string {
  const parts = route.kind === "overview" ? ["overview"] : [route.kind, route.name];
  return `#/${[...parts, ...(route.anchor === undefined ? [] : [route.anchor])].map(encodeURIComponent).join("/")}`;
}

/** Whether two routes lead to the same view, whatever heading they name. */
export function isSameView(a: DocsRoute, b: DocsRoute): boolean {
  return linkTo({ ...a, anchor: undefined }) === linkTo({ ...b, anchor: undefined });
}

/** Guides, and headings of them, that have another address today. */
const MOVED: ReadonlyMap<string, string> = new Map([
  ["models", "mcp"],
  ["lists/what-comes-back", "batches"],
  ["lists/before-you-start", "batches"],
]);

/** Reads an address; one that leads nowhere leads to the overview. */
export function readRoute(fragment: string): DocsRoute {
  const [, kind, name, anchor] = fragment.slice(1).split("/").map(decoded);
  if (name && kind === "guides")
    return { kind, name: MOVED.get(`${name}/${anchor}`) ?? MOVED.get(name) ?? name, anchor };
  if (name && (kind === "calls" || kind === "objects")) return { kind, name, anchor };
  return { kind: "overview", anchor: name };
}
