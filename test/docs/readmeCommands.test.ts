/** The commands of README.md, CONTRIBUTING.md and docs/accounts.md work in a checkout as the pages say. */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { textOf } from "../architecture/repository.ts";
import { afterFile } from "../kit/afterFile.ts";
import { freePort } from "../kit/freePort.ts";
import { itWith, nothing, program } from "../kit/needs.ts";
import { thoroughIt, variants } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { temporaryFolder } from "../kit/world.ts";

const README = textOf("README.md");
const ACCOUNTS = textOf("docs/accounts.md");
const CONTRIBUTING = textOf("CONTRIBUTING.md");
const PASSWORD = "korenmolen draait hard";

/** The shell blocks of a page. */
function blocksOf(page: string): string[] {
  return [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
}

/** The only line of a page with this beginning, as a checkout runs it. */
function lineOf(page: string, beginning: string): string {
  const found = blocksOf(page)
    .flatMap((block) => block.split("\n"))
    .filter((line) => line.startsWith(beginning));
  expect([beginning, found.length]).toEqual([beginning, 1]);
  const [only = ""] = found;
  return only.replace(/^opzoek /, "npm run --silent opzoek -- ");
}

interface Run {
  readonly child: ChildProcess;
  out(): string;
  err(): string;
  readonly ended: Promise<number | null>;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** A data folder that a service may have left in the checkout. */
const DATA = "data";

/** A checkout without data. */
function checkoutOf(): string {
  const checkout = temporaryFolder();
  for (const name of readdirSync(ROOT).filter((entry) => !entry.startsWith(".") && entry !== DATA)) {
    symlinkSync(join(ROOT, name), join(checkout, name));
  }
  return checkout;
}

/** Starts commands in a shell with its own process group, so that everything it starts can be ended. */
function start(command: string, checkout: string, shell: readonly [string, ...string[]] = ["sh"]): Run {
  const [name, ...options] = shell;
  const child = spawn(name, [...options, "-c", command], {
    cwd: checkout,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    // No network access beyond this machine, and no fixed port.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: "0", VIES_URL: "http://127.0.0.1:1" },
  });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => err.push(text));
  const ended = new Promise<number | null>((resolve) => void child.once("close", resolve));
  afterFile(() => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, "SIGKILL");
  });
  return { child, out: () => out.join(""), err: () => err.join(""), ended };
}

/** Runs commands to their end. @returns their stdout */
async function run(
  command: string,
  checkout: string,
  shell?: readonly [string, ...string[]],
): Promise<string> {
  const running = start(command, checkout, shell);
  expect([command, await running.ended, running.err()]).toEqual([command, 0, expect.any(String)]);
  return running.out().trim();
}

async function startServe(command: string, checkout: string): Promise<{ readonly address: string }> {
  const serve = start(command, checkout);
  const address = await until("the service listens", () => {
    if (serve.child.exitCode !== null) throw new Error(`it ended: ${serve.err()}${serve.out()}`);
    return /"address":"(http[^"]+)".*"msg":"listening"|"msg":"listening".*"address":"(http[^"]+)"/
      .exec(serve.out())
      ?.slice(1)
      .find(Boolean);
  });
  return { address };
}

/** Starts a simulator on a free port instead of the page's. @returns its address */
async function simulated(command: string, checkout: string): Promise<string> {
  const simulator = start(command.replace(/--port [0-9]+/, "--port 0"), checkout);
  return until(
    "the simulator listens",
    () => / simulated at (http:\/\/[^:]+:[0-9]+)\//.exec(simulator.err())?.[1],
  );
}

function post(address: string, path: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json", origin: address, "sec-fetch-site": "same-origin" };
  return fetch(address + path, { method: "POST", headers, body: JSON.stringify(body) });
}

const SHELLS = [
  { shell: ["sh"], need: nothing },
  { shell: ["zsh", "-f", "-i"], need: program("zsh") },
] as const;
for (const { shell, need } of variants(SHELLS, { ordinary: 1 })) {
  itWith(
    need,
    `README.md loads a CSV file, serves a company from it, and stops the service, twice: ${shell.join(" ")}`,
    async () => {
      const [block = ""] = blocksOf(README).filter((one) => one.includes("import csv"));
      expect(block).toContain("8081");
      expect(README).toContain("until you run `kill $!`");
      const port = String(await freePort());
      const checkout = checkoutOf();
      for (const _time of ["first", "second"]) {
        const out = await run(`${block.replaceAll("8081", port)}\nkill $!\nwait`, checkout, shell);
        const [json = ""] = /^\{.*\}$/m.exec(out) ?? [];
        expect(JSON.parse(json)).toMatchObject({
          kvkNumber: "01234567",
          name: "Stichting Het Lege Boek",
          address: { city: "Verzinstad" },
          isActive: false,
          source: { kvk: "import:companies" },
        });
        await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow();
      }
    },
  );
}

it("README.md defines `opzoek`, with which docs/matching.md prints the evidence for a company of the demo", async () => {
  const [definition = ""] = blocksOf(README).filter((one) => one.startsWith("alias opzoek="));
  const [block = ""] = blocksOf(textOf("docs/matching.md")).filter((one) => one.includes("--explain"));
  expect(block).toContain(definition);
  const checkout = checkoutOf();
  const demo = start("npm start", checkout);
  await until("the demo listens", () => `${demo.out()}${demo.err()}`.includes("Opzoek demo: "));
  const out = await run(block, checkout);
  const [decision, best] = out.split("\n");
  expect([decision, textOf("docs/matching.md")]).toEqual([
    "decision: matched",
    expect.stringContaining(best?.replace(/ {2}[0-9.]+ %$/, "") ?? "?"),
  ]);
});

it("docs/accounts.md creates a key, and two ways to sign in", async () => {
  const checkout = checkoutOf();
  const ofPage = (beginning: string, id = "") =>
    run(lineOf(ACCOUNTS, `opzoek ${beginning}`).replace("acc_…", id), checkout);
  const id = await ofPage("account create");
  const key = await ofPage("key create --account acc_… --name website", id);
  const reset = /^\/#reset=(.+)$/.exec(await ofPage("account reset-password", id))?.[1];
  const invite = /^\/#invite=(.+)$/.exec(await ofPage("account invite"))?.[1];
  const { address } = await startServe("npm run --silent opzoek -- serve", checkout);
  const usage = await fetch(`${address}/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
  expect(await usage.json()).toMatchObject({ tier: "starter" });
  for (const [path, body] of [
    ["/account/password/reset", { token: reset, password: PASSWORD }],
    ["/account/sign-in", { email: "you@example.com", password: PASSWORD }],
    ["/account/sign-up", { email: "colleague@example.com", password: PASSWORD, invite }],
    ["/account/sign-in", { email: "colleague@example.com", password: PASSWORD }],
  ] as const) {
    const answer = await post(address, path, body);
    expect([path, answer.ok, await answer.text()]).toEqual([path, true, expect.any(String)]);
  }
});

thoroughIt(
  "CONTRIBUTING.md serves a company of the simulated KVK, checked with the simulated VIES",
  async () => {
    const checkout = checkoutOf();
    const id = await run(
      "npm run --silent opzoek -- account create --email you@example.com --tier pro",
      checkout,
    );
    const key = await run(`npm run --silent opzoek -- key create --account ${id} --name first`, checkout);
    const [kvk, vies] = await Promise.all(
      ["kvk", "vies"].map((name) =>
        simulated(lineOf(CONTRIBUTING, `npm run --silent opzoek -- simulate ${name}`), checkout),
      ),
    );
    const { address } = await startServe(
      lineOf(CONTRIBUTING, "KVK_API_URL=")
        .replace("http://127.0.0.1:8090", String(kvk))
        .replace("http://127.0.0.1:8091", String(vies)),
      checkout,
    );
    const [, number = ""] = /`([0-9]{8})` is one of their companies/.exec(CONTRIBUTING) ?? [];
    const answer = await fetch(`${address}/v1/lookup/${number}?enrich=true`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(await answer.json()).toMatchObject({
      kvkNumber: number,
      source: { kvk: "kvk-api", vies: "validated" },
      vat: { valid: true, status: "validated", origin: "rsin" },
    });
  },
);

it("`npm start` starts the demo, whose examples readme.test.ts runs", () => {
  const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
  expect(scripts["start"]).toBe("exec node bin/opzoek.js demo");
});
