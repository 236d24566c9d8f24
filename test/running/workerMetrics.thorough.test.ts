/** The metrics of a service with several processes: summed, also when one of them dies or hangs. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { programVersion } from "../../src/app/release.ts";
import { afterFile } from "../kit/afterFile.ts";
import { ask } from "../kit/client.ts";
import { scrape, valuesOf } from "../kit/metrics.ts";
import { startOpzoek } from "../kit/opzoek.ts";
import { childrenOf } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const ESCAPE = new URL("../kit/escape.ts", import.meta.url).href;

/** Starts two workers that react to SIGUSR2 as requested. */
async function startTwo(how: string) {
  const { environment } = await makeWorld({
    environment: {
      DATABASE_URL: await (await sharedPostgres()).newDatabase("metrics"),
      WORKERS: "2",
      METRICS_PORT: "0",
      NODE_OPTIONS: `--import=${ESCAPE}`,
      ESCAPE: how,
    },
  });
  const program = startOpzoek(["serve"], environment);
  afterFile(async () => {
    program.child.kill("SIGKILL");
    await program.ended;
  });
  const port = await until("its metrics are served", () =>
    /:([0-9]+)\/metrics"/.exec(program.out())?.[1]?.toString(),
  );
  /** The current value of a metric, of one process or of all. */
  const valueNow = async (name: string, labels = "") =>
    valuesOf(await scrape(Number(port)), name).get(labels);
  const isListening = () => program.out().includes('"msg":"listening"');
  const workers = () => childrenOf(program.child.pid ?? 0);
  return { program, valueNow, isListening, workers };
}

const SIGUSR2 = 12n;

/** Whether a process already handles the signal, which would otherwise end it. */
function handlesSigusr2(pid: number): boolean {
  try {
    const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return ((BigInt(`0x${caught ?? "0"}`) >> (SIGUSR2 - 1n)) & 1n) === 1n;
  } catch {
    return false;
  }
}

describe("the metrics of two workers", () => {
  thoroughIt("report that a service is not ready while no worker listens", async () => {
    const { valueNow, isListening, workers } = await startTwo("workers are late");
    expect(await valueNow("opzoek_workers_listening")).toBe(0);
    expect(await valueNow("opzoek_ready")).toBe(0);
    await until("both listen", () => {
      for (const pid of workers()) if (handlesSigusr2(pid)) process.kill(pid, "SIGUSR2");
      return isListening();
    });
    expect(await valueNow("opzoek_ready")).toBe(1);
    expect(await valueNow("opzoek_workers_listening")).toBe(2);
    expect(await valueNow("opzoek_workers_lost_total")).toBe(0);
    expect(
      await valueNow("opzoek_build_info", `{version="${programVersion()}",node="${process.version}"}`),
    ).toBe(1);
  });

  it("are the sum of both, and keep growing when one of them dies", async () => {
    const { program, valueNow, isListening, workers } = await startTwo("none");
    await until("both listen", isListening);
    const { address } = JSON.parse(
      program
        .out()
        .split("\n")
        .find((line) => line.includes('"msg":"listening"')) ?? "{}",
    );
    const port = Number(new URL(address).port);
    const calls = async (count: number) => {
      for (let nth = 0; nth < count; nth++)
        expect((await ask({ port }, { path: "/livez" })).status).toBe(200);
    };
    const labels = '{route="/livez",status="200",operation="-"}';
    const counted = (count: number) =>
      until(
        `${count} calls are counted`,
        async () => (await valueNow("opzoek_http_requests_total", labels)) === count,
      );
    await calls(40);
    await counted(40);
    const [pid = 0] = workers();
    process.kill(pid, "SIGKILL");
    await until("it is replaced", () => program.out().includes("a restarted worker process is listening"));
    expect(await valueNow("opzoek_workers_lost_total")).toBe(1);
    expect(await valueNow("opzoek_workers_listening")).toBe(2);
    await counted(40);
    await calls(10);
    await counted(50);
  });

  thoroughIt("report a hanging worker, which does not prevent the service from ending", async () => {
    const { program, valueNow, isListening, workers } = await startTwo("hang");
    await until("both listen", isListening);
    const [first = 0] = workers();
    process.kill(first, "SIGUSR2");
    const silence = async (worker: string) =>
      (await valueNow("opzoek_worker_silent_seconds", `{worker="${worker}"}`)) ?? 0;
    await until(
      "one has been silent for long",
      async () => Math.max(await silence("1"), await silence("2")) > 3,
    );
    expect(Math.min(await silence("1"), await silence("2"))).toBe(0);
    expect(await valueNow("opzoek_ready")).toBe(1);
    program.child.kill("SIGTERM");
    expect(await program.ended).toMatchObject({ code: 0, err: "" });
  });
});
