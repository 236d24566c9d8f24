import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../architecture/repository.ts";
import { npmOffline } from "../kit/npm.ts";
import { type Ended, runProgram } from "../kit/program.ts";
import { temporaryFolder } from "../kit/world.ts";

/** The client as somebody has it who installed it: in a folder of its own, out of the tarball alone. */
export interface Installed {
  readonly folder: string;
  /** The paths in the tarball. */
  readonly paths: readonly string[];
  /** What the build said, sizes among it. */
  readonly said: string;
  /** Runs a program of the text in that folder, by the Node.js of this run unless another one is named. */
  run(file: string, text: string, environment?: Readonly<Record<string, string>>): Promise<Ended>;
  readonly environment: NodeJS.ProcessEnv;
}

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Builds, packs and installs the client, without a network. */
export async function installClient(): Promise<Installed> {
  const folder = temporaryFolder();
  const environment: NodeJS.ProcessEnv = {
    ...npmOffline(folder),
    npm_config_foreground_scripts: "true",
  };
  const words = ["pack", "--json", "--pack-destination", folder];
  const { out, err } = await runProgram("npm", words, { env: environment, cwd: join(ROOT, "client") });
  const [packed] = JSON.parse(out.slice(out.indexOf("["))) as readonly Packed[];
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
    said: err,
    environment,
    run(file, text, more = {}) {
      writeFileSync(join(app, file), text);
      return runProgram(process.execPath, [file], { env: { ...environment, ...more }, cwd: app });
    },
  };
}
