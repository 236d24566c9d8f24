import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterFile } from "../kit/afterFile.ts";

/** Serves some texts, and the files of a folder as they are, as a site of another origin than the service's. */
export async function startSite(folder: string, texts: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer(({ url = "/" }, response) => {
    const text = texts[url] ?? readFileSync(join(folder, url), "utf8");
    const type = url.endsWith(".js") ? "text/javascript" : "text/html";
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(text);
  });
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://localhost:${(server.address() as AddressInfo).port}/`;
}
