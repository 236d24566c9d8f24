/**
 * A company suppressed after it was processed is in no later download, in either form, on either store, from any node
 * or thread.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, numberIn } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY, PLAIN } from "../kit/companies.ts";
import { opzoek } from "../kit/opzoek.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { storedTexts } from "../kit/storedState.ts";
import { variants } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { REGISTERED, startVies } from "../kit/vies.ts";
import { makeWorld, type World } from "../kit/world.ts";
import { begun, completed } from "./lists.ts";

const VAT_NUMBER = "PL8567346215";
const OTHER_VAT_NUMBER = "PL5260001246";
const FORMS = ["jsonl", "csv"] as const;
const NAME = /Fabelkorst/i;

const STORES = [
  ["embedded", async () => ({})],
  [
    "postgres",
    async () => ({ DATABASE_URL: await (await sharedPostgres()).newDatabase("list"), WORKERS: "2" }),
  ],
] as const;

describe.each(variants(STORES, { ordinary: 1 }))("on the %s store", (store, environment) => {
  let world: World;
  let key: string;
  let nodes: readonly Service[];
  /** The results of companies before one of them was suppressed. */
  let before: readonly Answer[];
  const ids = { companies: "", verdicts: "" };

  beforeAll(async () => {
    const vies = await startVies({ companyOf: () => REGISTERED });
    world = await makeWorld({ environment: { VIES_URL: vies.url, ...(await environment()) } });
    ({ key } = await world.account("plenty"));
    const first = await startService(world);
    const lists = await Promise.all([
      begun(first, key, [...PLAIN, BAKERY], "kind=lookup.enriched"),
      begun(first, key, [VAT_NUMBER, OTHER_VAT_NUMBER], "kind=vat"),
    ]);
    for (const { id } of lists) await completed(first, key, id);
    [ids.companies, ids.verdicts] = [lists[0]?.id ?? "", lists[1]?.id ?? ""];
    for (const id of Object.values(ids)) expect((await fetched(first, id, "jsonl")).text).toMatch(NAME);
    // Fresh nodes, which have not read the list yet, know least about suppressions.
    expect(await first.end("SIGTERM")).toBe(0);
    nodes =
      store === "embedded"
        ? [await startService(world)]
        : await Promise.all([startService(world), startService(world)]);
    const [node] = nodes;
    if (node === undefined) throw new Error("there is no node");
    before = await Promise.all(FORMS.map((format) => fetched(node, ids.companies, format)));
    const { code, err } = await opzoek(["forget", BAKERY, "--vat-number", VAT_NUMBER], world.environment);
    expect(code, err).toBe(0);
  });

  /** Retries on a node that cannot check the suppression list in time, which reports that. */
  const fetched = (node: Service, id: string, format: string, headers = {}): Promise<Answer> =>
    until("the node can check the suppression list", async () => {
      const answer = await ask(node, { path: `/v1/jobs/${id}/results?format=${format}`, key, headers });
      return answer.status !== 503 && answer;
    });

  it("a suppressed company is not returned", async () => {
    const downloads = await Promise.all(
      nodes.flatMap((node) =>
        FORMS.map(async (format) => ({ format, answer: await fetched(node, ids.companies, format) })),
      ),
    );
    for (const { format, answer } of downloads) {
      expect(answer.status).toBe(200);
      expect(answer.text).not.toMatch(NAME);
      expect(answer.text).toContain("Proefbedrijf 119");
      expect(answer.text).toContain("NOT_FOUND");
      expect(Buffer.byteLength(answer.text)).toBe(numberIn(answer, "content-length"));
      const old = before[FORMS.indexOf(format)]?.headers["etag"] ?? "";
      expect(answer.headers["etag"]).not.toBe(old);
    }
  });

  it("a suppressed company is returned without name and address in the result of its VAT number", async () => {
    for (const node of nodes) {
      for (const format of FORMS) {
        const { text } = await fetched(node, ids.verdicts, format);
        const [of, other] = [VAT_NUMBER, OTHER_VAT_NUMBER].map((number) =>
          text.split("\n").find((line) => line.includes(number)),
        );
        expect(of).toMatch(/true/);
        expect(of).not.toMatch(NAME);
        expect(other).toMatch(NAME);
      }
    }
  });

  it("a suppressed company stays deleted from the stored results after later downloads", async () => {
    for (const node of nodes) await fetched(node, ids.companies, "jsonl");
    const lines = await storedTexts(world, `select lines from job_results where job_id = '${ids.companies}'`);
    expect(lines.join("")).toContain("Proefbedrijf");
    expect(lines.join("")).not.toMatch(NAME);
  });

  it("a download that began before a suppression cannot be resumed", async () => {
    const [node] = nodes;
    if (node === undefined) throw new Error("there is no node");
    const { headers, text } = await fetched(node, ids.companies, "jsonl");
    const { code } = await opzoek(["forget", PLAIN[0] ?? ""], world.environment);
    expect(code).toBe(0);
    const range = { range: "bytes=100-", "if-range": headers["etag"] ?? "" };
    const full = await fetched(node, ids.companies, "jsonl", range);
    expect(full.status).toBe(200);
    expect(full.text).not.toContain("Proefbedrijf 0 ");
    expect(text).toContain("Proefbedrijf 0 ");
  });
});
