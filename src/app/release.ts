/** What this program is, for whoever has to say which one ran. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** What a build knows of a program: the commit, and the layouts of what it writes. */
export interface BuiltRelease {
  readonly commit: string;
  readonly snapshotLayout: number;
  readonly indexLayout: number;
  /** The last change of the tables of the state. */
  readonly stateMigration: string;
}

export interface Release extends BuiltRelease {
  readonly version: string;
  /** The version of the Node.js that runs this. */
  readonly node: string;
}

/** Where the build leaves the account page and the docs page. */
export const PAGE_FOLDER = fileURLToPath(new URL("../../dashboard/dist", import.meta.url));

/** What the build wrote beside the built program; the sources have none beside them. */
const BUILT = new URL("./release.built.json", import.meta.url);

/** The version of the program, as `package.json` states it. */
export function programVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const isNamed = typeof parsed === "object" && parsed !== null && "version" in parsed;
  return isNamed ? String(parsed.version) : "unknown";
}

/** What runs here. The commit is `unknown` where the sources run, or where they were built without their history. */
export async function readRelease(): Promise<Release> {
  const built = (await readBuilt()) ?? (await layoutsOfSources("unknown"));
  return { version: programVersion(), ...built, node: process.versions.node };
}

/** A line about it, such as `opzoek 0.1.0, commit 1a2b3c4d5e6f, Node.js 26.10.0, …`. */
export async function releaseLine(): Promise<string> {
  const { version, commit, node, snapshotLayout, indexLayout, stateMigration } = await readRelease();
  return `opzoek ${version}, commit ${commit}, Node.js ${node}, snapshot layout ${snapshotLayout}, index layout ${indexLayout}, state migration ${stateMigration}`;
}

/** What the build writes down, out of the constants of the sources. */
export async function layoutsOfSources(commit: string): Promise<BuiltRelease> {
  const [{ LAYOUT_VERSION }, { VERSION }, { MIGRATIONS }] = await Promise.all([
    import("../registry/layout.ts"),
    import("../search/index/sections.ts"),
    import("../storage/migrations/all.ts"),
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
