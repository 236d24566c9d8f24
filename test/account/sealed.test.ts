/**
 * The key that seals two-factor secrets is stored outside the state; without it, sign-in with a code is unavailable.
 */
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RecoveryCodes, TwoFactorSecret } from "../../src/contract/twoFactorResources.ts";
import { BEHIND_PROXY, Browser, PASSWORD, PUBLIC } from "../kit/browser.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { Device } from "../kit/device.ts";
import { composeInProcess, NOON } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";

it("two-factor secrets are sealed under a key outside the state, and without it no code is rejected as wrong", async () => {
  const world = await makeWorld({ environment: { SIGNUP: "open", ...BEHIND_PROXY } });
  const service = await composeInProcess(world);
  const browser = () => new Browser(service.app, { origin: PUBLIC });
  const [email, visitor] = ["sealed@fabel.example", browser()];
  await visitor.enter(email);
  const { secret } = await visitor.post<TwoFactorSecret>("/account/two-factor/begin", { password: PASSWORD });
  const device = new Device(secret);
  const { codes } = await visitor.post<RecoveryCodes>("/account/two-factor/turn-on", {
    code: device.code(NOON),
  });
  const keyFile = join(world.dataDir, "two-factor.key");
  const key = readFileSync(keyFile, "utf8").trim();
  const files = ["state.sqlite", "state.sqlite-wal"].map((name) => readFileSync(join(world.dataDir, name)));
  const written = Buffer.concat(files).toString("latin1");
  for (const hidden of [secret, key, ...codes, ...codes.map((code) => code.replaceAll("-", ""))]) {
    expect(written).not.toContain(hidden);
  }

  const signIn = (code: string) =>
    browser().ask("POST", "/account/sign-in", { email, password: PASSWORD, code });
  renameSync(keyFile, `${keyFile}.away`);
  for (let time = 0; time < 7; time++) {
    const answer = await signIn(device.code(NOON, 1));
    expectError(answer, "SERVICE_UNAVAILABLE");
    expect(answer.text).toContain("recovery code");
    expect(answer.headers["retry-after"]).toBe("60");
  }
  // Recovery codes need no key, and a code that could not be checked does not count as an attempt.
  expect((await signIn(codes[0] ?? "")).status).toBe(200);
  renameSync(`${keyFile}.away`, keyFile);
  expect((await signIn(device.code(NOON, 1))).status).toBe(200);
});
