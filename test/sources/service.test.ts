/** `opzoek lookup`, `search` and the like with a service: its responses, prices, and remedies for errors. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { cliContext } from "../../src/cli/context.ts";
import { runCli } from "../../src/cli/program.ts";
import { inject, jsonOf } from "../kit/answer.ts";
import { BAKERY, ENDED, FERRY, FOREIGN, FROM_GLEIF, PO_BOX, SHIELDED, UNKNOWN } from "../kit/companies.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";

let inside: InProcess;
let address: string;
let key: string;
let dataDir: string;
beforeAll(async () => {
  const tiers = { poor: { monthlyTokens: 105, ratePerMinute: 1_000 } };
  const world = await makeWorld({ tiers });
  dataDir = world.dataDir;
  inside = await composeInProcess(world);
  address = await inside.app.listen({ host: "127.0.0.1", port: 0 });
  ({ key } = await inside.account("plenty"));
});

interface RunOptions {
  readonly columns?: number;
  readonly colours?: boolean;
  readonly stdin?: string;
  readonly environment?: NodeJS.ProcessEnv;
}

/** Runs a command line as `main.ts` does, with a terminal of the given width or none. */
async function run(line: string, { columns, colours = false, stdin, environment }: RunOptions = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const context = cliContext(
    { OPZOEK_URL: address, OPZOEK_KEY: key, ...environment },
    {
      out: (text) => out.push(text),
      err: (text) => err.push(text),
      stderrIsTerminal: false,
      screen: { columns, hasColours: colours },
      input: {
        isTerminal: stdin === undefined,
        async *lines() {
          yield* (stdin ?? "").split("\n");
        },
      },
    },
  );
  const code = await runCli(line.split(" "), context);
  return { code, out, err };
}

function answer(path: string) {
  return inject(inside.app, { key, path });
}

describe("a configured service", () => {
  it("--json prints the service's response for each command", async () => {
    const commands: [string, string][] = [
      [`lookup ${BAKERY} --json`, `/v1/lookup/${BAKERY}`],
      [`lookup ${BAKERY} --enrich --json`, `/v1/lookup/${BAKERY}?enrich=true`],
      [`branches ${BAKERY} --json`, `/v1/lookup/${BAKERY}/branches`],
      ["autocomplete fabel --json", "/v1/autocomplete?q=fabel"],
      ["search fabelkorst --json", "/v1/search?q=fabelkorst&pageSize=20"],
      ["vat DE12345678 --json", "/v1/validate/vat/DE12345678"],
    ];
    for (const [line, path] of commands) {
      const { out } = await run(line);
      expect(JSON.parse(out.join("")), line).toEqual(jsonOf(await answer(path)));
    }
  });

  it("a response has its price; --local queries the snapshot free of charge", async () => {
    const account = await inside.account("plenty");
    const environment = { OPZOEK_KEY: account.key };
    await run(`lookup ${BAKERY} --enrich`, { environment });
    await run("search fabelkorst", { environment });
    const usage = jsonOf(await inject(inside.app, { key: account.key, path: "/v1/usage" }));
    expect(usage).toMatchObject({ tokens: { used: 6 } });
    const { err } = await run(`lookup ${BAKERY} --local`, { environment: { DATA_DIR: temporaryFolder() } });
    expect(err.join()).toContain("There is no registry");
  });

  it("--local returns the same from the snapshot: for a batch, branches and autocomplete", async () => {
    const environment = { DATA_DIR: dataDir, OPZOEK_KEY: undefined };
    for (const words of [`branches ${BAKERY} --json`, "autocomplete fabel --json"]) {
      const printed = await run(words);
      expect(printed.code, words).toBe(0);
      expect(await run(`${words} --local`, { environment }), words).toEqual(printed);
    }
    const list = { stdin: `${BAKERY}\n${UNKNOWN}\n123\n` };
    const printed = await run("batch - --enrich", list);
    expect([printed.code, printed.out.length]).toEqual([1, 1 + 3]);
    // A snapshot alone has no VIES results.
    const [head, bakery = "", ...failed] = printed.out;
    const local = { ...printed, out: [head, bakery.replace("NL123456782B01", ""), ...failed] };
    expect(await run("batch - --enrich --local", { ...list, environment })).toEqual(local);
  });

  it("--url selects the service too, and --key-file the key's file", async () => {
    const file = join(temporaryFolder(), "key");
    writeFileSync(file, `${key}\n`);
    const environment = { OPZOEK_URL: undefined, OPZOEK_KEY: undefined };
    const { code, out } = await run(`lookup ${BAKERY} --json --url ${address} --key-file ${file}`, {
      environment,
    });
    expect([code, JSON.parse(out.join("")).kvkNumber]).toEqual([0, BAKERY]);
  });
});

describe("a list", () => {
  const HELD = [BAKERY, FERRY, SHIELDED, FOREIGN, PO_BOX, ENDED, FROM_GLEIF];
  const LIST = `${BAKERY}\n${UNKNOWN}\n1234567, ${FROM_GLEIF}\n\n`;

  it("is read from stdin, and written as CSV, one line per company and per failure", async () => {
    const { code, out, err } = await run("batch -", { stdin: LIST });
    expect(out).toEqual([
      "kvkNumber,name,isActive,legalForm,postalCode,city,address,vatNumber,error",
      expect.stringContaining(`${BAKERY},Bakkerij De Fabelkorst B.V.,true,,1234 AB,Verzinstad`),
      expect.stringContaining(`${FROM_GLEIF},`),
      `${UNKNOWN},,,,,,,,NOT_FOUND`,
      "1234567,,,,,,,,INVALID_KVK_NUMBER",
    ]);
    expect(code).toBe(1);
    expect(err.join()).toContain("2 of 4");
  });

  it("is shown as a table on a terminal, or as one document, each number requested once", async () => {
    const { code, out } = await run("batch", { stdin: `${BAKERY}\n${BAKERY}\n`, columns: 80 });
    expect([code, out]).toEqual([0, [expect.stringMatching(`^${BAKERY}  Bakkerij`)]]);
    const whole = await run(`batch ${BAKERY} --enrich --json`);
    expect(JSON.parse(whole.out.join(""))).toMatchObject({
      results: [{ kvkNumber: BAKERY, rsin: "123456782" }],
      failed: [],
      tokensUsed: 5,
    });
  });

  it("that the allowance covers in part returns the paid results, and says where it stopped", async () => {
    const account = await inside.account("poor");
    const unknown = Array.from({ length: 193 }, (_, index) => String(60_000_000 + index));
    const { code, out, err } = await run("batch -", {
      stdin: [...HELD, ...unknown].join(" "),
      environment: { OPZOEK_KEY: account.key },
    });
    // The first hundred are covered, and seven of them charged: too little is left for the second hundred.
    expect([code, out.length, out[1]]).toEqual([1, 1 + 100, expect.stringContaining(BAKERY)]);
    expect(err.join()).toContain("98 are left");
    expect(err.join()).toContain("100 were not looked up, starting with 60000093");
  });

  it("without numbers is a usage error", async () => {
    expect(await run("batch")).toMatchObject({
      code: 2,
      err: [expect.stringContaining("- with a list on stdin")],
    });
    expect(await run("batch -", { stdin: "\n" })).toMatchObject({ code: 2 });
  });
});

describe("on a terminal", () => {
  it("a table fits its width: the widest column shrinks, empty ones are omitted", async () => {
    const { out } = await run("search fabelkorst", { columns: 50 });
    expect(out[0]).toMatch(/^50000001 {2}Bakkerij De.*… {2}BV {2}1234 AB {2}Verzinstad$/);
    for (const line of out) expect([...line].length).toBeLessThanOrEqual(50);
    const [piped] = (await run("search fabelkorst")).out;
    expect(piped).toContain("Bakkerij De Fabelkorst B.V.");
  });

  it("colours are used only if the terminal supports them", async () => {
    const ESCAPE = "\u001b[";
    expect((await run(`lookup ${BAKERY}`, { columns: 80, colours: true })).out.join("")).toContain(ESCAPE);
    expect((await run(`lookup ${BAKERY}`, { columns: 80 })).out.join("")).not.toContain(ESCAPE);
  });
});

describe("an error names the remedy, and never shows a key", () => {
  it.each([
    ["not found", `lookup ${UNKNOWN}`, {}, 1, /no company with KVK number 59999999/],
    ["no branches", `branches ${FROM_GLEIF}`, {}, 1, /has no branches/],
    ["not valid", "vat NL000000000B00", {}, 1, /malformed/],
    ["VIES away", "vat NL123456782B01", {}, 1, /the number cannot be checked right now/],
    ["a bad number", "lookup 1234567", {}, 2, /exactly 8 digits/],
    ["a bad criterion", "search x", {}, 2, /^opzoek: q must be .*2 to 700/],
    ["a bad key", `lookup ${BAKERY}`, { OPZOEK_KEY: "opz_live_nonsense" }, 1, /Set OPZOEK_KEY/],
    ["no key", `lookup ${BAKERY}`, { OPZOEK_KEY: "" }, 2, /--key-file/],
    [
      "an unreachable service",
      `lookup ${BAKERY}`,
      { OPZOEK_URL: "http://127.0.0.1:1" },
      1,
      /Check the address/,
    ],
    ["an unsafe address", `lookup ${BAKERY} --url http://opzoek.example`, {}, 2, /https/],
    ["an invalid setting", `lookup ${BAKERY}`, { OPZOEK_URL: "opzoek.example" }, 2, /OPZOEK_URL/],
    ["no such file", `lookup ${BAKERY} --key-file /nowhere/key`, {}, 1, /cannot be read/],
    ["two sources", `lookup ${BAKERY} --local --url http://127.0.0.1:1`, {}, 2, /cannot be used with/],
  ])("%s", async (_, line, environment, code, message) => {
    const ended = await run(line, { environment });
    expect([ended.code, ended.err.join("\n")]).toEqual([code, expect.stringMatching(message)]);
    expect(ended.err.join() + ended.out.join()).not.toMatch(/opz_live_|at .*\.ts:/);
  });
});
