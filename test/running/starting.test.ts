/** A start uses the compile cache of the previous one, and an outdated Node.js is reported. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { releaseLine } from "../../src/app/release.ts";
import { textOf } from "../architecture/repository.ts";
import { MAIN, spawnOpzoek } from "../kit/opzoek.ts";
import { startService } from "../kit/service.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";

const DEFAULT_CACHE = fileURLToPath(new URL("../../node_modules/.cache/opzoek", import.meta.url));
const { PATH } = process.env;

async function start(environment: NodeJS.ProcessEnv): Promise<void> {
  const { code, out, err } = await spawnOpzoek(["--version"], { PATH, ...environment });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  // Where it was built, the commit is known.
  const known = (await releaseLine()).replace("commit unknown", "commit (?:[0-9a-f]{12}(?:-dirty)?|unknown)");
  expect(out.trim()).toMatch(new RegExp(`^${known}$`));
}

thoroughIt("a start caches compiled code next to the program", async () => {
  await start({});
  expect(existsSync(DEFAULT_CACHE)).toBe(true);
});

it("a start caches compiled code of the embedded state's thread too, which compiles separately", async () => {
  const world = await makeWorld({ companies: [], environment: { NODE_DEBUG_NATIVE: "COMPILE_CACHE" } });
  const hit = /code cache for ESM \S+\/sqliteThread\.(?:js|ts) was accepted/;
  const startAndEnd = async () => {
    const service = await startService(world);
    await service.end("SIGTERM");
    return service.program.err() + service.program.out();
  };
  // The first start writes it, unless an earlier one did.
  await startAndEnd();
  expect(hit.test(await startAndEnd())).toBe(true);
});

it("a start caches compiled code in NODE_COMPILE_CACHE, and succeeds if that is not writable", async () => {
  const folder = temporaryFolder();
  await start({ NODE_COMPILE_CACHE: folder });
  expect(readdirSync(folder)).toHaveLength(1);
  await start({ NODE_COMPILE_CACHE: "/dev/null/none" });
});

it.each(["20.20.2", "22.23.3", "24.10.0"])(
  "a start reports in one line that Node.js %s is too old",
  (version) => {
    const versions = JSON.stringify({ ...process.versions, node: version });
    const older = `data:text/javascript,Object.defineProperty(process,"versions",{value:${versions}})`;
    const words = ["--import", older, MAIN, "serve"];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, {
      encoding: "utf8",
      env: { PATH },
    });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringMatching(`^opzoek: Node.js [0-9.]+ or later is required, but this is ${version} `),
    ]);
  },
);

it("a start first loads only modules that an older Node.js knows, and then the program", () => {
  const known = ["../src/app/process/preflight.js", "node:fs"];
  for (const path of ["bin/opzoek.js", "src/app/process/preflight.js"]) {
    const text = textOf(path);
    const imported = [...text.matchAll(/^import (?:.* from )?"([^"]+)";$/gm)].map(([, from]) => from ?? "");
    expect(known).toEqual(expect.arrayContaining(imported));
    expect(text).not.toMatch(/^import .*\.ts"/m);
  }
});
