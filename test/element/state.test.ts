/** The reducer of the field's state, and the marking of typed letters. */
import { describe, expect, it } from "vitest";
import type { AutocompleteItem } from "../../client/src/api/resources.ts";
import { marked } from "../../client/src/element/marks.ts";
import {
  type Action,
  EMPTY,
  faultOf,
  isExpanded,
  numberOf,
  reduce,
  type State,
} from "../../client/src/element/state.ts";

const company = (index: number): AutocompleteItem => ({
  kvkNumber: `5000001${index}`,
  name: `Fabel ${index}`,
});
const HITS = [company(1), company(2), company(3)];
const typed = (text: string): Action => ({ type: "typed", text, isLongEnough: text.trim().length >= 2 });
const answered = (query: string, hits = HITS): Action => ({ type: "answered", query, hits, hint: "" });
const reached = (...actions: readonly Action[]): State => actions.reduce(reduce, EMPTY);
const AWAY: Action = { type: "failed", failure: { code: "TIMEOUT", message: "" } };

describe("a state", () => {
  it("takes the response for the current text only", () => {
    expect(reached(typed("fa"), typed("fab"), answered("fa")).hits).toEqual([]);
    expect(reached(typed("fa"), typed("fab"), answered("fab")).hits).toEqual(HITS);
    const chosen = reached(typed("Fabel 1"), answered("Fabel 1"), { type: "choose", hit: company(1) });
    expect(reduce(chosen, answered("Fabel 1"))).toBe(chosen);
    expect(reduce(chosen, AWAY)).toBe(chosen);
  });

  it("keeps the active company when the next response contains it", () => {
    const on = reached(typed("fa"), answered("fa"), { type: "move", by: 1 }, { type: "move", by: 1 });
    expect(on.hits[on.active]).toEqual(company(2));
    const next = reduce(on, answered("fa", [company(2)]));
    expect(next.active).toBe(0);
    expect(reduce(on, answered("fa", [company(3)])).active).toBe(-1);
  });

  it("wraps around the list, and does not move without hits", () => {
    let state = reached(typed("fa"), answered("fa"));
    const actives: number[] = [];
    for (const by of [1, 1, 1, 1, -1, -1] as const) {
      state = reduce(state, { type: "move", by });
      actives.push(state.active);
    }
    expect(actives).toEqual([0, 1, 2, 0, 2, 1]);
    for (const by of [1, -1] as const) expect(reached(typed("fa"), { type: "move", by }).active).toBe(-1);
  });

  it("is open only with hits, and closes on a choice", () => {
    expect(isExpanded(reached(typed("fa")))).toBe(false);
    expect(isExpanded(reached(typed("fa"), answered("fa")))).toBe(true);
    expect(isExpanded(reached(typed("fa"), answered("fa"), { type: "close" }))).toBe(false);
    expect(isExpanded(reached(typed("fa"), { type: "close" }, answered("fa")))).toBe(false);
    expect(isExpanded(reached(typed("fa"), answered("fa"), typed("f")))).toBe(false);
  });

  it("has the number of the chosen company, or a complete typed one, as its value", () => {
    expect(numberOf(reached({ type: "choose", hit: company(3) }))).toBe("50000013");
    expect(numberOf(reached({ type: "choose", hit: company(3) }, typed("Fabel")))).toBe("");
    expect(numberOf(reached(typed(" 01234567 ")))).toBe("01234567");
    for (const text of ["1234567", "123456789", "1234 5678", "KVK 12345678"])
      expect(numberOf(reached(typed(text)))).toBe("");
  });

  it("is invalid with `required` or `strict` and no choice, but never after a failed search", () => {
    const faults = (state: State) =>
      [
        { isRequired: false, isStrict: false },
        { isRequired: true, isStrict: false },
        { isRequired: false, isStrict: true },
      ].map((rules) => faultOf(state, rules));
    expect(faults(EMPTY)).toEqual([undefined, "valueMissing", undefined]);
    expect(faults(reached(typed("fabel")))).toEqual([undefined, "badInput", "badInput"]);
    expect(faults(reached(typed("fabel"), AWAY))).toEqual([undefined, undefined, undefined]);
    expect(faults(reached(typed("fabel"), AWAY, typed("fabel e")))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(faults(reached(typed("fabel"), AWAY, answered("fabel")))).toEqual([
      undefined,
      "badInput",
      "badInput",
    ]);
    expect(faults(reached(typed("fabel"), AWAY, typed("")))).toEqual([undefined, "valueMissing", undefined]);
    expect(faults(reached(typed("50000011")))).toEqual([undefined, undefined, undefined]);
  });
});

describe("the typed text", () => {
  it.each([
    ["Bakkerij De Gouden Korenaar", "bak gou", "[Bak]kerij De [Gou]den Korenaar"],
    ["Café Zoë", "cafe zoe", "[Café] [Zoë]"],
    ["Cafe\u0301 Noord", "café", "[Café] Noord"],
    ["Straße 9", "strasse", "Straße 9"],
    ["Onderbak", "bak", "Onderbak"],
    ["50000011", "5000", "[5000]0011"],
    ["B.V. (.*)", ".*", "B.V. (.*)"],
    ["𝓑akker", "", "𝓑akker"],
    ["Jan & Zn.", "& zn", "Jan & [Zn]."],
  ])("is marked in %s for %s", (name, query, expected) => {
    const pieces = marked(name, query);
    expect(pieces.map(([text, isMatch]) => (isMatch ? `[${text}]` : text)).join("")).toBe(expected);
    expect(pieces.map(([text]) => text).join("")).toBe(name.normalize());
  });
});
