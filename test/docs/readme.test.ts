import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { PRICES } from "../../src/contract/prices.ts";
import { DEFAULT_TIERS } from "../../src/contract/tiers.ts";
import { VatSchema } from "../../src/contract/vatResources.ts";
import { demoKey } from "../../src/demo/accounts.ts";
import { ENDPOINTS } from "../../src/http/endpoints/all.ts";
import { textOf } from "../architecture/repository.ts";
import { CURLS } from "../kit/curls.ts";
import { describeWith } from "../kit/needs.ts";
import { type Service, startService } from "../kit/service.ts";
import { makeWorld } from "../kit/world.ts";
import { codeIn, tableUnder } from "./tables.ts";

const page = textOf("README.md");
const SHOWN_ADDRESS = "http://127.0.0.1:8080";

const run = promisify(execFile);

/** Runs a line as a person pastes it, against another address. Answers of 400 and above fail. */
async function paste(line: string, address: string, PATH: string): Promise<string> {
  const command = line
    .replace(SHOWN_ADDRESS, address)
    .replace(/^curl /, "curl --silent --show-error --fail ");
  const { stdout } = await run("sh", ["-c", command], { env: { PATH, KEY: demoKey("pro") } });
  return stdout;
}

describe("README.md", () => {
  it("shows the demo's key", () => {
    expect(page).toContain(`\nKEY=${demoKey("pro")}\n`);
  });

  describe("examples", () => {
    const lines = page.split("\n").filter((line) => line.startsWith("curl "));
    let demo: Service;
    beforeAll(async () => {
      const { environment } = await makeWorld({ companies: [], environment: { VIES_DEADLINE_MS: "30000" } });
      demo = await startService({ environment }, ["demo"]);
    });

    it("call every endpoint", () => {
      // A list must be there before one can be asked about it.
      for (const { path } of ENDPOINTS.filter((endpoint) => !endpoint.path.includes(":jobId"))) {
        const pattern = new RegExp(`${path.replace(/:[A-Za-z]+/, "([A-Z]{2})?[0-9]+")}(["?\\s]|$)`);
        expect(
          lines.some((line) => pattern.test(line)),
          path,
        ).toBe(true);
      }
    });

    it("of VAT numbers mean what is said of them", async () => {
      const [, valid, invalid, silent] =
        /`([A-Z0-9]+)` is valid, `([A-Z0-9]+)` is not, and for\n`([A-Z0-9]+)` the state does not answer/.exec(
          page,
        ) ?? [];
      const call = (number = "") =>
        fetch(`${demo.address}/v1/validate/vat/${number}?apikey=${demoKey("pro")}`);
      expect(await (await call(valid)).json()).toMatchObject({ valid: true, checksumValid: true });
      expect(await (await call(invalid)).json()).toMatchObject({ valid: false, checksumValid: true });
      const answer = await call(silent);
      expect([answer.status, answer.headers.get("x-tokens-charged")]).toEqual([502, "0"]);
    });

    for (const { name, need, path } of CURLS) {
      describeWith(need, `by ${name}`, () => {
        it.each(lines)("%s", async (line) => {
          const answer: unknown = JSON.parse(await paste(line, demo.address, path()));
          expect(answer).not.toHaveProperty("error");
          // What is found must be there to be seen.
          if (typeof answer === "object" && answer !== null && "results" in answer) {
            expect(answer.results).not.toEqual([]);
          }
          // What an example shows of VAT is a number that keeps every rule, as a reader expects of an example.
          if (typeof answer === "object" && answer !== null && "checksumValid" in answer) {
            expect(answer).toMatchObject({ valid: true, checksumValid: true });
          }
          if (line.includes("enrich=true"))
            expect(answer).toMatchObject({ vat: { valid: true, checksumValid: true } });
        });

        it("show the answer that comes", async () => {
          const shown = [...page.matchAll(/```sh\n(curl [^\n]+)\n```\n\n```json\n([\s\S]*?)```/g)];
          expect(shown.length).toBeGreaterThan(0);
          for (const [, line = "", json = ""] of shown) {
            expect(JSON.parse(await paste(line, demo.address, path()))).toEqual(JSON.parse(json));
          }
        });
      });
    }
  });

  it("lists every endpoint, with its parameters", () => {
    const rows = tableUnder(page, "## Endpoints and prices");
    for (const { method, path, schema } of ENDPOINTS) {
      const shown = `${method} ${path.replace(/:([A-Za-z]+)/, "{$1}")}`;
      const row = rows.find(([cell]) => codeIn(cell) === shown);
      expect(row, shown).toBeDefined();
      const parameters = {
        ...schema.querystring?.properties,
        ...schema.body?.properties,
      };
      for (const name of Object.keys(parameters)) expect(row?.[1], `${shown} ${name}`).toContain(name);
    }
  });

  it("gives the prices that are charged", () => {
    const rows = tableUnder(page, "## Endpoints and prices");
    const tokens = (path: string) => rows.find(([cell]) => codeIn(cell).endsWith(path))?.[2];
    expect(tokens("/v1/lookup/{kvkNumber}")).toBe(`${PRICES.lookup}, enriched ${PRICES["lookup.enriched"]}`);
    expect(tokens("/branches")).toBe(String(PRICES.branches));
    expect(tokens("/batch")).toBe(
      `${PRICES.batch} or ${PRICES["batch.enriched"]} for each that is delivered`,
    );
    expect(tokens("/autocomplete")).toBe(String(PRICES.autocomplete));
    expect(tokens("/search")).toBe(String(PRICES.search));
    expect(tokens("/usage")).toBe(String(PRICES.usage));
  });

  it("explains every status of a VAT number", () => {
    const statuses = tableUnder(page, "### VAT numbers").map(([cell]) => codeIn(cell));
    expect(VatSchema.properties.status).toMatchObject({ enum: statuses });
  });

  it("gives the tiers that are built in", () => {
    const expected = Object.entries(DEFAULT_TIERS).map(([name, { monthlyTokens, ratePerMinute }]) => [
      name,
      monthlyTokens.toLocaleString("en"),
      ratePerMinute.toLocaleString("en"),
    ]);
    expect(tableUnder(page, "## Limits")).toEqual(expected);
  });
});
