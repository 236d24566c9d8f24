import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientSizes } from "../../build/client.ts";
import { npmOffline } from "../kit/npm.ts";
import { packClient } from "../kit/pack.ts";
import { type ProgramResult, runProgram } from "../kit/program.ts";
import { temporaryFolder } from "../kit/world.ts";

/** The client as a user installs it: in a separate folder, from the tarball alone. */
export interface Installed {
  readonly folder: string;
  /** The paths in the tarball. */
  readonly paths: readonly string[];
  readonly sizes: ClientSizes;
  /** Runs a program in that folder, with the Node.js of this run unless another one is given. */
  run(file: string, text: string, environment?: Readonly<Record<string, string>>): Promise<ProgramResult>;
  readonly environment: NodeJS.ProcessEnv;
}

/** Builds, packs and installs the client in a separate folder, without a network. */
export async function installClient(): Promise<Installed> {
  const folder = temporaryFolder();
  const environment = npmOffline(folder);
  const packed = await packClient(folder);
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
    sizes: packed.sizes,
    environment,
    run(file, text, more = {}) {
      writeFileSync(join(app, file), text);
      return runProgram(process.execPath, [file], { env: { ...environment, ...more }, cwd: app });
    },
  };
}
