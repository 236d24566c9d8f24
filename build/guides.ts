/** The pages of `docs/` that the docs page of a service shows as guides. */
import { readFileSync } from "node:fs";
import type { Guide } from "../dashboard/src/docs/guide.ts";
import { plainText } from "../dashboard/src/docs/markdown/blocks.ts";

const ROOT = new URL("../", import.meta.url);

/** In reading order. */
export const GUIDE_NAMES = [
  "first-call",
  "test-keys",
  "errors",
  "vat",
  "peppol",
  "batches",
  "lists",
  "matching",
  "reconcile",
  "monitors",
  "autocomplete",
  "keys-in-pages",
  "limits",
  "clients",
  "mcp",
] as const;

/** Views of the docs page that replace other documents. */
const VIEWS: Readonly<Record<string, string>> = {
  "api.md": "#/overview",
  "api.md#plans": "#/overview/tiers",
  "api.md#prices": "#/overview/prices",
  "api.md#matching-names": "#/calls/post-v1-match",
};

const LINK = /(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g;
const CALL = /(?<!\[)`((?:GET|POST|PATCH|DELETE) \/v1\/[^`]*)`(?!\])/g;
const FENCES = /(^```\w*\n[\s\S]*?^```$)/m;

/** Reads all guides. */
export function readGuides(): readonly Guide[] {
  const { paths } = JSON.parse(readFileSync(new URL("openapi.json", ROOT), "utf8")) as ApiPaths;
  const calls = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [
        `${method.toUpperCase()} ${path}`,
        operationId,
      ]),
    ),
  );
  return GUIDE_NAMES.map((name) =>
    guideOf(name, readFileSync(new URL(`docs/${name}.md`, ROOT), "utf8"), calls),
  );
}

interface ApiPaths {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

/**
 * Reads a guide. Links to guides and names of calls become links to their views; other links within the repository
 * become text.
 * @param calls operation ids by method and path
 * @throws {Error} if the page does not start with a title and a text
 */
export function guideOf(name: string, page: string, calls: ReadonlyMap<string, string>): Guide {
  const [, title, rest] = /^# (.+)\n\n([\s\S]+)$/.exec(page) ?? [];
  if (title === undefined || rest === undefined) throw new Error(`docs/${name}.md needs a title and a text`);
  const body = rest
    .split(FENCES)
    .map((part) => (part.startsWith("```") ? part : withCalls(withViews(name, part), calls)))
    .join("");
  const [first = ""] = rest.split("\n\n");
  const [about = ""] = /^.*?(?:\.(?=\s|$)|:$)/.exec(plainText(first)) ?? [];
  return { name, title, about: about.replace(/:$/, "."), body };
}

function withViews(name: string, text: string): string {
  return text.replace(LINK, (_whole, label: string, target: string) => {
    if (/^https?:/.test(target)) return `[${label}](${target})`;
    const [file = "", anchor] = target.split("#");
    const guide = file === "" ? name : file.replace(/\.md$/, "");
    const view =
      VIEWS[target] ??
      (GUIDE_NAMES.some((one) => one === guide)
        ? `#/guides/${guide}${anchor === undefined ? "" : `/${anchor}`}`
        : undefined);
    return view === undefined ? label : `[${label.replaceAll("`", "")}](${view})`;
  });
}

function withCalls(text: string, calls: ReadonlyMap<string, string>): string {
  return text.replace(CALL, (whole, call: string) => {
    const id = calls.get(call);
    return id === undefined ? whole : `[${call}](#/calls/${id})`;
  });
}
