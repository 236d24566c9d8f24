/**
 * The tests' server starts where only root has access: its user can reach neither the checkout nor, possibly, TMPDIR.
 */
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "../kit/freePort.ts";
import { itWith, root } from "../kit/needs.ts";
import { databasesOn } from "../kit/postgres.ts";
import { installedPrograms, makePostgresHome, PostgresProcess } from "../kit/postgresServer.ts";
import { temporaryFolder } from "../kit/world.ts";

itWith(root, "a server runs for root with programs and TMPDIR in a folder of root", async () => {
  const own = mkdtempSync(join(temporaryFolder(), "own-"));
  chmodSync(own, 0o700);
  const programs = join(own, "native");
  cpSync(installedPrograms(), programs, { recursive: true, verbatimSymlinks: true });
  vi.stubEnv("TMPDIR", join(own, "tmp"));
  mkdirSync(join(own, "tmp"));
  onTestFinished(() => void vi.unstubAllEnvs());

  const home = makePostgresHome(programs);
  onTestFinished(() => home.remove());
  expect(home.folder.startsWith(own)).toBe(false);
  expect(home.programs.startsWith(home.folder)).toBe(true);
  const copied = readdirSync(home.programs, { recursive: true, encoding: "utf8" });
  expect(copied).toEqual(readdirSync(programs, { recursive: true, encoding: "utf8" }));
  const open = [home.folder, ...copied.map((path) => join(home.programs, path))].filter((path) => {
    const stats = lstatSync(path);
    return stats.uid !== 0 || (!stats.isSymbolicLink() && (stats.mode & 0o022) !== 0);
  });
  expect(open).toEqual([]);

  const port = await freePort();
  const server = new PostgresProcess({ home, data: join(home.folder, "data"), port, flags: [] });
  await server.initialise(["--no-sync"]);
  await server.start();
  onTestFinished(() => server.stop());
  expect(await databasesOn(port).newDatabase("own")).toContain(String(port));
});

it("a stopped server can be started again, and leaves no files", async () => {
  const home = makePostgresHome();
  const options = { home, data: join(home.folder, "data"), port: await freePort(), flags: [] };
  const server = new PostgresProcess(options);
  await expect(server.start()).rejects.toThrow(/PostgreSQL does not start: [\s\S]*data/);
  await server.initialise(["--no-sync"]);
  await server.start();
  await server.stop();
  await server.stop();
  await server.start();
  await server.stop();
  home.remove();
  expect(existsSync(home.folder)).toBe(false);
});
