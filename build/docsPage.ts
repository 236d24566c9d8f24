/** The files of the docs page, which shows the API document. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import scalar from "@scalar/fastify-api-reference";
import fastify from "fastify";

/** Nothing of it is from outside, and nothing is kept that a reader types. */
const CONFIGURATION = {
  url: "/v1/openapi.json",
  pageTitle: "Opzoek API",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  persistAuth: false,
} as const;

/** Where the page expects its files, each with the name that it has in the folder. */
const FILES = { "/docs/": "index.html", "/docs/js/scalar.js": "js/scalar.js" };

/** Writes the page into a folder, to be served under `/docs/`. */
export async function buildDocsPage(folder: string): Promise<void> {
  const app = fastify();
  await app.register(scalar, { routePrefix: "/docs", configuration: CONFIGURATION });
  for (const [path, name] of Object.entries(FILES)) {
    const { statusCode, rawPayload } = await app.inject(path);
    if (statusCode !== 200) throw new Error(`the docs page has no ${path} any more: ${statusCode}`);
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, rawPayload);
  }
  await app.close();
}
