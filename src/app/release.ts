/** The identity of this program. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** Facts recorded by the build: the commit, and the formats of stored data. */
export interface BuiltRelease {
  readonly commit: string;
  readonly snapshotLayout: number;
  readonly indexLayout: number;
  /** The last migration of the state. */
  readonly stateMigration: string;
}

export interface Release extends BuiltRelease {
  readonly version: string;
  /** The running version of Node.js. */
  readonly node: string;
}

/** The folder of the built account page and docs page. */
export const PAGE_FOLDER = fileURLToPath(new URL("../../dashboard/dist", import.meta.url));

/** The file written by the build; absent next to the sources. */
const BUILT = new URL("./release.built.json", import.meta.url);

/** The version of the program, as `package.json` states it. */
export function programVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const isNamed = typeof parsed === "object" && parsed !== null && "version" in parsed;
  return isNamed ? String(parsed.version) : "unknown";
}

/** The running program. The commit is `unknown` if it runs from the sources or was built without their history. */
export async function readRelease(): Promise<Release> {
  const built = (await readBuilt()) ?? (await layoutsOfSources("unknown"));
  return { version: programVersion(), ...built, node: process.versions.node };
}

/** A summary line, such as `opzoek 1.0.0, commit 1a2b3c4d5e6f, Node.js 24.22.3, …`. */
export async function releaseLine(): Promise<string> {
  const { version, commit, node, snapshotLayout, indexLayout, stateMigration } = await readRelease();
  return `opzoek ${version}, commit ${commit}, Node.js ${node}, snapshot layout ${snapshotLayout}, index layout ${indexLayout}, state migration ${stateMigration}`;
}

/** The facts for the build to record, from constants in the sources. */
export async function layoutsOfSources(commit: string): Promise<BuiltRelease> {
  const [{ LAYOUT_VERSION }, { VERSION }, { MIGRATIONS }] = await Promise.all([
    import("../registry/layout.ts"),
    import("../search/index/sections.ts"),
    import("../database/migrations/all.ts"),
  ]);
  const stateMigration = Object.keys(MIGRATIONS).at(-1) ?? "none";
  return { commit, snapshotLayout: LAYOUT_VERSION, indexLayout: VERSION, stateMigration };
}

async function readBuilt(): Promise<BuiltRelease | undefined> {
  try {
    return JSON.parse(await readFile(BUILT, "utf8")) as BuiltRelease;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
