/**
 * Builds `dashboard/dist`: the account page, the docs page and the autocomplete element for other sites, with
 * compressed copies of their files.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { buildElement } from "./client.ts";
import { packFiles } from "./packFiles.ts";
import { replaceFolder } from "./replaceFolder.ts";

const DASHBOARD = fileURLToPath(new URL("../dashboard", import.meta.url));

await replaceFolder(join(DASHBOARD, "dist"), async (outDir) => {
  await build({ configFile: join(DASHBOARD, "vite.config.ts"), logLevel: "warn", build: { outDir } });
  await buildElement(outDir);
  packFiles(outDir);
});
