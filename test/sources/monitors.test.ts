/** `opzoek monitor` and `opzoek changes`: monitors and their events from a terminal. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { cliContext } from "../../src/cli/context.ts";
import { runCli } from "../../src/cli/program.ts";
import type { ChangeEvent, Monitor } from "../../src/contract/monitors.ts";
import { refusal, startScripted } from "../client/scripted.ts";
import { BAKERY, FERRY, UNKNOWN } from "../kit/companies.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";

const RENAMED = "99990301";
const MOVED = "99990302";

let inside: InProcess;
let address: string;
beforeAll(async () => {
  inside = await composeInProcess(await makeWorld());
  address = await inside.app.listen({ host: "127.0.0.1", port: 0 });
});

async function keys(): Promise<{ readonly live: string; readonly test: string }> {
  const { id, key } = await inside.account("plenty");
  return { live: key, test: (await inside.accounts.createKey(id, "test", "test")).key };
}

/** Runs a command line as `main.ts` does, without a terminal. */
async function run(key: string | undefined, line: string, stdin?: string, url = address) {
  const out: string[] = [];
  const err: string[] = [];
  const context = cliContext(
    { ...(key !== undefined && { OPZOEK_URL: url, OPZOEK_KEY: key }) },
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

const monitorsIn = (out: readonly string[]) => (JSON.parse(out.join("")) as { monitors: Monitor[] }).monitors;

describe("opzoek monitor", () => {
  it("adds numbers in any notation, with options, and lists them", async () => {
    const { live } = await keys();
    const line = `monitor add KVK${BAKERY} 01.23.45.67 --events company.moved,company.renamed --metadata a=1 --metadata b=2=3`;
    const { code, out } = await run(live, line);
    expect([code, out.length]).toEqual([0, 2]);
    expect(out[0]).toMatch(new RegExp(`^${BAKERY}  mon_\\w{22}  active +a=1, b=2=3$`));
    expect(monitorsIn((await run(live, "monitor list --json")).out)).toMatchObject(
      [BAKERY, FERRY].map(() => ({
        events: ["company.moved", "company.renamed"],
        metadata: { a: "1", b: "2=3" },
      })),
    );
  });

  it.each(["a file", "stdin"])("adds a list from %s, and fails if a number has no monitor", async (from) => {
    const { live } = await keys();
    const text = `${BAKERY}\n${UNKNOWN};123\n${BAKERY}`;
    const path = join(temporaryFolder(), "numbers.txt");
    writeFileSync(path, text);
    const source = from === "stdin" ? "-" : path;
    const { code, out, err } = await run(live, `monitor add ${source}`, from === "stdin" ? text : undefined);
    expect(code).toBe(1);
    expect(out.map((line) => line.replace(/ +mon_.*/, ""))).toEqual([
      BAKERY,
      expect.stringMatching(`^${UNKNOWN} +\\(NOT_FOUND\\)$`),
      expect.stringMatching(/^123 +\(INVALID_KVK_NUMBER\)$/),
    ]);
    expect(err).toContain("2 numbers have no monitor");
  });

  it("removes monitors by number and by id, and reports companies without one", async () => {
    const { live } = await keys();
    await run(live, `monitor add ${BAKERY} ${FERRY}`);
    const [first, second] = monitorsIn((await run(live, "monitor list --json")).out);
    const removed = await run(live, `monitor remove ${first?.id} ${second?.kvkNumber} ${UNKNOWN} --json`);
    expect(removed.code).toBe(1);
    expect(JSON.parse(removed.out.join(""))).toEqual({
      removed: [first?.id, second?.id],
      unknown: [UNKNOWN],
    });
    expect(removed.err).toContain(`no monitor: ${UNKNOWN}`);
    expect((await run(live, "monitor list")).out).toEqual([]);
  });

  it.each([
    [`monitor add ${BAKERY} --events company.sold`, "unknown type"],
    [`monitor add ${BAKERY} --metadata a`, "must be name=value"],
    [`monitor add ${BAKERY} --webhook http://hooks.example/`, "webhook must"],
    ["monitor add /no/such/file", "cannot be read"],
    ["monitor remove 123", "exactly 8 digits"],
    ["changes --every 0", "from 1 to 86400"],
    ["changes --after x", "after must be"],
  ])("explains the wrong use %s", async (line, problem) => {
    const { live } = await keys();
    const { code, err } = await run(live, line);
    expect(code).toBe(problem === "cannot be read" ? 1 : 2);
    expect(err).toContain(problem);
  });

  it("needs a service", async () => {
    for (const line of ["monitor list", "changes"]) {
      expect(await run(undefined, line)).toMatchObject({
        code: 2,
        err: expect.stringContaining("OPZOEK_URL"),
      });
    }
  });
});

describe("opzoek changes", () => {
  it("prints events on a line each, and the cursor to continue", async () => {
    const { test } = await keys();
    await run(test, `monitor add ${RENAMED} ${MOVED}`);
    const { code, out, err } = await run(test, "changes");
    expect(code).toBe(0);
    expect(out.toSorted()).toEqual([
      expect.stringMatching(
        /^99990301 {2}2026-\S+Z {2}company\.renamed {2}name: Test Oude Naam B\.V\. → Test Nieuwe Naam B\.V\.$/,
      ),
      expect.stringMatching(/^99990302 {2}2026-\S+Z {2}company\.moved {2}address: \{.*\} → \{.*\}$/),
    ]);
    const [, cursor = ""] = /^Continue with --after (\S{22})$/.exec(err) ?? [];
    const next = await run(test, `changes --json --after ${cursor}`);
    const events = next.out.map((line) => JSON.parse(line) as ChangeEvent & { cursor: string });
    expect(events.map(({ kvkNumber }) => kvkNumber).toSorted()).toEqual([RENAMED, MOVED]);
    expect(events[0]?.cursor).toBe(cursor);
    const moved = await run(test, `changes --json --kvk-number ${MOVED} --type company.moved`);
    expect(moved.out).toHaveLength(2);
  });

  it("keeps waiting for further events with --follow", async () => {
    const server = await startScripted();
    const page = (id: string, next: string) => ({
      body: { events: [{ id, type: "monitor.test", observedAt: "", changes: {} }], next },
    });
    const ended = refusal(410, "CURSOR_EXPIRED", { "x-oldest-cursor": "9" });
    server.answer(page("a", "1"), { body: { events: [], next: "1" } }, page("b", "2"), ended);
    const { out, err } = await run(
      "opz_live_x",
      "changes --follow --every 1 --json",
      undefined,
      server.address,
    );
    expect(out.map((line) => JSON.parse(line) as object)).toMatchObject([
      { id: "a", cursor: "1" },
      { id: "b", cursor: "2" },
    ]);
    expect(err).toContain("--after 9");
  });

  it("prints the oldest cursor when its own has expired", async () => {
    const { test } = await keys();
    await run(test, `monitor add ${RENAMED} ${MOVED}`);
    const { out } = await run(test, "changes --json");
    await run(test, `changes --json --after ${(JSON.parse(out[1] ?? "") as { cursor: string }).cursor}`);
    while (await inside.state.monitors.sweepMonitors(0));
    const { cursor } = JSON.parse(out[1] ?? "") as { cursor: string };
    const { code, err } = await run(test, `changes --after ${cursor}`);
    expect(code).toBe(1);
    expect(err).toMatch(/no longer kept\. The oldest ones: --after \S{22}$/);
  });
});
