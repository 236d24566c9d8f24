/** The commands of `docs/peppol.md` return what the page shows. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { PEPPOL_STATUSES } from "../../src/contract/peppol.ts";
import { textOf } from "../architecture/repository.ts";
import { CURLS } from "../kit/curls.ts";
import { itWith } from "../kit/needs.ts";
import { serveHere } from "../kit/serveHere.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";
import { codeIn, tableUnder } from "./tables.ts";

const page = textOf("docs/peppol.md");
const folder = temporaryFolder();
let address: string;
let key: string;

beforeAll(async () => {
  const world = await makeWorld();
  ({ key } = await world.withAccounts(async (accounts) => {
    const { id } = await accounts.create("page@fabel.example", "plenty");
    return accounts.createKey(id, "test", "test");
  }));
  ({ address } = await serveHere(world));
});

const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, "g"))].map(([, text = ""]) => text);

/** The times of the answers of test keys are relative to now. Lines of CSV end with CRLF. */
const withoutTimes = (text: string) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…")
    .replaceAll("\r", "")
    .trim();

it("the page describes each status", () => {
  const rows = tableUnder(page, "# Peppol: can a company receive e-invoices?");
  expect(rows.map(([cell]) => codeIn(cell))).toEqual([...PEPPOL_STATUSES]);
});

for (const { name, need, path } of CURLS) {
  itWith(need, `the calls of the page return what it shows, by ${name}`, async () => {
    const printed: string[] = [];
    for (const block of blocks("sh").filter((text) => text.includes("curl"))) {
      const script = block.replaceAll("http://127.0.0.1:8080", address).replaceAll("sleep 2", "sleep 0.2");
      const { stdout } = await promisify(execFile)("sh", ["-euc", script], {
        cwd: folder,
        env: { PATH: path(), KEY: key },
      });
      printed.push(stdout);
    }
    const [check = "", lookup = "", list = "", changes = ""] = printed;
    const [shownCheck = "", shownPeppol = "", shownChanges = ""] = blocks("json").map(withoutTimes);
    expect(withoutTimes(check)).toBe(shownCheck);
    const { peppol } = JSON.parse(lookup) as { peppol: object };
    expect(withoutTimes(JSON.stringify(peppol))).toBe(shownPeppol);
    expect(withoutTimes(list)).toBe(withoutTimes(blocks("csv").join("")));
    const { events } = JSON.parse(changes) as { events: { changes: object }[] };
    expect(events.map((event) => JSON.stringify(event.changes))).toEqual([shownChanges]);
  });
}
