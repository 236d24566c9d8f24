import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { readPointer } from "../../src/snapshot/directory.ts";
import { importFacts } from "../../src/snapshot/importFacts.ts";
import { openCurrentSnapshot, verifySnapshot } from "../../src/snapshot/openSnapshot.ts";
import { sourcedFacts, temporaryFolder } from "../kit/registry.ts";

const src = join(import.meta.dirname, "../../src");

/** A process that imports 3,000 companies into the folder and says where it is; after reading half it waits. */
const importing = (directory: string, waitsWhileReading: boolean) => `
  import { importFacts } from ${JSON.stringify(join(src, "snapshot/importFacts.ts"))};
  import { generateCompanies } from ${JSON.stringify(join(src, "demo/generateCompanies.ts"))};
  async function* facts() {
    let given = 0;
    for (const one of generateCompanies({ companies: 3_000, seed: 1 })) {
      yield one;
      if (++given === 1_500 && ${waitsWhileReading}) {
        console.log("reading");
        await new Promise((resolve) => setTimeout(resolve, 60_000));
      }
    }
  }
  await importFacts(${JSON.stringify(directory)}, facts(), {
    replace: false,
    onProgress: ({ stage }) => console.log(stage),
  });
  console.log("done");
`;

/** Kills such a process with SIGKILL as soon as it says that it has reached `stage`. */
async function killWhile(directory: string, stage: string): Promise<void> {
  const script = importing(directory, stage === "reading");
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  let isReached = false;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line !== stage) continue;
    isReached = true;
    child.kill("SIGKILL");
  }
  await exit;
  if (!isReached) throw new Error(`the import never said that it is ${stage}`);
}

describe("an import that is killed", () => {
  it.each(["reading", "writing companies", "indexing", "finishing", "checking"])(
    "while %s leaves a whole snapshot, and nothing that the next import does not clear",
    async (stage) => {
      const directory = temporaryFolder();
      await importFacts(directory, [sourcedFacts(1)], { replace: false });
      await killWhile(directory, stage);

      const pointer = readPointer(directory);
      if (pointer === undefined) throw new Error("the pointer is gone");
      await verifySnapshot(join(directory, pointer.current.file), pointer.current);
      const snapshot = openCurrentSnapshot(directory);
      // The kill may come too late to stop the very end: then the new snapshot is in place, as whole.
      expect([1, 3_001]).toContain([...(snapshot?.all() ?? [])].length);
      snapshot?.close();

      const { snapshot: next } = await importFacts(directory, [sourcedFacts(2)], { replace: false });
      expect(next?.companies).toBe(pointer.current.companies + 1);
    },
  );
});
