import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { GUIDE_NAMES } from "../../../build/guides.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const DASHBOARD = join(ROOT, "dashboard");
/** Served to pages of other sites, and embedded in the docs page. */
const ELEMENT = join(ROOT, "client/src/element");
export const DIST = join(DASHBOARD, "dist");

/** Builds the pages if their sources are newer. Called once, before the first test. */
export function ensureBuilt(): void {
  const builtMs = existsSync(join(DIST, "index.html")) ? statSync(join(DIST, "index.html")).mtimeMs : 0;
  if (newestMs() < builtMs) return;
  execFileSync(process.execPath, [join(ROOT, "build/pages.ts")], { stdio: "inherit" });
}

function newestMs(): number {
  const inside = ["src", "public", "docs"].flatMap((folder) =>
    readdirSync(join(DASHBOARD, folder), { recursive: true, encoding: "utf8" }).map((file) =>
      join(folder, file),
    ),
  );
  const element = readdirSync(ELEMENT).map((file) => join(ELEMENT, file));
  const ours = ["index.html", "vite.config.ts", ...inside].map((file) => join(DASHBOARD, file));
  const guides = GUIDE_NAMES.map((name) => join(ROOT, `docs/${name}.md`));
  return Math.max(
    ...[...ours, ...element, ...guides, join(ROOT, "build/guides.ts")].map((file) => statSync(file).mtimeMs),
  );
}
