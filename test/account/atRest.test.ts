/** The stored state holds no readable secret of a person. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BEHIND_PROXY, Browser, PASSWORD, PUBLIC } from "../kit/browser.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";

it("the state has cookies and passwords only as hashes", async () => {
  const world = await makeWorld({ environment: { SIGNUP: "open", ...BEHIND_PROXY } });
  const service = await composeInProcess(world, { usesRealHashing: true });
  const browser = new Browser(service.app, { origin: PUBLIC });
  await browser.enter("at-rest@fabel.example");
  const token = browser.cookie?.split("=")[1] ?? "";
  expect(token).toHaveLength(43);
  const files = ["state.sqlite", "state.sqlite-wal"].map((name) => readFileSync(join(world.dataDir, name)));
  const written = Buffer.concat(files).toString("latin1");
  expect(written).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
  expect(written).not.toContain(token);
  expect(written).not.toContain(PASSWORD);
});
