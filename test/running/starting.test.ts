/** What was compiled at one start is there for the next. */
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { programVersion } from "../../src/version.ts";
import { opzoek } from "../support/opzoek.ts";
import { temporaryFolder } from "../support/world.ts";

const BESIDE_THE_CODE = fileURLToPath(new URL("../../node_modules/.cache/opzoek", import.meta.url));
const { PATH } = process.env;

async function start(environment: NodeJS.ProcessEnv): Promise<void> {
  const { code, out, err } = await opzoek(["--version"], { PATH, ...environment });
  expect({ code, out: out.trim(), err }).toEqual({ code: 0, out: programVersion(), err: "" });
}

it("keeps what was compiled beside the code", async () => {
  await start({});
  expect(existsSync(BESIDE_THE_CODE)).toBe(true);
});

it("keeps it where NODE_COMPILE_CACHE says, and starts all the same where that cannot be written", async () => {
  const folder = temporaryFolder();
  await start({ NODE_COMPILE_CACHE: folder });
  expect(readdirSync(folder)).toHaveLength(1);
  await start({ NODE_COMPILE_CACHE: "/dev/null/none" });
});
