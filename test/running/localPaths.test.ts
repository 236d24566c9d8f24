/** A command that gets a URL instead of a path for output reports it, and creates nothing. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../architecture/repository.ts";
import { opzoek } from "../kit/opzoek.ts";
import { makeWorld } from "../kit/world.ts";

const ADDRESS = "s3://bucket/opzoek";

it.each([
  ["registry", "publish", ADDRESS],
  ["backup", ADDRESS],
  ["restore", ADDRESS],
  ["state", "export", "--out", ADDRESS],
  ["export", "--out", ADDRESS],
  ["import", "csv", "-", "--rejects", ADDRESS],
])("%s %s", async (...words) => {
  const { environment, dataDir } = await makeWorld({ companies: [] });
  const key = { REGISTRY_PRIVATE_KEY_FILE: join(dataDir, "registry.key") };
  const { code, err } = await opzoek(words, { ...environment, ...key });
  expect(err).toContain(`${ADDRESS} is an address`);
  expect(code).toBe(2);
  expect(existsSync(join(ROOT, "s3:"))).toBe(false);
});
