/** Worker processes end when their primary process dies. */
import { it } from "vitest";
import { startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { startedBatch } from "../kit/startedBatch.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { makeWorld, type World } from "../kit/world.ts";

const ESCAPE = new URL("../kit/escape.ts", import.meta.url).href;

const world = async (environment: Readonly<Record<string, string>> = {}): Promise<World> => {
  const DATABASE_URL = await (await sharedPostgres()).newDatabase("orphans");
  return makeWorld({ environment: { DATABASE_URL, WORKERS: "2", ...environment } });
};

it("workers answer their running calls and then exit when the primary process is killed", async () => {
  const shared = await world();
  const { key } = await shared.account("plenty");
  const service = await startService(shared);
  const pids = service.workers();
  const { socket, received } = await startedBatch(service, key);
  service.program.child.kill("SIGKILL");
  await until("they drain", () => service.log().some(({ msg }) => msg === "a worker process has stopped"));
  socket.write("}");
  await until("the running call is answered", () => received().includes("tokensUsed"));
  await until("all have ended", () => pids.every((pid) => !isAlive(pid)));
  await expectSoundState(shared);
});

thoroughIt(
  "workers end, including a hanging one, when the primary process ends by an uncaught error",
  async () => {
    const service = await startService(await world({ NODE_OPTIONS: `--import=${ESCAPE}`, ESCAPE: "throw" }));
    const pids = service.workers();
    const [hanging = 0] = pids;
    process.kill(hanging, "SIGSTOP");
    try {
      service.program.child.kill("SIGUSR2");
      await until("the primary process has ended", () => service.program.child.exitCode === 1);
      await until("all have ended", () => pids.every((pid) => !isAlive(pid)));
    } finally {
      if (isAlive(hanging)) process.kill(hanging, "SIGKILL");
    }
  },
);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
