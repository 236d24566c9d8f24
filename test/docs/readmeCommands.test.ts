/** Every command of the README, run as it stands there, in a checkout of its own and in the order of the page's needs. */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { generateCompanies } from "../../src/demo/generateCompanies.ts";
import { formatFacts } from "../../src/import/jsonl.ts";
import { Register } from "../../src/simulators/kvk/register.ts";
import { textOf } from "../architecture/repository.ts";
import { afterFile } from "../kit/afterFile.ts";
import { until } from "../kit/until.ts";
import { temporaryFolder } from "../kit/world.ts";
import { zipOf } from "../kit/zip.ts";

const page = textOf("README.md");
const PASSWORD = "korenmolen draait hard";

/** Every line that the page offers to a shell, without what it says about it. */
const lines = [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block = ""]) => block.trimEnd().split("\n"))
  .map((line) => line.replace(/ +# .*$/, ""));

/** Lines that are not run here, and why not. */
const EXCEPTED: Readonly<Record<string, string>> = {
  "sudo apt-get install git nodejs npm libatomic1": "is for root of a bare system",
  "npm ci && npm start": "readme.test.ts runs what `npm start` is; .ci/run installs with `npm ci`",
  "npm ci && npm test": "is what runs this",
};
const IN_README_TEST = /^curl |^KEY=/;

const commands = lines.filter((line) => !IN_README_TEST.test(line) && !(line in EXCEPTED));
const taken = new Set<string>();

/** The only command of the page that begins so. */
function line(part: string): string {
  const starts = [part, `npm run --silent opzoek -- ${part}`];
  const found = commands.filter((command) => starts.some((words) => command.startsWith(words)));
  expect([part, found.length]).toEqual([part, 1]);
  const [only = ""] = found;
  taken.add(only);
  return only;
}

interface Run {
  readonly child: ChildProcess;
  out(): string;
  err(): string;
  readonly ended: Promise<number | null>;
  end(): Promise<number | null>;
}

const checkout = temporaryFolder();
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** What a checkout does not hold: its folder of data, which a service makes. */
const NOT_HELD = "data";
for (const name of readdirSync(ROOT).filter((entry) => !entry.startsWith(".") && entry !== NOT_HELD)) {
  symlinkSync(join(ROOT, name), join(checkout, name));
}

/** Starts a line in a shell, in a process group of its own: what npm starts ends with it. */
function start(command: string): Run {
  const child = spawn("sh", ["-c", command], {
    cwd: checkout,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    // Nothing leaves this machine, and no port is a fixed one.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: "0", VIES_URL: "http://127.0.0.1:1" },
  });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => err.push(text));
  const ended = new Promise<number | null>((resolve) => void child.once("close", resolve));
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, name);
  };
  afterFile(() => signal("SIGKILL"));
  const end = () => {
    signal("SIGTERM");
    return ended;
  };
  return { child, out: () => out.join(""), err: () => err.join(""), ended, end };
}

/** Runs a line to its end. @returns what it printed on stdout */
async function run(command: string): Promise<string> {
  const running = start(command);
  expect([command, await running.ended, running.err()]).toEqual([command, 0, expect.any(String)]);
  return running.out().trim();
}

async function startServe(command: string): Promise<{ address: string; end: Run["end"] }> {
  const serve = start(command);
  const address = await until("the service listens", () => {
    if (serve.child.exitCode !== null) throw new Error(`it ended: ${serve.err()}${serve.out()}`);
    return /"address":"(http[^"]+)".*"msg":"listening"|"msg":"listening".*"address":"(http[^"]+)"/
      .exec(serve.out())
      ?.slice(1)
      .find(Boolean);
  });
  return { address, end: serve.end };
}

/** Starts a simulator on a free port in the place of the page's. @returns its address */
async function simulated(command: string): Promise<string> {
  const simulator = start(command.replace(/--port [0-9]+/, "--port 0"));
  return until(
    "the simulator listens",
    () => / simulated at (http:\/\/[^:]+:[0-9]+)\//.exec(simulator.err())?.[1],
  );
}

function post(address: string, path: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json", origin: address, "sec-fetch-site": "same-origin" };
  return fetch(address + path, { method: "POST", headers, body: JSON.stringify(body) });
}

const GLEIF: Readonly<Record<string, string>> = {
  LEI: "5493000000000000MO01",
  "Entity.LegalName": "MOLENWERKEN ROMMELDAM B.V.",
  "Entity.RegistrationAuthority.RegistrationAuthorityID": "RA000463",
  "Entity.RegistrationAuthority.RegistrationAuthorityEntityID": "50000010",
  "Entity.LegalJurisdiction": "NL",
  "Entity.LegalForm.EntityLegalFormCode": "54M6",
  "Entity.LegalForm.OtherLegalForm": "",
  "Entity.LegalAddress.FirstAddressLine": "KORENMOLENLAAN 194",
  "Entity.LegalAddress.AdditionalAddressLine.1": "",
  "Entity.LegalAddress.City": "ROMMELDAM",
  "Entity.LegalAddress.Country": "NL",
  "Entity.LegalAddress.PostalCode": "1817BC",
  "Entity.EntityStatus": "ACTIVE",
  "Entity.EntityCreationDate": "1994-07-07T00:00:00Z",
  "Registration.LastUpdateDate": "2026-02-03T08:12:11+01:00",
  "Registration.RegistrationStatus": "ISSUED",
  "Registration.ValidationAuthority.ValidationAuthorityID": "",
};

describe("the commands of README.md", () => {
  it("import the files that they name", async () => {
    const csv = [Object.keys(GLEIF), Object.values(GLEIF)].map((row) =>
      row.map((cell) => `"${cell}"`).join(","),
    );
    writeFileSync(join(checkout, "lei2-golden-copy.csv.zip"), zipOf({ "lei2.csv": csv.join("\n") }));
    writeFileSync(
      join(checkout, "profielen.json"),
      JSON.stringify([new Register().company("90000010")?.wire.basisprofiel]),
    );
    writeFileSync(join(checkout, "klanten.csv"), "kvk;naam\n50000011;Graanhandel Rommeldam\n");
    const companies = Array.from(generateCompanies({ companies: 3, seed: 1 }), formatFacts);
    writeFileSync(join(checkout, "bedrijven.jsonl"), companies.join("\n"));
    for (const format of ["gleif", "kvk", "csv", "jsonl"]) await run(line(`import ${format}`));
    expect(await run(line("registry"))).toMatch(/\b6 companies/);
  });

  it("make an account, a key and a way to sign in, and serve both simulators", async () => {
    const id = await run(line("account create"));
    const withId = (part: string) => line(part).replace("acc_…", id);
    const key = await run(withId("key create"));
    const reset = /^\/#reset=(.+)$/.exec(await run(withId("account reset-password")))?.[1];
    const invite = /^\/#invite=(.+)$/.exec(await run(line("account invite")))?.[1];

    const overSimulators = line("KVK_API_URL=");
    const [kvk, vies] = await Promise.all([
      simulated(line("simulate kvk")),
      simulated(line("simulate vies")),
    ]);
    const serve = await startServe(
      overSimulators.replace("http://127.0.0.1:8090", kvk).replace("http://127.0.0.1:8091", vies),
    );
    const [, number = ""] = /`([0-9]{8})` is one of their companies/.exec(page) ?? [];
    const answer = await fetch(`${serve.address}/v1/lookup/${number}?enrich=true`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(await answer.json()).toMatchObject({
      kvkNumber: number,
      source: { kvk: "kvk-api", vies: "validated" },
      vat: { valid: true, status: "validated", origin: "rsin" },
    });
    expect(await serve.end()).not.toBe(1);

    const plain = await startServe(line("serve"));
    for (const [path, body] of [
      ["/account/password/reset", { token: reset, password: PASSWORD }],
      ["/account/sign-in", { email: "you@example.com", password: PASSWORD }],
      ["/account/sign-up", { email: "colleague@example.com", password: PASSWORD, invite }],
      ["/account/sign-in", { email: "colleague@example.com", password: PASSWORD }],
    ] as const) {
      const told = await post(plain.address, path, body);
      expect([path, told.ok, await told.text()]).toEqual([path, true, expect.any(String)]);
    }
    await plain.end();
  });

  it("are all run, but for those that are excepted with a reason", () => {
    expect(Object.keys(EXCEPTED).filter((one) => !lines.includes(one))).toEqual([]);
    expect(commands.filter((one) => !taken.has(one))).toEqual([]);
    const scripts = (JSON.parse(textOf("package.json")) as { scripts: Record<string, string> }).scripts;
    // What readme.test.ts starts is what `npm start` starts.
    expect(scripts["start"]).toBe("exec node bin/opzoek.js demo");
  });
});
