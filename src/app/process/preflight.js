// What must be so before anything else is loaded. Plain JavaScript of years ago: it is read by a Node.js that may be too old.
import { existsSync, readFileSync, writeSync } from "node:fs";

// Node.js would open its debugger with it, for whoever is on this machine.
process.on("SIGUSR1", () => {});

// A signal that the first process of a container does not heed does nothing to it, where it ends any other: this does the same, with the code that a
// shell tells. Where somebody else heeds it, that is for them. What is built brings this file a second time.
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
