/** Nothing that KVK sends is stored without a bound. */
import { describe, expect, it } from "vitest";
import type { Rejection } from "../company/rejection.ts";
import { Fields } from "./fields.ts";
import { mapBasisprofiel } from "./map.ts";
import { readSignals } from "./mutations/readSignals.ts";
import { readOpenData } from "./openData/readOpenData.ts";

const LONG = "Fabel ".repeat(200_000);
const MAX_STORED = 20_000;
const PROFILE = {
  kvkNummer: "50000012",
  naam: "Bakkerij Fabel",
  handelsnamen: [{ naam: "Fabelbrood", volgorde: 1 }],
  totaalWerkzamePersonen: 12,
  sbiActiviteiten: [
    { sbiCode: "1071", sbiOmschrijving: "Vervaardiging van brood", indHoofdactiviteit: "Ja" },
  ],
  _embedded: {
    hoofdvestiging: {
      vestigingsnummer: "990000000022",
      websites: ["www.fabel.example"],
      adressen: [
        { type: "bezoekadres", straatnaam: "Kade", huisnummer: 1, postcode: "1012AB", plaats: "Rommeldam" },
      ],
    },
    eigenaar: { rsin: "123456782", rechtsvorm: "BeslotenVennootschap" },
  },
};

/** Every text of a value replaced by a long one, one at a time, with its path. */
function* withOneLong(value: unknown, path = ""): Generator<readonly [path: string, changed: unknown]> {
  if (typeof value === "string") yield [path, LONG];
  else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      for (const [inner, changed] of withOneLong(item, `${path}[]`)) yield [inner, value.with(at, changed)];
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      for (const [inner, changed] of withOneLong(item, path === "" ? key : `${path}.${key}`)) {
        yield [inner, { ...value, [key]: changed }];
      }
    }
  }
}

describe("a profile of KVK", () => {
  it.each([...withOneLong(PROFILE)])(
    "with a text of a megabyte as %s is stored without it, and it is counted",
    (path, profile) => {
      const mapped = mapBasisprofiel(profile);
      expect(JSON.stringify(mapped).length).toBeLessThan(MAX_STORED);
      const leftOut = "reason" in mapped ? [mapped] : mapped.leftOut;
      expect(leftOut.map(({ deviation }) => deviation?.path.split(".").at(-1)?.replace("[]", ""))).toContain(
        path.split(".").at(-1)?.replace("[]", ""),
      );
    },
  );

  it("with an impossible number of people is stored without it", () => {
    for (const totaalWerkzamePersonen of [1e12, Number.MAX_SAFE_INTEGER, 1e300, "999999999999"]) {
      const mapped = mapBasisprofiel({ ...PROFILE, totaalWerkzamePersonen });
      expect(mapped).toMatchObject({ facts: { name: "Bakkerij Fabel" } });
      expect(mapped).not.toHaveProperty("facts.employees");
    }
  });
});

describe("the fields of an object", () => {
  const read = (value: unknown) => {
    const leftOut: Rejection[] = [];
    return { fields: new Fields({ value }, "", leftOut), leftOut };
  };

  it("with a list that is too long are unknown", () => {
    const list = read(Array(20_001).fill({}));
    expect(list.fields.objects("value")).toBeUndefined();
    expect(list.leftOut).toMatchObject([{ deviation: { path: "value", kind: "list" } }]);
    expect(read(Array(20_000).fill({})).fields.objects("value")).toHaveLength(20_000);
  });

  it("with texts that are too long keep the others", () => {
    const texts = read(["a", LONG, "b"]);
    expect(texts.fields.texts("value")).toEqual(["a", "b"]);
    expect(texts.leftOut).toMatchObject([{ deviation: { path: "value[]", kind: "text" } }]);
  });
});

it.each([1_001, 1e12, Number.MAX_SAFE_INTEGER, "1000000000"])(
  "a page of signals that says there are %s pages is unreadable",
  (totaalPaginas) => {
    const leftOut: Rejection[] = [];
    expect(readSignals({ signalen: [], totaalPaginas }, leftOut)).toBeUndefined();
    expect(leftOut).toMatchObject([{ deviation: { path: "totaalPaginas" } }]);
    expect(readSignals({ signalen: [], totaalPaginas: 1_000 }, [])).toEqual({ signals: [], pages: 1_000 });
  },
);

it("codes and names of fields in open data are bounded", () => {
  const paths: string[] = [];
  const response = (status: number, body: object) =>
    ({
      kind: "response",
      status,
      headers: { "content-type": "application/json" },
      text: JSON.stringify(body),
    }) as const;
  const absent = readOpenData(response(404, { fout: [{ code: LONG }] }), "2026-01-01T00:00:00Z", () => {});
  expect(JSON.stringify(absent).length).toBeLessThan(500);
  readOpenData(
    response(200, { actief: "J", [`insolventie${LONG}`]: "x" }),
    "2026-01-01T00:00:00Z",
    ({ path }) => paths.push(path),
  );
  expect(paths).toEqual([expect.stringMatching(/^insolventie.{89}$/)]);
});
