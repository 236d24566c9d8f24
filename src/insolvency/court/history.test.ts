import { describe, expect, it } from "vitest";
import { caseRead, published } from "../../../test/kit/courtSimulator.ts";
import type { SimulatedCase } from "../../demo/court/register.ts";

type Row = readonly [title: string, changes: Partial<SimulatedCase>, expected: object];

describe("the course of a case", () => {
  it.each<Row>([
    [
      "on the day of its ruling",
      published(["1300", "2026-11-05", "uitspraak faillissement op 3 november 2026"]),
      { since: "2026-11-03" },
    ],
    [
      "with figures",
      published(["1300", "2026-11-05", "uitspraak faillissement op 03-11-2026."]),
      { since: "2026-11-03" },
    ],
    [
      "with a short month",
      published(["1300", "2026-11-05", "uitspraak faillissement op 3 nov. 2026"]),
      { since: "2026-11-03" },
    ],
    [
      "with a meeting",
      published([
        "3300",
        "2026-11-05",
        "verlening voorlopige surseance op 2 november 2026 crediteurenvergadering op 14 januari 2027 om 10:00",
      ]),
      { since: "2026-11-02" },
    ],
    [
      "without a date in the text",
      published(["1300", "2026-11-05", "uitspraak faillissement"]),
      { since: "2026-11-05" },
    ],
    [
      "with a date that does not exist",
      published(["1300", "2026-11-05", "uitspraak faillissement op 31 november 2026"]),
      { since: "2026-11-05" },
    ],
    [
      "with a date of birth",
      published(["1300", "2026-11-05", "uitspraak faillissement van V. Fabel, geboren op 3 mei 1970"]),
      { since: "2026-11-05" },
    ],
    [
      "with a date after its publication",
      published(["1300", "2026-11-05", "uitspraak faillissement op 3 november 2062"]),
      { since: "2026-11-05" },
    ],
  ])("begins %s", async (_, changes, expected) => {
    expect(await caseRead(changes)).toMatchObject(expected);
  });

  it.each<Row>([
    ["1300", published(["1300", "2026-01-01"]), { since: "2026-01-01" }],
    ["1300, rectified", published(["1300", "2026-01-01"], ["1323", "2026-02-01"]), { since: "2026-01-01" }],
    [
      "1300, ended",
      published(["1300", "2026-01-01"], ["1317", "2026-06-01"]),
      { since: "2026-01-01", endedOn: "2026-06-01", curators: [] },
    ],
    [
      "in another order",
      published(["1317", "2026-06-01"], ["1300", "2026-01-01"]),
      { since: "2026-01-01", endedOn: "2026-06-01" },
    ],
    [
      "annulled in appeal",
      published(["1300", "2026-01-01"], ["1102", "2026-02-01"]),
      { endedOn: "2026-02-01" },
    ],
    [
      "annulled, then declared in cassation",
      published(["1300", "2026-01-01"], ["1102", "2026-02-01"], ["1200", "2026-03-01"]),
      { since: "2026-03-01" },
    ],
    [
      "reopened",
      published(["1300", "2026-01-01"], ["1318", "2026-02-01"], ["1304", "2026-03-01"]),
      { since: "2026-03-01" },
    ],
    [
      "ended and reopened on one day",
      published(["1300", "2026-01-01"], ["1304", "2026-03-01"], ["1318", "2026-03-01"]),
      { since: "2026-03-01" },
    ],
    [
      "declared and annulled on one day",
      published(["1102", "2026-01-01"], ["1300", "2026-01-01"]),
      { since: "2026-01-01", endedOn: "2026-01-01" },
    ],
    [
      "provisional, then final",
      { caseNumber: "S.16/26/1", ...published(["3300", "2026-01-01"], ["3302", "2026-02-01"]) },
      { type: "suspension_of_payments", since: "2026-01-01" },
    ],
    [
      "converted",
      { caseNumber: "S.16/26/1", ...published(["3300", "2026-01-01"], ["3313", "2026-02-01"]) },
      { endedOn: "2026-02-01", isContinued: true },
    ],
    [
      "moved",
      published(["1300", "2026-01-01"], ["1334", "2026-02-01"]),
      { endedOn: "2026-02-01", isContinued: true },
    ],
    [
      "ended and moved",
      published(["1300", "2026-01-01"], ["1317", "2026-02-01"], ["1334", "2026-02-01"]),
      { endedOn: "2026-02-01", isContinued: true },
    ],
    [
      "converted under its own number",
      {
        caseNumber: "S.16/26/1",
        ...published(["3300", "2026-01-01"], ["1306", "2026-02-01"], ["3307", "2026-02-01"]),
      },
      { type: "bankruptcy", since: "2026-02-01" },
    ],
    [
      "revived",
      {
        caseNumber: "R.16/26/1",
        ...published(["2301", "2026-01-01"], ["2354", "2026-02-01"], ["2337", "2026-03-01"]),
      },
      { type: "debt_restructuring", since: "2026-03-01" },
    ],
    [
      "a clean slate taken away",
      {
        caseNumber: "R.16/26/1",
        ...published(["2301", "2026-01-01"], ["2331", "2026-02-01"], ["2336", "2026-03-01"]),
      },
      { endedOn: "2026-02-01" },
    ],
    [
      "an appeal to come",
      { caseNumber: "S.16/26/1", ...published(["3300", "2026-01-01"], ["3102", "2026-02-01"]) },
      { since: "2026-01-01" },
    ],
    ["an unknown code", published(["1300", "2026-01-01"], ["1399", "2026-02-01"]), { since: "2026-01-01" }],
  ])("follows its publications: %s", async (_, changes, expected) => {
    const { since, endedOn, isContinued, type, curators } = await caseRead(changes);
    const course = { type, since, endedOn, isContinued, curators };
    expect(course).toMatchObject({
      endedOn: undefined,
      ...("isContinued" in expected ? {} : { isContinued: undefined }),
      ...expected,
    });
  });

  it.each<Row>([
    [
      "a declaration published after the end",
      published(
        ["1317", "2026-06-01", "einde op 30 mei 2026"],
        ["1300", "2026-06-02", "uitspraak op 5 mei 2026"],
      ),
      {},
    ],
    [
      "an end published without its date after the ruling that reopened it",
      published(
        ["1300", "2026-01-01"],
        ["1318", "2026-03-01", "einde faillissement"],
        ["1304", "2026-03-01", "heropening op 27 februari 2026"],
      ),
      {},
    ],
    [
      "an annulment and a declaration in cassation published on one day",
      published(
        ["1300", "2026-01-01"],
        ["1102", "2026-03-05", "vernietiging op 1 februari 2026"],
        ["1200", "2026-03-05", "uitspraak op 1 maart 2026"],
      ),
      {},
    ],
    ["a distribution alone", published(["1312", "2026-01-01"]), {}],
    ["an end alone", published(["1317", "2026-01-01"]), {}],
  ])("without a declaration, or in an order that is not clear, has no beginning: %s", async (_, changes) => {
    expect(await caseRead(changes)).not.toHaveProperty("since");
  });
});
