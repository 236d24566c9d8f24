/** A blocked log delays neither callers nor shutdown. */
import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { afterFile } from "../kit/afterFile.ts";
import { ask } from "../kit/client.ts";
import { freePort } from "../kit/freePort.ts";
import { MAIN } from "../kit/opzoek.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { variants } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";

/** Their log lines exceed a pipe's buffer. */
const CALLS = 700;
const ENDS_WITHIN_MS = 10_000;
/** Longer than the guarantee, to detect a hang. */
const NEVER_MS = 40_000;

/** Another test may take a free port before it is used. */
const MAX_TRIES = 3;

/** A currently free port. */
interface Command {
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Starts a command that listens on a port with this stdout and stderr, and waits until it answers. The port is chosen
 * here because its output is not read.
 */
async function start(
  commandOn: (port: number) => Command,
  stdout: number,
  stderr: number | "ignore" = "ignore",
) {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const port = await freePort();
    const started = await startOn(port, commandOn(port), stdout, stderr);
    if (started !== undefined) return started;
  }
  throw new Error(`it ended before it answered, on ${MAX_TRIES} ports`);
}

/** @returns undefined if it ended before it answered: another program may have taken the port */
async function startOn(port: number, { words, env }: Command, stdout: number, stderr: number | "ignore") {
  const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ["ignore", stdout, stderr] });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  afterFile(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const service = { address: `http://127.0.0.1:${port}`, port };
  const health = () => ask(service, { path: "/v1/health" });
  const isEnded = () => child.exitCode !== null;
  const answers = () =>
    health().then(
      () => true,
      () => false,
    );
  await until("it answers or ends", async () => isEnded() || (await answers()));
  return isEnded() ? undefined : { child, ended, health };
}

function makePipe() {
  const path = join(temporaryFolder(), "pipe");
  execFileSync("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { reader, writer: openSync(path, constants.O_WRONLY) };
}

/** The current contents of a pipe. */
function readNow(reader: number): string {
  const buffer = Buffer.alloc(1_048_576);
  try {
    return buffer.toString("utf8", 0, readSync(reader, buffer));
  } catch {
    return "";
  }
}

it.each(
  variants(
    [
      "a reader that has stalled",
      "a reader that has stalled, two workers",
      "a reader that went away",
      "a full disk",
    ],
    { ordinary: 1 },
  ),
)("a service with a blocked log answers calls, and ends within 10 s on SIGTERM: %s", async (what) => {
  const pipe = what === "a full disk" ? undefined : makePipe();
  const stdout = pipe?.writer ?? openSync("/dev/full", constants.O_WRONLY);
  const { environment } = await makeWorld({
    ...(what.includes("workers") && {
      environment: { WORKERS: "2", DATABASE_URL: await (await sharedPostgres()).newDatabase("stalled") },
    }),
  });
  const serve = (port: number) => ({ words: ["serve"], env: { ...environment, PORT: String(port) } });
  const { child, ended, health } = await start(serve, stdout);
  if (what === "a reader that went away" && pipe !== undefined) closeSync(pipe.reader);
  closeSync(stdout);
  for (let count = 0; count < CALLS; count++) expect((await health()).status).toBe(200);
  const startedMs = performance.now();
  child.kill("SIGTERM");
  const late = new Promise<string>((resolve) => setTimeout(() => resolve("never"), NEVER_MS).unref());
  expect(await Promise.race([ended, late])).toBe(0);
  expect(performance.now() - startedMs).toBeLessThan(ENDS_WITHIN_MS);
  if (what !== "a reader that has stalled" || pipe === undefined) return;
  // The pipe's contents are complete lines except for the last.
  const lines = readNow(pipe.reader).split("\n").slice(0, -1);
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) JSON.parse(line);
});

it("a message to a closed terminal does not end a command", async () => {
  const { reader, writer } = makePipe();
  closeSync(reader);
  const simulate = (port: number) => ({
    words: ["simulate", "kvk", "--port", String(port)],
    env: { PATH: process.env.PATH },
  });
  const { child, ended, health } = await start(simulate, writer, writer);
  closeSync(writer);
  expect((await health()).status).toBeGreaterThan(200);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});
