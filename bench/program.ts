import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../bin/opzoek.js", import.meta.url));

/** The words that start `opzoek` under the Node that runs this. */
export const OPZOEK: readonly [node: string, main: string] = [process.execPath, MAIN];

/** The same program from its sources, as profiles tell functions by their files; what is built has few. */
export const SOURCE_MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/**
 * Runs one command of `opzoek` to its end.
 * @returns what it wrote on stdout
 * @throws {Error} with what it wrote on stderr when it did not succeed
 */
export function opzoek(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const [node, main] = OPZOEK;
    const child = spawn(node, [main, ...words], {
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => err.push(text));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(out.join(""));
      else reject(new Error(`opzoek ${words.join(" ")} ended with ${code}: ${err.join("").trim()}`));
    });
  });
}
