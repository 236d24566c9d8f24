// npm runs this after it changes node_modules. Every package of build/node has a program called `node`, and npm 9 and
// 10 remove its link together with the packages for other systems. This restores the link. Plain JavaScript for the
// Node.js of the system.
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
  // A dangling link does not "exist" but blocks a new one.
  rmSync(LINK, { force: true });
  symlinkSync(`../${installed}/bin/node`, LINK);
}
