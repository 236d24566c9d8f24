import { describe, expect, it } from "vitest";
import { readSettings, SETTINGS } from "../../src/app/settings/settings.ts";

describe("docs/settings.md", () => {
  it("shows defaults that match the program's own", () => {
    const settings = readSettings({});
    for (const [name, { shownDefault }] of Object.entries(SETTINGS)) {
      if (shownDefault === "–") continue;
      const written = readSettings({ [name]: shownDefault });
      expect(written, name).toEqual(settings);
    }
  });
});
