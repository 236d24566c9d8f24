import { readFileSync } from "node:fs";
import { afterFile } from "./afterFile.ts";
import type { Need } from "./needs.ts";
import { MAIN } from "./opzoek.ts";
import { isInstalled, type Program, startProgram } from "./program.ts";
import { until } from "./until.ts";

const APART = ["--pid", "--fork", "--kill-child=SIGKILL"];

/** A process namespace, as in a container. Only some users may create one. */
export const processNamespace: Need = {
  isMet: isInstalled("unshare", [...APART, "true"]),
  lack: "unshare cannot make a process namespace",
};

export interface FirstProcess extends Program {
  signal(name: NodeJS.Signals): void;
}

/** Starts `opzoek WORDS…` as the first process of its namespace, which receives only signals that it handles. */
export async function startAsFirst(words: readonly string[], env: NodeJS.ProcessEnv): Promise<FirstProcess> {
  const program = startProgram("unshare", [...APART, process.execPath, MAIN, ...words], { env });
  const { pid } = program.child;
  afterFile(async () => {
    program.child.kill("SIGKILL");
    await program.ended;
  });
  const first = await until("it has started", () => {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").match(/[0-9]+/) ?? [];
    return child === undefined ? undefined : Number(child);
  });
  return { ...program, signal: (name) => process.kill(first, name) };
}
