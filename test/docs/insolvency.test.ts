/** The commands of `docs/insolvency.md` return what the page shows. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, expect } from "vitest";
import { textOf } from "../architecture/repository.ts";
import { CURLS } from "../kit/curls.ts";
import { itWith } from "../kit/needs.ts";
import { serveHere } from "../kit/serveHere.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";

const page = textOf("docs/insolvency.md");
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

for (const { name, need, path } of CURLS) {
  itWith(need, `the lookup, search and list of the page return what it shows, by ${name}`, async () => {
    const printed: string[] = [];
    for (const block of blocks("sh")) {
      const script = block.replaceAll("http://127.0.0.1:8080", address).replaceAll("sleep 2", "sleep 0.2");
      const { stdout } = await promisify(execFile)("sh", ["-euc", script], {
        cwd: folder,
        env: { PATH: path(), KEY: key },
      });
      printed.push(stdout);
    }
    const [lookup = "", search = "", list = ""] = printed;
    const [insolvency = "", ...shown] = blocks("json");
    expect((JSON.parse(lookup) as { insolvency: object }).insolvency).toEqual(JSON.parse(insolvency));
    expect([search.trim(), list.trim()]).toEqual(shown.map((text) => text.trim()));
  });
}
