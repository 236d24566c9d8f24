// npm runs this after an install with the Node.js of the system, so it is plain JavaScript for Node.js 20. It checks
// that the installed Node.js starts, and runs the build with it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import "./linkNode.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const INSTALLED = `${ROOT}node_modules/.bin/node`;

/** The messages of glibc and musl that name a missing library. */
const MISSING_LIBRARY = /shared librar(?:ies|y):? ([^:\s]+)/;

/** Returns why the installed Node.js does not start and what to do; undefined if it starts. */
function problemWith(node) {
  const { status, error, stderr } = spawnSync(node, ["--version"], { encoding: "utf8" });
  if (status === 0) return undefined;
  // The file exists, so the loader that it names is missing.
  if (error?.code === "ENOENT" || existsSync("/etc/alpine-release")) {
    return "it needs glibc, which this system does not have. Use the Docker image, or a Linux with glibc, such as Debian";
  }
  const [, library] = MISSING_LIBRARY.exec(stderr ?? "") ?? [];
  if (library === undefined) return error?.message ?? stderr.trim().split("\n", 1)[0];
  return `the system library ${library} is missing. Install the package of your system that contains it, then run "npm ci" again`;
}

function fail(message) {
  console.error(`opzoek: ${message}.`);
  process.exit(1);
}

if (!existsSync(`${ROOT}node_modules/vite`)) {
  fail(
    'the packages that build the program were left out (--omit=dev), so nothing was built. Run "npm ci", which builds everything, then "npm prune --omit=dev": the built program needs no package',
  );
}
let node = INSTALLED;
if (existsSync(INSTALLED)) {
  const problem = problemWith(INSTALLED);
  if (problem !== undefined) fail(`the Node.js that npm installed cannot start: ${problem}`);
} else {
  // No package fits this system. This exits if the system's own Node.js is too old.
  await import("../src/app/process/preflight.js");
  node = process.execPath;
}
process.exitCode = spawnSync(node, [`${ROOT}build/all.ts`], { stdio: "inherit" }).status ?? 1;
