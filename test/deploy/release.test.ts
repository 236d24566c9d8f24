/** A release: packed, installed in an empty folder without any other package, and used as on a first visit. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { ROOT } from "../architecture/repository.ts";
import { afterFile } from "../kit/afterFile.ts";
import { checkoutState } from "../kit/checkout.ts";
import { ask } from "../kit/client.ts";
import { npmOffline } from "../kit/npm.ts";
import { copyOf, type Packed, packProgram } from "../kit/pack.ts";
import { killIfRunning, lastChildOf, type ProgramResult, runProgram, startProgram } from "../kit/program.ts";
import { serviceBy } from "../kit/service.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { temporaryFolder } from "../kit/world.ts";

const folder = temporaryFolder();
const environment: NodeJS.ProcessEnv = {
  ...npmOffline(folder),
  DATA_DIR: join(folder, "data"),
  PORT: "0",
  VIES_URL: "http://127.0.0.1:1",
};

const checkoutBefore = checkoutState();
let packed: Packed;
/** The installed program. */
let opzoek = "";
const run = (...words: string[]): Promise<ProgramResult> =>
  runProgram(opzoek, words, { env: environment, cwd: folder });

beforeAll(async () => {
  // The test run builds before its first file.
  packed = await packProgram(folder);
});

it("a release holds the program, the pages and the operators' files, and no development files", () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      "package.json",
      "LICENSE",
      "README.md",
      "bin/opzoek.js",
      "dist/main.js",
      "dist/release.built.json",
      "dist/commonPasswords.built.txt",
      "dist/third-party.txt",
      "dashboard/dist/index.html",
      "dashboard/dist/docs/index.html",
      "dashboard/dist/element.js",
      "dashboard/dist/third-party.txt",
      "docs/install.md",
    ]),
  );
  const scripts = paths.filter((path) => /^dist\/.*\.js$/.test(path));
  const names = (path: string): boolean =>
    readFileSync(join(ROOT, path), "utf8").includes('new URL("./commonPasswords.built.txt"');
  expect(scripts.filter(names)).toHaveLength(1);
  expect(paths.filter((path) => /^(test|bench|build|docs\/images)\/|\.tsx?$|\.map$/.test(path))).toEqual([]);
  expect(packed.size).toBeLessThan(6e6);
});

it("a release is packed without changing the checkout, which other tests use at the same time", () => {
  expect(checkoutState()).toEqual(checkoutBefore);
});

thoroughIt("a release is installed by npx without other packages, and prints its version", async () => {
  const { out } = await runProgram("npx", ["--yes", `./${packed.filename}`, "--version"], {
    env: environment,
    cwd: folder,
  });
  expect(out).toMatch(
    /^opzoek [0-9.]+, commit ([0-9a-f]{7,}(-dirty)?|unknown), Node.js [0-9.]+, snapshot layout [0-9]+, index layout [0-9]+, state migration [0-9]{4}_[\w.]+$/m,
  );
  const [installed = ""] = readdirSync(join(folder, "cache", "_npx"));
  const modules = join(folder, "cache", "_npx", installed, "node_modules");
  expect(readdirSync(modules).filter((name) => !name.startsWith("."))).toEqual(["opzoek"]);
});

thoroughIt("a release serves by npx alone, and stops on SIGTERM", async () => {
  const env = { ...environment, DATA_DIR: join(folder, "tried") };
  const words = ["--yes", `./${packed.filename}`, "serve"];
  const service = await serviceBy(startProgram("npx", words, { env, cwd: folder }));
  const pid = lastChildOf(service.program.child.pid ?? 0);
  expect(pid).not.toBe(service.program.child.pid);
  // npm does not forward signals.
  afterFile(() => killIfRunning(pid));
  expect((await ask(service, { path: "/livez" })).status).toBe(200);
  expect((await ask(service, { path: "/" })).status).toBe(200);
  process.kill(pid, "SIGTERM");
  expect((await service.program.ended).code).toBe(0);
  expect(service.log().at(-1)).toMatchObject({ msg: "stopped" });
});

it("a release is installed permanently as documented, imports companies, creates an account and a key, serves calls and pages, and stops on SIGTERM", async () => {
  const prefix = join(folder, "opt");
  const words = ["install", "--global", "--prefix", prefix, `./${packed.filename}`];
  await runProgram("npm", words, { env: environment, cwd: folder });
  opzoek = join(prefix, "bin/opzoek");
  // The files that operators copy are included.
  const unit = join(prefix, "lib/node_modules/opzoek/deploy/systemd/opzoek.service");
  expect(existsSync(unit)).toBe(true);
  const { out: companies } = await run("generate", "--companies", "50");
  writeFileSync(join(folder, "bedrijven.jsonl"), companies);
  await run("import", "jsonl", "bedrijven.jsonl");
  const account = (
    await run("account", "create", "--email", "you@example.com", "--tier", "starter")
  ).out.trim();
  const key = (await run("key", "create", "--account", account, "--name", "website")).out.trim();

  const service = await serviceBy(startProgram(opzoek, ["serve"], { env: environment, cwd: folder }));
  const [first] = service.log();
  expect(first).toMatchObject({
    msg: "starting",
    version: expect.stringMatching(/^[0-9.]+(-rc\.[0-9]+)?$/),
    commit: expect.any(String),
    node: process.versions.node,
    snapshotLayout: expect.any(Number),
    indexLayout: expect.any(Number),
    stateMigration: expect.stringMatching(/^[0-9]{4}_/),
  });
  const { kvkNumber, name } = JSON.parse(companies.split("\n")[0] ?? "") as Record<string, unknown>;
  const found = await ask(service, { path: `/v1/lookup/${String(kvkNumber)}`, key });
  expect([found.status, JSON.parse(found.text)]).toEqual([200, expect.objectContaining({ kvkNumber, name })]);
  for (const path of ["/", "/docs/"]) {
    const page = await ask(service, { path });
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    const [, script = ""] = /src="(\/assets\/[^"]+)"/.exec(page.text) ?? [];
    expect([path, (await ask(service, { path: script })).status]).toEqual([path, 200]);
  }
  expect((await ask(service, { path: "/v1/openapi.json" })).status).toBe(200);
  expect(await service.end("SIGTERM")).toBe(0);
});

thoroughIt(
  "a release without built pages says at its start and in their place how to build them",
  async () => {
    const copy = copyOf(folder);
    rmSync(join(copy, "dashboard"), { recursive: true });
    const words = [join(copy, "bin/opzoek.js"), "serve"];
    const env = { ...environment, DATA_DIR: join(folder, "without-pages") };
    const service = await serviceBy(startProgram(process.execPath, words, { env }));
    await until("the log line is there", () => service.program.err().includes("npm run prepare"));
    expect(service.program.err()).toMatch(
      /^The account page and the docs page are not built.* "npm run prepare"/m,
    );
    expect((await ask(service, { path: "/docs" })).text).toContain("npm run prepare");
    expect(await service.end("SIGTERM")).toBe(0);
  },
);
