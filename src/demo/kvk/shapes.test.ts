import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { describeWith, shared, sharedPath } from "../../../test/kit/needs.ts";
import { isJsonObject, type JsonObject } from "../../lib/values.ts";
import { withArrayLinks } from "./faults.ts";
import { Register } from "./register.ts";
import { searchReply } from "./search.ts";

const RECORDED = sharedPath("data/kvk/recorded");

/**
 * Every path to a value with the type of the value: `adressen[].huisnummer number`. Geographic data, which Opzoek never
 * requests, is left out.
 */
function shapeOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => shapeOf(item, `${path}[]`));
  if (!isJsonObject(value)) return [`${path} ${typeof value}`];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "geoData" ? [] : shapeOf(inner, `${path}.${key}`),
  );
}

const asKey = (value: unknown) => [...new Set(shapeOf(value))].sort().join("\n");

const register = new Register();
/** A sample of each kind: the odd companies, which come last, and generated ones. */
const companies = [...register.all].slice(-300);

/** The shapes of the simulator's responses, with both forms of links. */
function produced(bodies: Iterable<JsonObject>): Set<string> {
  return new Set([...bodies].flatMap((body) => [asKey(body), asKey(withArrayLinks(body))]));
}

const wires = companies.map(({ wire }) => wire);

/**
 * Recordings by product, without templates of a specification ("string", 0), inputs of other tests and retired
 * products.
 */
const PRODUCTS: readonly (readonly [name: string, file: RegExp, bodies: () => Iterable<JsonObject>])[] = [
  [
    "Basisprofiel",
    /^(test_api_v1_basisprofielen_.*__200__|basisprofiel-|fixture_basisprofiel_response|minbzk_.*_basisprofiel\.)/,
    () => wires.map(({ basisprofiel }) => basisprofiel),
  ],
  [
    "list of branches",
    /^minbzk_.*_vestigingen\./,
    () => wires.flatMap(({ vestigingen }) => (vestigingen === undefined ? [] : [vestigingen])),
  ],
  [
    "Vestigingsprofiel",
    /^(test_api_v1_vestigingsprofielen_.*__200__|vestigingsprofiel-)/,
    () => wires.flatMap(({ vestigingsprofielen }) => Object.values(vestigingsprofielen)),
  ],
  [
    "Zoeken",
    /^(test_api_v2_zoeken_.*__200__|fixture_zoeken_response__None__9fe0b6)/,
    () =>
      companies.slice(-60).flatMap(({ facts: { kvkNumber, rsin } }) =>
        [`kvkNummer=${kvkNumber}`, ...(rsin === undefined ? [] : [`rsin=${rsin}`])].flatMap((query) => {
          const { status, body } = searchReply(register, new URLSearchParams(query));
          return status === 200 ? [body] : [];
        }),
      ),
  ],
];

function bodyOf(file: string): unknown {
  const parsed: unknown = JSON.parse(readFileSync(`${RECORDED}/${file}`, "utf8"));
  return isJsonObject(parsed) && "body" in parsed ? parsed.body : parsed;
}

describeWith(shared(RECORDED), "the simulator's shapes", () => {
  const files = readdirSync(RECORDED).filter((file) => file.endsWith(".json"));

  describe.each(PRODUCTS)("%s", (_, pattern, bodies) => {
    const recorded = files.filter((file) => pattern.test(file));
    let shapes: Set<string>;
    beforeAll(() => {
      shapes = produced(bodies());
    });

    it.each(recorded)("include that of %s, field by field", (file) => {
      expect([...shapes].includes(asKey(bodyOf(file))), asKey(bodyOf(file))).toBe(true);
    });
  });

  it("are compared with every recorded response of a product that the simulator has", () => {
    const held = PRODUCTS.flatMap(([, pattern]) => files.filter((file) => pattern.test(file)));
    const notServed =
      /companies|hoofdvestiging|v1_zoeken|abb8cc|minbzk_.*_vestigingsprofielen|__(400|404|500)__/;
    expect(files.filter((file) => !held.includes(file) && !notServed.test(file))).toEqual([]);
    expect(held.length).toBeGreaterThan(15);
  });
});
