/** The preview of a company: a small HTML card for the iframe of a reconciliation client. */
import { hash } from "node:crypto";
import { Type } from "typebox";
import { PRICES } from "../../contract/prices.ts";
import type { BasicCompany } from "../../contract/resources.ts";
import { deliver } from "../../lookup/answer.ts";
import { keyed } from "../endpoint.ts";
import { KvkNumberParameter } from "../endpoints/shared.ts";
import { HTML } from "../files.ts";
import { RECONCILE_PATH, SPECIFIED } from "./properties.ts";

export const PREVIEW_PATH = `${RECONCILE_PATH}/preview`;
export const PREVIEW_SIZE = { width: 400, height: 160 } as const;

const STYLE =
  "body{font:14px/1.4 system-ui,sans-serif;margin:10px;color:#1a1a1a;background:#fff}h1{font-size:16px;margin:0 0 6px}p{margin:2px 0}";
const STYLE_HASH = hash("sha256", STYLE, "base64");

/** Nothing but the card's own style is loaded, and any page may frame it. */
const HEADERS = {
  "content-type": HTML,
  "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors *; sandbox`,
  // The address contains the key.
  "referrer-policy": "no-referrer",
};

export const preview = keyed({
  method: "GET",
  path: PREVIEW_PATH,
  operation: "reconcile.preview",
  ...SPECIFIED,
  summary: "Preview a company",
  description: `A small HTML page about one company, for an iframe (${PRICES["reconcile.preview"]} token). Errors are JSON.`,
  schema: {
    querystring: Type.Object({ id: KvkNumberParameter }),
    response: Type.Unknown(),
  },
  write: (body) => ("html" in body ? String(body.html) : ""),
  headers: HEADERS,
  cost: () => ({ operation: "reconcile.preview", price: PRICES["reconcile.preview"] }),
  handler: ({ query: { id } }, { lookup }) =>
    deliver(lookup.basic(id, undefined), (company) => ({
      charge: PRICES["reconcile.preview"],
      body: { html: cardOf(company) },
    })),
});

function cardOf({ kvkNumber, name, address, isActive, registrationDate }: BasicCompany): string {
  const { street, houseNumber, postalCode, city, country } = address;
  const isAbroad = country !== undefined && country !== "NL";
  const lines = [
    `KVK ${kvkNumber}`,
    joined(street, houseNumber),
    joined(postalCode, city, isAbroad ? country : undefined),
    isActive ? "Active" : "No longer active",
    registrationDate === undefined ? "" : `Registered ${registrationDate}`,
  ];
  const shownLines = lines.filter((line) => line !== "").map((line) => `<p>${escaped(line)}</p>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(name)}</title><style>${STYLE}</style></head>
<body><h1>${escaped(name)}</h1>${shownLines.join("")}</body></html>
`;
}

const joined = (...parts: readonly (string | undefined)[]) =>
  parts.filter((part) => part !== undefined).join(" ");

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
