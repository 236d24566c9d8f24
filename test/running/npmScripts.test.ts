/** A service started by npm ends when npm is signalled. npm signals its shell, which must have exec'd the service. */
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../architecture/repository.ts";
import { afterFile } from "../kit/afterFile.ts";
import { npmOffline } from "../kit/npm.ts";
import { killIfRunning, lastChildOf, startProgram } from "../kit/program.ts";
import { serviceBy } from "../kit/service.ts";
import { variants } from "../kit/thorough.ts";
import { temporaryFolder } from "../kit/world.ts";

it.each(variants([["run opzoek -- serve"], ["start"]], { ordinary: 1 }))(
  "`npm %s` ends its service on SIGTERM with exit 0, and leaves no process behind",
  async (words) => {
    const folder = temporaryFolder();
    const env = { ...npmOffline(folder), DATA_DIR: join(folder, "data"), PORT: "0" };
    const service = await serviceBy(startProgram("npm", words.split(" "), { env, cwd: ROOT }));
    const { child } = service.program;
    const pid = lastChildOf(child.pid ?? 0);
    afterFile(() => killIfRunning(pid));
    expect(pid).not.toBe(child.pid);
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
    expect(killIfRunning(pid)).toBe(false);
    expect(service.log().at(-1)).toMatchObject({ msg: "stopped" });
  },
);
