/**
 * The packed program and client, installed in one empty folder and used: on the project's Node.js, and on the oldest
 * and newest Node.js 24. `release.test.ts` and `test/client/package.test.ts` use each of them on the project's Node.js
 * in every run.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { demoKey } from "../../src/demo/accounts.ts";
import { textOf } from "../architecture/repository.ts";
import { npmOffline } from "../kit/npm.ts";
import { type Packed, packClient, packProgram } from "../kit/pack.ts";
import { runProgram, startProgram } from "../kit/program.ts";
import { serviceBy } from "../kit/service.ts";
import { temporaryFolder } from "../kit/world.ts";

const { version, engines } = JSON.parse(textOf("package.json")) as {
  readonly version: string;
  readonly engines: { readonly node: string };
};
const { optionalDependencies } = JSON.parse(textOf("build/node/package.json")) as {
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

const oldest = engines.node.replace(">=", "");
/** Versions as npm selects them. */
const VERSIONS = [process.versions.node, oldest, "24"];

const folder = temporaryFolder();
let tarballs: readonly Packed[];
beforeAll(async () => {
  tarballs = await Promise.all([packProgram(folder), packClient(folder)]);
});

/** Downloads a Node.js with the npm settings of this machine. @returns the folder of its `node` */
async function downloadNode(nodeVersion: string, home: string): Promise<string> {
  mkdirSync(home);
  // The package for this machine is the one that `npm ci` installed.
  const name = Object.keys(optionalDependencies).find((one) => existsSync(join("node_modules", one)));
  if (name === undefined) throw new Error("npm has no package of Node.js for this machine");
  await runProgram(
    "npm",
    ["install", "--no-audit", "--no-fund", "--prefix", home, `${name}@${nodeVersion}`],
    {
      env: process.env,
      cwd: home,
    },
  );
  return join(home, "node_modules", name, "bin");
}

const LOOKUP = `
import { Opzoek } from "@opzoek/client";
const [baseUrl, key] = process.argv.slice(2);
const company = await new Opzoek({ baseUrl, key }).lookup("51234567");
console.log(JSON.stringify([process.versions.node, company.name]));
`;

it.each(VERSIONS)("installs, starts the demo and looks up a company on Node.js %s", async (nodeVersion) => {
  const app = join(folder, `app-${nodeVersion}`);
  mkdirSync(app);
  const isOfThisRun = nodeVersion === process.versions.node;
  const bin = isOfThisRun
    ? dirname(process.execPath)
    : await downloadNode(nodeVersion, join(folder, `node-${nodeVersion}`));
  const offline = npmOffline(app);
  const env = { ...offline, PATH: `${bin}:${offline.PATH}`, DATA_DIR: join(app, "data"), PORT: "0" };
  const surroundings = { env, cwd: app };
  const node = join(bin, "node");
  const running = (await runProgram(node, ["--version"], surroundings)).out.trim().replace("v", "");
  expect(running.startsWith(nodeVersion)).toBe(true);

  writeFileSync(join(app, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const files = tarballs.map(({ filename }) => join(folder, filename));
  await runProgram("npm", ["install", "--no-audit", "--no-fund", ...files], surroundings);

  const opzoek = join(app, "node_modules/.bin/opzoek");
  const { out } = await runProgram(opzoek, ["--version"], surroundings);
  expect(out).toMatch(new RegExp(`^opzoek ${version}, .*\\bNode\\.js ${running},`));

  const demo = await serviceBy(startProgram(opzoek, ["demo"], surroundings));
  writeFileSync(join(app, "lookup.js"), LOOKUP);
  const printed = await runProgram(node, ["lookup.js", demo.address, demoKey("pro")], surroundings);
  expect(JSON.parse(printed.out)).toEqual([running, "Bakkerij De Gouden Korenaar B.V."]);
  expect(await demo.end("SIGTERM")).toBe(0);
});
