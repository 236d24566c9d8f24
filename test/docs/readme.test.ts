import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { ENRICHED_RULE } from "../../src/contract/enrichedCharge.ts";
import { PRICES } from "../../src/contract/prices.ts";
import { DEFAULT_TIERS } from "../../src/contract/tiers.ts";
import { VatSchema } from "../../src/contract/vatResources.ts";
import { demoKey } from "../../src/demo/accounts.ts";
import { ENDPOINTS } from "../../src/http/endpoints/all.ts";
import { textOf } from "../architecture/repository.ts";
import { CURLS } from "../kit/curls.ts";
import { startDemo } from "../kit/demo.ts";
import { describeWith } from "../kit/needs.ts";
import type { Service } from "../kit/service.ts";
import { codeIn, tableUnder } from "./tables.ts";

const README = textOf("README.md");
const API = textOf("docs/api.md");
const SHOWN_ADDRESS = "http://127.0.0.1:8080";

const run = promisify(execFile);

/** Runs a line as pasted, with another address. Responses of 400 and above fail. */
async function paste(line: string, address: string, PATH: string): Promise<string> {
  const command = line
    .replace(SHOWN_ADDRESS, address)
    .replace(/^curl /, "curl --silent --show-error --fail ");
  const { stdout } = await run("sh", ["-c", command], { env: { PATH, KEY: demoKey("pro") } });
  return stdout;
}

/** docs/reconcile.md and a specification describe the others. */
const DESCRIBED = ENDPOINTS.filter(({ specification }) => specification === undefined);

describe("README.md and docs/api.md", () => {
  it.each([README, API])("show the demo's key", (page) => {
    expect(page).toContain(`\nKEY=${demoKey("pro")}\n`);
  });

  describe("examples", () => {
    const lines = [README, API].flatMap((page) =>
      page.split("\n").filter((line) => /^curl -[HX]|^curl http/.test(line)),
    );
    let demo: Service;
    beforeAll(async () => {
      demo = await startDemo();
    });

    it("of VAT numbers have the results that the page states", async () => {
      const [, valid, invalid, silent] =
        /`([A-Z0-9]+)` is valid, `([A-Z0-9]+)` is not, and for `([A-Z0-9]+)` VIES does not answer/.exec(
          API,
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
          // A search that finds nothing shows nothing.
          if (typeof answer === "object" && answer !== null && "results" in answer) {
            expect(answer.results).not.toEqual([]);
          }
          // Readers expect the VAT number of an example to be correct.
          if (typeof answer === "object" && answer !== null && "checksumValid" in answer) {
            expect(answer).toMatchObject({ valid: true, checksumValid: true });
          }
          if (line.includes("enrich=true"))
            expect(answer).toMatchObject({ vat: { valid: true, checksumValid: true } });
        });

        it("return the JSON that README.md shows", async () => {
          const shown = [
            ...README.matchAll(/```sh\n(?:KEY=.*\n)?(curl [^\n]+)\n```\n\n```json\n([\s\S]*?)```/g),
          ];
          expect(shown).toHaveLength([...README.matchAll(/```json/g)].length);
          for (const [, line = "", json = ""] of shown) {
            const expected: object = JSON.parse(json);
            const varying = "validatedAt" in expected ? { validatedAt: expect.any(String) } : {};
            expect(JSON.parse(await paste(line, demo.address, path()))).toEqual({ ...expected, ...varying });
          }
        });
      });
    }
  });
});

describe("docs/api.md", () => {
  const rows = tableUnder(API, "# Endpoints and prices");

  it("lists every endpoint, with its parameters", () => {
    for (const { method, path, schema } of DESCRIBED) {
      const shown = `${method} ${path.replace(/:([A-Za-z]+)/, "{$1}")}`;
      const row = rows.find(([cell]) => codeIn(cell) === shown);
      expect(row, shown).toBeDefined();
      const parameters = {
        ...schema.querystring?.properties,
        ...schema.body?.properties,
      };
      for (const name of Object.keys(parameters)) expect(row?.[2], `${shown} ${name}`).toContain(name);
    }
  });

  it("gives the prices that are charged", () => {
    const tokens = (path: string) => rows.find(([cell]) => codeIn(cell).endsWith(path))?.[3];
    expect(tokens("/v1/lookup/{kvkNumber}")).toBe(
      `${PRICES.lookup}, ${ENRICHED_RULE}; ${PRICES.peppol} more with an answer of Peppol`,
    );
    expect(tokens("/branches")).toBe(String(PRICES.branches));
    expect(tokens("/batch")).toBe(`for each company returned ${PRICES.batch}, ${ENRICHED_RULE}`);
    expect(tokens("/autocomplete")).toMatch(
      new RegExp(`^${PRICES.autocomplete}; in a typing session the next`),
    );
    expect(tokens("/search")).toBe(String(PRICES.search));
    expect(tokens("/match")).toBe(`${PRICES.match} for each valid query`);
    expect(tokens("/usage")).toBe(String(PRICES.usage));
  });
});

it("docs/vat.md explains every status of a VAT number", () => {
  const statuses = tableUnder(textOf("docs/vat.md"), "# VAT statuses").map(([cell]) => codeIn(cell));
  expect(VatSchema.properties.status).toMatchObject({ enum: statuses });
});

it("docs/api.md lists the built-in plans", () => {
  const expected = Object.entries(DEFAULT_TIERS).map(([name, { monthlyTokens, ratePerMinute }]) => [
    name,
    monthlyTokens.toLocaleString("en"),
    ratePerMinute.toLocaleString("en"),
  ]);
  expect(tableUnder(API, "## Plans")).toEqual(expected);
});
