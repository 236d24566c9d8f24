import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const DASHBOARD = join(ROOT, "dashboard");
/** What the docs page shows live. */
const ELEMENT = join(ROOT, "client/src/element");
export const DIST = join(DASHBOARD, "dist");

/** Builds the page unless what is built is as new as its sources, so that no test sees an old page. */
export function ensureBuilt(): void {
  const builtMs = existsSync(join(DIST, "index.html")) ? statSync(join(DIST, "index.html")).mtimeMs : 0;
  if (newestMs() < builtMs) return;
  const vite = join(ROOT, "node_modules/vite/bin/vite.js");
  execFileSync(process.execPath, [vite, "build", DASHBOARD, "--logLevel", "warn"], { stdio: "inherit" });
}

function newestMs(): number {
  const inside = ["src", "public", "docs"].flatMap((folder) =>
    readdirSync(join(DASHBOARD, folder), { recursive: true, encoding: "utf8" }).map((file) =>
      join(folder, file),
    ),
  );
  const element = readdirSync(ELEMENT).map((file) => join(ELEMENT, file));
  const ours = ["index.html", "vite.config.ts", ...inside].map((file) => join(DASHBOARD, file));
  return Math.max(...[...ours, ...element].map((file) => statSync(file).mtimeMs));
}
