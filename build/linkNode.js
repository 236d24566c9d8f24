// npm runs this whenever it has changed node_modules. All packages of build/node offer a program by the name of `node`, and npm 9 and 10
// take its link away together with the packages that are not for this machine: this puts it back. Plain JavaScript for the Node.js
// of the system.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";

const MODULES = fileURLToPath(new URL("../node_modules/", import.meta.url));
const LINK = `${MODULES}.bin/node`;

const { optionalDependencies } = JSON.parse(
  readFileSync(new URL("node/package.json", import.meta.url), "utf8"),
);
const installed = Object.keys(optionalDependencies).find((name) => existsSync(MODULES + name));

if (installed !== undefined && !existsSync(LINK)) {
  mkdirSync(`${MODULES}.bin`, { recursive: true });
  // A link to what is gone does not exist, and is in the way.
  rmSync(LINK, { force: true });
  symlinkSync(`../${installed}/bin/node`, LINK);
}
