import { existsSync } from "node:fs";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ApiError } from "../contract/errors.ts";
import { addPage } from "./account/page.ts";
import { addDocsPage, DOCS_INDEX } from "./docsPage.ts";
import { readBuilt } from "./files.ts";

/**
 * What `dashboard/` was built into: the account page and the docs page, which share their scripts and styles. The files are read once;
 * a folder that is absent leaves their paths ones that do not exist.
 * @param refuse tells whether a client asks too often
 */
export async function addPages(
  app: FastifyInstance,
  folder: string,
  refuse: (request: FastifyRequest) => ApiError | undefined,
): Promise<void> {
  if (!existsSync(folder)) return;
  const files = readBuilt(folder);
  const docs = files.find(({ path }) => path === DOCS_INDEX);
  if (docs !== undefined) await addDocsPage(app, docs, refuse);
  const others = files.filter((file) => file !== docs);
  await addPage(app, others, refuse);
}
