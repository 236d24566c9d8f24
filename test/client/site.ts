import { readFileSync } from "node:fs";
import { join } from "node:path";
import { servingPort } from "../kit/server.ts";

/** Serves the given texts, and the files of a folder unchanged, as a site of another origin than the service's. */
export async function startSite(folder: string, texts: Readonly<Record<string, string>>): Promise<string> {
  const port = await servingPort(({ url = "/" }, response) => {
    const text = texts[url] ?? readFileSync(join(folder, url), "utf8");
    const type = url.endsWith(".js") ? "text/javascript" : "text/html";
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(text);
  });
  return `http://localhost:${port}/`;
}
