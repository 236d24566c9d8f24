/** Only one service may use an embedded state; commands work next to it, and a kill needs no cleanup. */
import { expect, it } from "vitest";
import { ask } from "../kit/client.ts";
import { opzoek, spawnOpzoek } from "../kit/opzoek.ts";
import { startService } from "../kit/service.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { makeWorld } from "../kit/world.ts";

it("a second service on the same DATA_DIR is refused with the process id of the first, until that has ended", async () => {
  const world = await makeWorld();
  await world.account("plenty");
  const first = await startService(world);
  const pid = first.program.child.pid;
  const second = await spawnOpzoek(["serve"], world.environment);
  expect([second.code, second.out]).toEqual([1, ""]);
  expect(second.err).toMatch(
    new RegExp(
      `^opzoek: DATA_DIR ${world.dataDir} is in use by \`opzoek serve\`, process ${pid} on [^ ]+, since 20[0-9T:.-]+Z: stop it first`,
    ),
  );
  expect(second.err.trim().split("\n").length).toBe(1);
  expect((await opzoek(["account", "list", "--json"], world.environment)).code).toBe(0);

  await first.end("SIGKILL");
  const third = await startService(world);
  const refused = await spawnOpzoek(["serve"], world.environment);
  expect(refused.err).toContain(`process ${third.program.child.pid} on`);
  // Once it answers, it also handles signals.
  expect((await ask(third, { path: "/v1/health" })).status).toBe(200);
  expect(await third.end("SIGTERM")).toBe(0);
  await expectSoundState(world);
});
