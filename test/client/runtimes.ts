import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sharedBrowser } from "../dashboard/support/visit.ts";
import { afterFile } from "../kit/afterFile.ts";
import { itWith, program } from "../kit/needs.ts";
import { runProgram } from "../kit/program.ts";
import { startSite } from "./site.ts";
import type { Stage } from "./stage.ts";

/**
 * The calls to make everywhere: a success, an error, an aborted keystroke, the balance; a list, and the second part of
 * its results.
 */
const tried = ([client, lists]: readonly string[], address: string, key: string): string => `
import { NotFoundError, Opzoek } from ${JSON.stringify(client)};
import { Jobs } from ${JSON.stringify(lists)};
const opzoek = new Opzoek({ baseUrl: ${JSON.stringify(address)}, key: ${JSON.stringify(key)} });
const { name } = await opzoek.lookup("51234567");
const missing = await opzoek.lookup("00000001").catch((error) => error instanceof NotFoundError && error.code);
const givenUp = opzoek.autocomplete("gou").catch((error) => error.name);
const { results } = await opzoek.autocomplete("goude", { limit: 2 });
const { tokensUsed } = await opzoek.batch(["51234567"]);
const jobs = new Jobs({ baseUrl: ${JSON.stringify(address)}, key: ${JSON.stringify(key)} });
const job = await jobs.wait(await jobs.submit(["51234567"], { kind: "lookup" }));
const [{ etag }] = await Array.fromAsync(jobs.download(job));
const [{ at }] = await Array.fromAsync(jobs.download(job, { from: { at: 9, etag } }));
const found = await Array.fromAsync(jobs.results(job), ({ result }) => result.name === name);
const collected = [name, missing, await givenUp, results.length, tokensUsed, opzoek.state.rate.limit, job.status, at, ...found];
`;
const NAME = "Bakkerij De Gouden Korenaar B.V.";
const EXPECTED = [NAME, "NOT_FOUND", "AbortError", 2, 1, 300, "completed", 9, true];

/** Two keystrokes in a page that has a token, and one of another session; each with its charge. */
const typedWith = (address: string, token: string, session: string): string => `(async () => {
  const { Opzoek } = await import("/dist/index.js");
  const opzoek = new Opzoek(${JSON.stringify({ baseUrl: address, key: token })});
  const field = opzoek.typing(${JSON.stringify({ session })});
  const collected = [];
  for (const typed of ["goude", "gouden"]) {
    const { results } = await field.suggest(typed, { limit: 2 });
    collected.push(results.length, opzoek.state.tokens.charged);
  }
  return [...collected, await opzoek.autocomplete("goude").catch(({ code }) => code)];
})()`;

/** Optional programs: npm packages provide both, at 100 MB each. */
const PROGRAMS = [
  { name: "Deno", command: "deno", words: ["run", "--allow-net"] },
  { name: "Bun", command: "bun", words: ["run"] },
] as const;

/** The client in every supported runtime. */
export function describeRuntimes(stage: () => Stage): void {
  const printing = (): string => {
    const { demo, key } = stage();
    return `${tried(["@opzoek/client", "@opzoek/client/jobs"], demo.address, key)}console.log(JSON.stringify(collected));`;
  };

  describe("the client runs", () => {
    it("in Node.js, and in one of its worker threads", async () => {
      const { installed } = stage();
      const { out } = await installed.run("node.mjs", printing());
      const inWorker =
        'import { Worker } from "node:worker_threads"; new Worker(new URL("node.mjs", import.meta.url));';
      const { out: worked } = await installed.run("worker.mjs", inWorker);
      expect([JSON.parse(out), JSON.parse(worked)]).toEqual([EXPECTED, EXPECTED]);
    });

    for (const { name, command, words } of PROGRAMS) {
      itWith(program(command), `in ${name}`, async () => {
        const { installed } = stage();
        await installed.run(`${command}.mjs`, printing());
        const { out } = await runProgram(command, [...words, `${command}.mjs`], {
          env: installed.environment,
          cwd: installed.folder,
        });
        expect(JSON.parse(out)).toEqual(EXPECTED);
      });
    }

    it("in a page of another origin, with a token too, and in a web worker of it", async () => {
      const { installed, demo, key } = stage();
      const code = tried(["/dist/index.js", "/dist/jobs.js"], demo.address, key);
      const site = await startSite(join(installed.folder, "node_modules/@opzoek/client"), {
        "/": '<!doctype html><title>A page</title><link rel="icon" href="data:,">',
        "/page.js": `${code}export { collected };`,
        "/worker.js": `${code}postMessage(collected);`,
      });
      const page = await (await sharedBrowser()).newPage();
      afterFile(() => page.close());
      await page.goto(site);
      // Passed as text: the browser runs none of this project's modules.
      const inPage = await page.evaluate('import("/page.js").then(({ collected }) => collected)');
      const inWorker = await page.evaluate(`new Promise((resolve, reject) => {
        const worker = new Worker("/worker.js", { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
      })`);
      expect([inPage, inWorker]).toEqual([EXPECTED, EXPECTED]);
      const { origin } = new URL(site);
      const session = "typing-in-the-page";
      const made = await fetch(`${demo.address}/v1/tokens`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ origin, session }),
      });
      const { token } = (await made.json()) as { token: string };
      const typed = page.evaluate(typedWith(demo.address, token, session));
      expect(await typed).toEqual([2, 1, 2, 0, "FORBIDDEN"]);
    });
  });
}
