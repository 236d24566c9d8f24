/** `opzoek jobs`: lists from a terminal, from their price to a file of results, through interruptions. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { cliContext } from "../../src/cli/context.ts";
import { runCli } from "../../src/cli/program.ts";
import { startScripted } from "../client/scripted.ts";
import { inject, jsonOf } from "../kit/answer.ts";
import { BAKERY, PLAIN, UNKNOWN } from "../kit/companies.ts";
import { type CuttingProxy, startCuttingProxy } from "../kit/cuttingProxy.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { spawnOpzoek } from "../kit/opzoek.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";

const ID = /^job_[0-9A-Za-z]{22}$/;
const NOBODY = "http://127.0.0.1:1";

let inside: InProcess;
let proxy: CuttingProxy;
let key: string;
let folder: string;
beforeAll(async () => {
  const tiers = { few: { monthlyTokens: 3, ratePerMinute: 1_000 } };
  inside = await composeInProcess(await makeWorld({ tiers }), { listOptions: { pollEveryMs: 10 } });
  proxy = await startCuttingProxy(await inside.app.listen({ host: "127.0.0.1", port: 0 }));
  ({ key } = await inside.account("plenty"));
  folder = temporaryFolder();
});

/** Runs a command line as `main.ts` does, without a terminal. */
async function run(line: string, { stdin, ...environment }: NodeJS.ProcessEnv & { stdin?: string } = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const context = cliContext(
    { OPZOEK_URL: proxy.address, OPZOEK_KEY: key, ...environment },
    {
      out: (text) => out.push(text),
      err: (text) => err.push(text),
      stderrIsTerminal: false,
      input: {
        isTerminal: stdin === undefined,
        async *lines() {
          yield* (stdin ?? "").split("\n");
        },
      },
    },
  );
  const code = await runCli(line.split(" "), context);
  return { code, out, err: err.join("\n") };
}

function file(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function submitted(line: string, more?: NodeJS.ProcessEnv & { stdin?: string }): Promise<string> {
  const { out, err } = await run(`jobs submit ${line}`, more);
  expect([out, err]).toEqual([[expect.stringMatching(ID)], expect.anything()]);
  return out[0] ?? "";
}

describe("opzoek jobs submit", () => {
  it("prints the price first, and sends nothing", async () => {
    const list = file("klanten.txt", `${BAKERY}, ${UNKNOWN}\n${BAKERY}\n`);
    const own = { OPZOEK_KEY: (await inside.account("plenty")).key };
    const { code, out } = await run(`jobs submit ${list} --kind lookup.enriched --dry-run`, own);
    expect([code, out]).toEqual([
      0,
      [
        "kind    lookup.enriched",
        "counts  sent 3, duplicates 1, numbers 2, done 0, found 0, failed 0",
        "tokens  estimated 10, charged 0",
      ],
    ]);
    const asJson = await run(`jobs submit ${list} --dry-run --json`, own);
    expect(JSON.parse(asJson.out.join(""))).toMatchObject({ kind: "lookup", tokens: { estimated: 2 } });
    expect(await run("jobs list --json", own)).toMatchObject({ code: 0, out: ['{"jobs":[]}'] });
  });

  it.each([
    ["numbers, a line each", "list.txt", `${BAKERY}\r\n${UNKNOWN}\r\n`, "lookup"],
    ["VAT numbers with blanks", "list", "NL 1234.56.782.B01\nDE 012 345 678\n", "vat"],
    ["CSV by its ending", "list.csv", `nr1;kvkNumber\n1;${BAKERY}\n2;${UNKNOWN}\n`, "lookup"],
    ["CSV by its first line", "klanten", `KvK-nummer;naam\n${BAKERY};x\n${UNKNOWN};y\n`, "lookup"],
    ["a title above the headings", "list.csv", `Klanten\n\nKvK;naam\n${BAKERY};x\n${UNKNOWN};y\n`, "lookup"],
    [
      "names in the Windows alphabet",
      "list.csv",
      Buffer.from("naam\nCaf\u00e9 Zee\nVeer\n", "latin1"),
      "match",
    ],
    [
      "Unicode text of a spreadsheet",
      "list.txt",
      Buffer.from(`\ufeff${BAKERY}\r\n${UNKNOWN}\r\n`, "utf16le"),
      "lookup",
    ],
    ["JSON lines by their first", "lines", `{"kvkNumber":"${BAKERY}"}\n"${UNKNOWN}"\n`, "lookup"],
  ])("accepts common formats: %s", async (_, name, text, kind) => {
    const { code, out, err } = await run(`jobs submit ${file(name, text)} --kind ${kind} --dry-run --json`);
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out.join(""))).toMatchObject({ counts: { sent: 2 }, tokens: { estimated: 2 } });
  });

  it("prints only the id, waits if requested, and exits with the list's outcome", async () => {
    const { code, out, err } = await run("jobs submit - --wait", { stdin: `${BAKERY}\n` });
    expect([code, out, err]).toEqual([0, [expect.stringMatching(ID)], "1 found, 1 tokens."]);
    const failing = await run("jobs submit - --wait --json", { stdin: `${BAKERY}\n${UNKNOWN}\n` });
    expect([failing.code, failing.err]).toEqual([1, expect.stringContaining("1 of 2 were not found")]);
    expect(JSON.parse(failing.out.join(""))).toMatchObject({ status: "completed", counts: { failed: 1 } });
    const { key: poor } = await inside.account("few");
    const stdin = PLAIN.slice(0, 5).join("\n");
    const paused = await run("jobs submit - --wait", { stdin, OPZOEK_KEY: poor });
    expect([paused.code, paused.err]).toEqual([1, expect.stringContaining("it resumes automatically")]);
  });

  it("reports that a list may have been accepted when the response is lost", async () => {
    const { code, err } = await run("jobs submit -", { stdin: BAKERY, OPZOEK_URL: NOBODY });
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/Before you submit the list again.*opzoek jobs list/),
    ]);
  });
});

describe("a submitted list", () => {
  it("can be shown, paused, resumed with another cap, and cancelled", async () => {
    const id = await submitted("- --cap 2", { stdin: PLAIN.slice(0, 4).join("\n") });
    const resumed = await run(`jobs resume ${id} --cap 3 --json`);
    expect(JSON.parse(resumed.out.join(""))).toMatchObject({ id, tokens: { max: 3 } });
    expect((await run(`jobs pause ${id}`)).out).toContainEqual(expect.stringMatching(/^status +paused$/));
    const { out } = await run(`jobs show ${id}`);
    for (const line of [/^status +paused$/, /^reason +caller$/, /^tokens .*max 3$/]) {
      expect(out).toContainEqual(expect.stringMatching(line));
    }
    const shown = await run(`jobs show ${id} --json`);
    expect(JSON.parse(shown.out.join(""))).toEqual(
      jsonOf(await inject(inside.app, { key, path: `/v1/jobs/${id}` })),
    );
    const listed = (await run("jobs list")).out.find((line) => line.startsWith(id));
    expect(listed).toMatch(/^job_\w+ {2}lookup +paused \(caller\) /);
    expect((await run(`jobs cancel ${id}`)).out).toContainEqual(expect.stringMatching(/^status +cancelled$/));
    expect(await run(`jobs results ${id}`)).toMatchObject({
      code: 0,
      err: expect.stringContaining("cancelled"),
    });
  });
});

describe("opzoek jobs results", () => {
  let id: string;
  let bytes: Buffer;
  beforeAll(async () => {
    const { out } = await run("jobs submit - --wait", { stdin: PLAIN.join("\n") });
    id = out[0] ?? "";
    bytes = Buffer.from((await inject(inside.app, { key, path: `/v1/jobs/${id}/results?format=csv` })).text);
  });
  const partials = () => readdirSync(folder).filter((name) => name.endsWith(".partial"));

  it("writes to stdout unchanged, as JSON lines or CSV", async () => {
    const environment = { PATH: process.env.PATH, OPZOEK_URL: proxy.address, OPZOEK_KEY: key };
    const lines = await spawnOpzoek(["jobs", "results", id], environment);
    expect([lines.code, lines.err, lines.out.split("\n").length]).toEqual([0, "", PLAIN.length + 1]);
    const csv = await spawnOpzoek(["jobs", "results", id, "--format", "csv"], environment);
    expect(csv.out).toBe(bytes.toString());
  });

  it("writes to a file, and resumes where it broke off, also in another run", async () => {
    const out = join(folder, "results.csv");
    const line = `jobs results ${id} --format csv --out ${out}`;
    proxy.cut(1_000, 500, 0, 0, 0);
    const broken = await run(line);
    expect([broken.code, broken.err]).toEqual([1, expect.stringContaining("run the same command to resume")]);
    expect(partials()).toEqual([expect.stringContaining(id)]);
    proxy.cut();
    const { code, err } = await run(line);
    expect([code, proxy.ranges.at(-1)]).toEqual([0, "bytes=1500-"]);
    expect(err).toContain(`${PLAIN.length} results`);
    expect(readFileSync(out)).toEqual(bytes);
    expect([partials(), statSync(out).mode & 0o777]).toEqual([[], 0o600]);
  });

  it("writes a complete file when two runs resume the same part concurrently", async () => {
    const out = join(folder, "twice.csv");
    const line = `jobs results ${id} --format csv --out ${out}`;
    proxy.cut(1_000, 500, 0, 0, 0);
    expect((await run(line)).code).toBe(1);
    proxy.cut();
    const both = await Promise.all([run(line), run(line)]);
    expect(both.map(({ code }) => code)).toContain(0);
    expect(readFileSync(out)).toEqual(bytes);
    expect(partials()).toEqual([]);
  });

  it("starts again if the results have changed, and needs no request if they were complete", async () => {
    const out = join(folder, "again.csv");
    const { etag = "" } = (await inject(inside.app, { key, path: `/v1/jobs/${id}/results?format=csv` }))
      .headers;
    const tag = String(etag).replaceAll('"', "");
    writeFileSync(`${out}.${id}-csv-0-0-other.partial`, "something of before");
    await run(`jobs results ${id} --format csv --out ${out}`);
    expect([readFileSync(out).equals(bytes), partials()]).toEqual([true, []]);
    writeFileSync(`${out}.${tag}.partial`, bytes);
    expect((await run(`jobs results ${id} --format csv --out ${out}`)).code).toBe(0);
    expect([readFileSync(out).equals(bytes), partials()]).toEqual([true, []]);
  });

  it("replaces the previous file even if there are no results any more", async () => {
    const cancelled = await submitted("- --wait", { stdin: BAKERY });
    await run(`jobs cancel ${cancelled}`);
    const out = join(folder, "cancelled.jsonl");
    writeFileSync(`${out}.${cancelled}-jsonl-1-0-0.0.partial`, '{"number":"5123');
    expect((await run(`jobs results ${cancelled} --out ${out}`)).code).toBe(0);
    expect([readFileSync(out, "utf8"), partials()]).toEqual(["", []]);
  });

  it("keeps no part, and announces none, if a part cannot be requested", async () => {
    const server = await startScripted();
    const counts = { sent: 1, duplicates: 0, numbers: 1, done: 1, found: 1, failed: 0 };
    const headers = { "content-type": "application/x-ndjson" };
    const out = join(folder, "without-a-tag");
    server.answer(
      { body: { id: "job_1", kind: "lookup", status: "completed", counts } },
      { headers, text: '{"number":"51234567"}\n', cut: true },
    );
    const fetched = await run(`jobs results job_1 --out ${out}`, { OPZOEK_URL: server.address });
    expect(fetched).toMatchObject({ code: 1, err: expect.not.stringContaining("resumes") });
    expect(readdirSync(folder).filter((name) => name.startsWith("without"))).toEqual([]);
  });

  it("reports the service's error when that breaks the download off, and not one of stdout", async () => {
    const lost = await submitted("- --wait", { stdin: BAKERY });
    proxy.cut(0, 0, 0, 0);
    for (const format of ["jsonl", "csv"]) {
      const { code, err } = await run(`jobs results ${lost} --format ${format}`);
      expect([code, err]).toEqual([1, expect.stringContaining("OPZOEK_URL")]);
      proxy.cut(0, 0, 0, 0);
    }
    proxy.cut();
  });
});

describe("an error names the remedy, and never shows a key", () => {
  it.each([
    ["no service", "jobs list", { OPZOEK_URL: undefined }, 2, /set OPZOEK_URL/],
    ["no such list", "jobs show job_0000000000000000000000", {}, 1, /no list/],
    ["no id", "jobs show 17", {}, 2, /the id of a list/],
    ["no such file", "jobs submit /nowhere/list.csv", {}, 1, /cannot be read/],
    ["an empty list", "jobs submit -", { stdin: "\n" }, 2, /no number/],
    ["no stdin", "jobs submit -", {}, 2, /to stdin/],
    ["no such kind", "jobs submit - --kind branches", { stdin: BAKERY }, 2, /lookup\.enriched/],
    ["no cap", "jobs submit - --cap 0", { stdin: BAKERY }, 2, /--cap <tokens>/],
    ["conflicting options", "jobs submit - --dry-run --wait", { stdin: BAKERY }, 2, /cannot be used with/],
    ["no webhook", "jobs submit - --webhook http://10.0.0.1", { stdin: BAKERY }, 2, /https/],
    ["no such column", "jobs submit - --format csv", { stdin: `naam\n${BAKERY}` }, 2, /kvkNumber/],
    ["no such folder", "jobs results ID --out /nowhere/out", {}, 1, /cannot be written/],
    ["a bad key", "jobs list", { OPZOEK_KEY: "opz_live_nonsense" }, 1, /Set OPZOEK_KEY/],
  ])("%s", async (_, line, environment, code, message) => {
    const id = line.includes("ID") ? await submitted("-", { stdin: BAKERY }) : "";
    const ended = await run(line.replace("ID", id), environment);
    expect([ended.code, ended.err]).toEqual([code, expect.stringMatching(message)]);
    expect(ended.err + ended.out.join()).not.toMatch(/opz_live_|at .*\.ts:/);
  });
});
