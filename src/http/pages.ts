/** Serves the built `dashboard/`: the account page and the docs page, which share scripts and styles. */
import { existsSync } from "node:fs";
import fastifyHelmet from "@fastify/helmet";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "../contract/errors.ts";
import type { Site } from "../contract/publicResources.ts";
import { HELMET } from "./account/register.ts";
import { type BuiltFile, HTML, READ, readBuilt, type Send, sendFile } from "./files.ts";
import type { AppParts } from "./parts.ts";
import { sendError } from "./sending.ts";

/** The account page. */
const INDEX = "index.html";
const DOCS_INDEX = "docs/index.html";
/** The autocomplete element, the only file that pages of other sites load. */
const ELEMENT = "element.js";

/** Placeholders in built pages: the policy's nonce and, within an attribute, facts about the service. */
const NONCE = "{{nonce}}";
const SITE = "{{site}}";
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;" };

const NOTHING = ["'none'"];
const OURS = ["'self'"];

/** The policy of the account page and all files. Each response adds nonces for scripts and styles. */
const PAGE_POLICY = {
  useDefaults: false,
  directives: {
    "default-src": NOTHING,
    "script-src": OURS,
    "style-src": OURS,
    "img-src": ["'self'", "data:"],
    "font-src": OURS,
    "connect-src": OURS,
    "manifest-src": OURS,
    "base-uri": NOTHING,
    "form-action": OURS,
    "frame-ancestors": NOTHING,
  },
};

/** The policy of the docs page. It allows nothing inline, so the page is the same for everyone and can be cached. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Returns an error for a client that calls too often. */
type Refuse = (request: FastifyRequest) => ApiError | undefined;

/**
 * Adds the account page at `/`, the docs page at `/docs/` and every other built file under its own path. The files are
 * read once. If the folder does not exist, the paths of the pages return an error that says so.
 */
export async function addPages(
  app: FastifyInstance,
  { pageFolder, services, account: { operator } }: Pick<AppParts, "pageFolder" | "services" | "account">,
  refuse: Refuse,
): Promise<void> {
  if (!existsSync(pageFolder)) return addMissingPages(app, refuse);
  const files = readBuilt(pageFolder);
  const site = (): Site => ({
    isFictional: services.lookup.snapshotInfo?.origins.some(({ origin }) => origin === "demo") === true,
    operator,
  });
  const docs = files.find(({ path }) => path === DOCS_INDEX);
  if (docs !== undefined) addDocs(app, docs, site, refuse);
  await app.register(async (scope) => {
    const policy = { contentSecurityPolicy: PAGE_POLICY, enableCSPNonces: true };
    await scope.register(fastifyHelmet, { ...HELMET, ...policy });
    for (const file of files.filter((built) => built !== docs)) {
      const isIndex = file.path === INDEX;
      const isCrossOrigin = file.path === ELEMENT;
      const send = isIndex ? sendIndex(file.content.toString("utf8"), site) : sendFile(file);
      scope.route({
        method: READ,
        url: isIndex ? "/" : `/${file.path}`,
        config: { isKeyless: true, ...(!isCrossOrigin && { isCrossOrigin }) },
        handler: (request, reply) => {
          if (isCrossOrigin) reply.header("cross-origin-resource-policy", "cross-origin");
          const refusal = refuse(request);
          return refusal === undefined ? send(request, reply) : sendError(reply, refusal);
        },
      });
    }
  });
}

/** Sends the account page with a new nonce each time, so it must not be cached. */
function sendIndex(html: string, site: () => Site): Send {
  return (_request, reply) =>
    reply
      .header("cache-control", "no-store")
      .header("content-type", HTML)
      .send(withSite(html.replaceAll(NONCE, reply.cspNonce.style), site()));
}

/**
 * Adds the docs page. It is the same for everyone, so browsers may cache it, and is rendered again when the facts
 * change.
 */
function addDocs(app: FastifyInstance, index: BuiltFile, site: () => Site, refuse: Refuse): void {
  const html = index.content.toString("utf8");
  let rendered: { readonly text: string; readonly send: Send } | undefined;
  const send: Send = (request, reply) => {
    const text = withSite(html, site());
    if (rendered?.text !== text) {
      rendered = { text, send: sendFile({ path: index.path, content: Buffer.from(text), packed: {} }) };
    }
    return rendered.send(request, reply);
  };
  const redirect: Send = (_request, reply) => reply.redirect("/docs/", 301);
  for (const [path, answer] of Object.entries({ "/docs": redirect, "/docs/": send })) {
    const handler: Send = (request, reply) => {
      const refusal = refuse(request);
      if (refusal !== undefined) return sendError(reply, refusal);
      reply.header("content-security-policy", DOCS_POLICY).header("referrer-policy", "no-referrer");
      return answer(request, reply);
    };
    app.route({ method: READ, url: path, config: { isKeyless: true }, handler });
  }
}

/**
 * Writes facts about the service into a page. A page that cannot fetch anything, such as over plain HTTP, still shows
 * the operator and that the companies are fictional.
 */
function withSite(html: string, site: Site): string {
  return html.replace(SITE, () => JSON.stringify(site).replace(/[&"<]/g, (sign) => ESCAPES[sign] ?? sign));
}

function addMissingPages(app: FastifyInstance, refuse: Refuse): void {
  const notBuilt = new ApiError(
    "ROUTE_NOT_FOUND",
    'the pages of this service are not built: run "npm run prepare", then start it again',
  );
  for (const url of ["/", "/docs", "/docs/"]) {
    app.get(url, { config: { isKeyless: true, isCrossOrigin: false } }, (request, reply) =>
      sendError(reply, refuse(request) ?? notBuilt),
    );
  }
}
