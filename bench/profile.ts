/** Where the processor time of our server goes under load, by area, from the profiles that Node itself writes. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "typebox";
import { Check } from "typebox/value";

const ProfileSchema = Type.Object({
  nodes: Type.Array(
    Type.Object({
      id: Type.Integer(),
      callFrame: Type.Object({ functionName: Type.String(), url: Type.String() }),
      children: Type.Optional(Type.Array(Type.Integer())),
    }),
  ),
  samples: Type.Array(Type.Integer()),
  timeDeltas: Type.Array(Type.Number()),
});

/** The first area whose pattern is found in a file's address; what has no file belongs to who called it. */
const AREAS: readonly (readonly [string, RegExp])[] = [
  ["registry", /\/src\/(company|search|snapshot|lookup|kvk)\/|\/src\/lib\/rows/],
  ["metering and store", /\/src\/(metering|storage)\/|node:internal\/worker/],
  ["key: form, check, hash", /\/src\/contract\/keyForm|node:internal\/crypto/],
  ["PostgreSQL client", /node_modules\/pg/],
  ["log line", /\/src\/app\/log|node_modules\/(pino|sonic-boom|quick-format|@pinojs)/],
  ["body to JSON", /node_modules\/fast-json-stringify/],
  ["one call: route, input, headers", /\/src\//],
  ["fastify", /node_modules\/(fastify|@fastify|find-my-way|avvio|light-my-request)/],
  ["node: HTTP, sockets, streams, timers", /^node:/],
];
const BY_NAME: ReadonlyMap<string, string> = new Map([
  ["(idle)", "idle"],
  ["(garbage collector)", "garbage collection"],
  ["(program)", "native code"],
  ["(root)", "native code"],
]);

export interface AreaTime {
  readonly area: string;
  readonly ms: number;
}

export interface ThreadTimes {
  /** By the file that the thread began with, such as `sqliteThread`; `main` for the first of the process. */
  readonly thread: string;
  /** The most first; idle time is left out. */
  readonly areas: readonly AreaTime[];
}

const THREAD_FILE = /\/src\/.*\/(sqliteThread|\w+Worker)\.ts$/;

/** For every thread of the profiled process, what its time went to. */
export function readProfiles(folder: string): ThreadTimes[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".cpuprofile"))
    .sort()
    .map((name) => threadTimes(JSON.parse(readFileSync(join(folder, name), "utf8"))));
}

export function threadTimes(profile: unknown): ThreadTimes {
  if (!Check(ProfileSchema, profile)) throw new Error("a file is no processor profile");
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const areas = new Map<number, string>();
  const assign = (id: number, inherited: string): void => {
    const node = nodes.get(id);
    if (node === undefined) return;
    const { functionName, url } = node.callFrame;
    const area = BY_NAME.get(functionName) ?? areaOf(url) ?? inherited;
    areas.set(id, area);
    for (const child of node.children ?? []) assign(child, area);
  };
  const [root] = profile.nodes;
  if (root !== undefined) assign(root.id, "native code");
  const times = new Map<string, number>();
  for (const [index, id] of profile.samples.entries()) {
    const area = areas.get(id) ?? "native code";
    times.set(area, (times.get(area) ?? 0) + (profile.timeDeltas[index] ?? 0) / 1_000);
  }
  times.delete("idle");
  const began = profile.nodes.flatMap(({ callFrame }) => THREAD_FILE.exec(callFrame.url)?.[1] ?? []);
  return {
    thread: began[0] ?? "main",
    areas: Array.from(times, ([area, ms]) => ({ area, ms })).sort((one, other) => other.ms - one.ms),
  };
}

function areaOf(url: string): string | undefined {
  return AREAS.find(([, pattern]) => pattern.test(url))?.[0];
}

/** A table of the areas of each thread, with what each costs one answer; starting and stopping are in it. */
export function renderProfiles(threads: readonly ThreadTimes[], answers: number): string {
  const lines = ["| thread | area | µs an answer | share |", "|---|---|--:|--:|"];
  for (const { thread, areas } of threads) {
    const totalMs = areas.reduce((sum, { ms }) => sum + ms, 0);
    for (const { area, ms } of areas) {
      lines.push(
        `| ${thread} | ${area} | ${((ms * 1_000) / answers).toFixed(1)} | ${((ms / totalMs) * 100).toFixed(0)} % |`,
      );
    }
  }
  return lines.join("\n");
}
