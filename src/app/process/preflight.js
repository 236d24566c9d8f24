// Checks before anything else is loaded. Old JavaScript syntax: the running Node.js may be too old.
import { existsSync, readFileSync, writeSync } from "node:fs";

// By default this signal opens the debugger of Node.js to everybody on this machine.
process.on("SIGUSR1", () => {});

// The kernel ignores signals that the first process of a container does not handle. This ends it like any other process, with the exit code that a
// shell shows, unless another listener handles the signal. The built program loads this file a second time.
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
  const install = "install one (https://nodejs.org)";
  const remedy = isThere("../../../node_modules/.bin/node")
    ? 'use node_modules/.bin/node, which "npm ci" brings'
    : isThere("../../../build/prepare.js")
      ? `run "npm ci" without --ignore-scripts, which brings one for Linux and macOS, or ${install}`
      : `${install}, or name one that is installed by its path`;
  writeSync(
    2,
    `opzoek: Node.js ${needed} or later is needed and this is ${process.versions.node}, ${process.execPath}: ${remedy}\n`,
  );
  process.exit(1);
}
