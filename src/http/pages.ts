import { existsSync } from "node:fs";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "../contract/errors.ts";
import { addPage } from "./account/page.ts";
import type { AccountServices } from "./account/route.ts";
import { addDocsPage, DOCS_INDEX } from "./docsPage.ts";
import type { Services } from "./endpoint.ts";
import { sendError } from "./errorAnswers.ts";
import { readBuilt } from "./files.ts";
import { siteOf } from "./site.ts";

export interface PageParts {
  /** The folder of the built pages; it may be absent. */
  readonly pageFolder: string;
  readonly services: Services;
  readonly account: Pick<AccountServices, "operator">;
}

/**
 * Serves what `dashboard/` was built into: the account page and the docs page, which share their scripts and styles. The files are read
 * once. If the folder does not exist, the paths of the pages say so.
 * @param refuse tells whether a client asks too often
 */
export async function addPages(
  app: FastifyInstance,
  { pageFolder, services, account }: PageParts,
  refuse: (request: FastifyRequest) => ApiError | undefined,
): Promise<void> {
  if (!existsSync(pageFolder)) return addMissingPages(app, refuse);
  const files = readBuilt(pageFolder);
  const site = () => siteOf(services, account.operator);
  const docs = files.find(({ path }) => path === DOCS_INDEX);
  if (docs !== undefined) await addDocsPage(app, docs, site, refuse);
  const others = files.filter((file) => file !== docs);
  await addPage(app, others, site, refuse);
}

function addMissingPages(
  app: FastifyInstance,
  refuse: (request: FastifyRequest) => ApiError | undefined,
): void {
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
