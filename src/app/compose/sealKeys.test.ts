import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSettings } from "../settings/settings.ts";
import { offersTwoFactor, sealKeys } from "./sealKeys.ts";

const GIVEN = Buffer.alloc(32, 7).toString("base64");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "opzoek-seal-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
const settings = (dataDir: string, more: Record<string, string> = {}) =>
  readSettings({ DATA_DIR: join(folder, dataDir), ...more });

describe("the key of two-factor sign-in", () => {
  it("is a file readable only by its owner, created at the first encryption and never again", () => {
    const used = settings("one");
    const keys = sealKeys(used);
    expect(offersTwoFactor(used)).toBe(true);
    expect(keys.toOpen()).toEqual([]);
    const key = keys.toSeal();
    expect(key).toHaveLength(32);
    expect(readdirSync(used.DATA_DIR)).toEqual(["two-factor.key"]);
    const path = join(used.DATA_DIR, "two-factor.key");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(sealKeys(used).toSeal()).toEqual(key);
    expect(sealKeys(used).toOpen()).toEqual([key]);
    // The content of the file can be used as the setting, for nodes that will share the state.
    const moved = settings("two", { TWO_FACTOR_KEY: readFileSync(path, "utf8").trim() });
    expect(sealKeys(moved).toSeal()).toEqual(key);
    writeFileSync(path, "");
    expect(() => sealKeys(used).toSeal()).toThrow("restore the original file");
  });

  it("comes from the setting if it is set; earlier keys and the file still decrypt older secrets", () => {
    const used = settings("three");
    const old = sealKeys(used).toSeal();
    const other = Buffer.alloc(32, 9).toString("base64");
    const keys = sealKeys(settings("three", { TWO_FACTOR_KEY: `${GIVEN}, ${other}` }));
    expect(keys.toSeal()).toEqual(Buffer.alloc(32, 7));
    expect(keys.toOpen()).toEqual([Buffer.alloc(32, 7), Buffer.alloc(32, 9), old]);
  });

  it("must be set if nodes share a state, and is then never read from a file", () => {
    const DATABASE_URL = "postgres://db.fabel.example/opzoek";
    const without = settings("four", { DATABASE_URL });
    expect(offersTwoFactor(without)).toBe(false);
    expect(sealKeys(without).toSeal()).toBeUndefined();
    expect(offersTwoFactor(settings("four", { DATABASE_URL, TWO_FACTOR_KEY: GIVEN }))).toBe(true);
  });

  it("is 32 bytes, and an error about an invalid one does not contain it", () => {
    const bad = ["secretsecret", `${GIVEN},`, GIVEN.slice(1), `${GIVEN} ${GIVEN}`];
    for (const text of bad) {
      expect(() => settings("five", { TWO_FACTOR_KEY: text })).toThrow(/^TWO_FACTOR_KEY must be 32 bytes/);
      expect(() => settings("five", { TWO_FACTOR_KEY: text })).not.toThrow(text);
    }
  });
});
