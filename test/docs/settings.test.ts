import { describe, expect, it } from "vitest";
import { readSettings, SETTINGS } from "../../src/app/settings/settings.ts";
import { textOf } from "../architecture/repository.ts";
import { tableUnder } from "./tables.ts";

const page = textOf("docs/operations.md");

describe("docs/operations.md", () => {
  it("shows every setting with its default and meaning, as the code has them, in the same order", () => {
    const shown = tableUnder(page, "## Settings");
    const expected = Object.entries(SETTINGS).map(([name, { shownDefault, meaning }]) => [
      `\`${name}\``,
      shownDefault === "–" ? "–" : `\`${shownDefault}\``,
      meaning,
    ]);
    expect(shown).toEqual(expected);
  });

  it("shows defaults that mean what the settings fall back to", () => {
    const settings = readSettings({});
    for (const [name, { shownDefault }] of Object.entries(SETTINGS)) {
      if (shownDefault === "–") continue;
      const written = readSettings({ [name]: shownDefault });
      expect(written, name).toEqual(settings);
    }
  });
});
