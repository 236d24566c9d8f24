import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildClient, type ClientSizes } from "../../build/client.ts";
import { ROOT } from "../architecture/repository.ts";
import { copyForPacking } from "../kit/checkout.ts";
import { npmOffline } from "../kit/npm.ts";
import { type Ended, runProgram } from "../kit/program.ts";
import { temporaryFolder } from "../kit/world.ts";

/** The client as somebody has it who installed it: in a folder of its own, out of the tarball alone. */
export interface Installed {
  readonly folder: string;
  /** The paths in the tarball. */
  readonly paths: readonly string[];
  readonly sizes: ClientSizes;
  /** Runs a program of the text in that folder, by the Node.js of this run unless another one is named. */
  run(file: string, text: string, environment?: Readonly<Record<string, string>>): Promise<Ended>;
  readonly environment: NodeJS.ProcessEnv;
}

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Builds, packs and installs the client in a folder of its own, without a network. */
export async function installClient(): Promise<Installed> {
  const folder = temporaryFolder();
  const environment = npmOffline(folder);
  const copy = join(folder, "packed-from");
  copyForPacking(join(ROOT, "client"), copy);
  // A build of an earlier `npm pack` in the checkout may have been copied.
  rmSync(join(copy, "dist"), { recursive: true, force: true });
  const sizes = await buildClient(join(copy, "dist"));
  const words = ["pack", "--json", "--pack-destination", folder];
  const { out } = await runProgram("npm", words, { env: environment, cwd: copy });
  const [packed] = JSON.parse(out) as readonly Packed[];
  if (packed === undefined) throw new Error(`npm packed nothing: ${out}`);
  const app = join(folder, "app");
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
  await runProgram("npm", ["install", "--no-audit", "--no-fund", join(folder, packed.filename)], {
    env: environment,
    cwd: app,
  });
  return {
    folder: app,
    paths: packed.files.map(({ path }) => path),
    sizes,
    environment,
    run(file, text, more = {}) {
      writeFileSync(join(app, file), text);
      return runProgram(process.execPath, [file], { env: { ...environment, ...more }, cwd: app });
    },
  };
}
