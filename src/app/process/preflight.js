// Checks that run before anything else is loaded, in old JavaScript syntax because the running Node.js may be too old.
import { existsSync, readFileSync, writeSync } from "node:fs";

// By default this signal opens the debugger of Node.js to every user of this machine.
process.on("SIGUSR1", () => {});

// The kernel ignores signals that the first process of a container does not handle. This ends it like any other
// process, with the exit code that a shell shows, unless another listener handles the signal. The built program loads
// this file a second time.
if (process.pid === 1) {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
    if (process.listenerCount(signal) > 0) continue;
    process.on(signal, (_signal, number) => {
      if (process.listenerCount(signal) === 1) process.exit(128 + number);
    });
  }
}

const { engines } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
const needed = engines.node.replace(">=", "");
const [major, minor] = process.versions.node.split(".").map(Number);
const [neededMajor, neededMinor] = needed.split(".").map(Number);

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  const isThere = (path) => existsSync(new URL(path, import.meta.url));
  const install = "install a newer Node.js (https://nodejs.org)";
  const remedy = isThere("../../../node_modules/.bin/node")
    ? 'use node_modules/.bin/node, installed by "npm ci"'
    : isThere("../../../build/prepare.js")
      ? `run "npm ci" without --ignore-scripts, which installs one on Linux and macOS, or ${install}`
      : `${install}, or run an installed one by its path`;
  writeSync(
    2,
    `opzoek: Node.js ${needed} or later is required, but this is ${process.versions.node} (${process.execPath}): ${remedy}\n`,
  );
  process.exit(1);
}
