import { decodedPart } from "../router/decoded.ts";

/** The current view, and a heading in it. */
export type DocsRoute = { readonly anchor?: string | undefined } & (
  | { readonly kind: "overview" }
  | { readonly kind: "guides" | "calls" | "objects"; readonly name: string }
);

/** Returns the address of a view, or of a heading in it. */
export function docsLink(route: DocsRoute): string {
  const parts = route.kind === "overview" ? ["overview"] : [route.kind, route.name];
  return `#/${[...parts, ...(route.anchor === undefined ? [] : [route.anchor])].map(encodeURIComponent).join("/")}`;
}

/** Whether two routes lead to the same view, ignoring the heading. */
export function isSameView(a: DocsRoute, b: DocsRoute): boolean {
  return docsLink({ ...a, anchor: undefined }) === docsLink({ ...b, anchor: undefined });
}

/** Redirects of guides and headings that have moved. */
const MOVED: ReadonlyMap<string, string> = new Map([
  ["models", "mcp"],
  ["lists/what-comes-back", "batches"],
  ["lists/before-you-start", "batches"],
]);

/** Reads an address; an unknown one leads to the overview. */
export function readRoute(fragment: string): DocsRoute {
  const [, kind, name, anchor] = fragment.slice(1).split("/").map(decodedPart);
  if (name && kind === "guides")
    return { kind, name: MOVED.get(`${name}/${anchor}`) ?? MOVED.get(name) ?? name, anchor };
  if (name && (kind === "calls" || kind === "objects")) return { kind, name, anchor };
  return { kind: "overview", anchor: name };
}
