/** The units of `deploy/systemd`, verified by systemd itself, and the wrapper for commands, run by a shell. */
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSettings } from "../../src/app/settings/settings.ts";
import { ROOT, textOf } from "../architecture/repository.ts";
import { describeWith, itWith, program, root } from "../kit/needs.ts";
import { runProgram, startProgram } from "../kit/program.ts";
import { temporaryFolder } from "../kit/world.ts";
import { replacedIn } from "./proxy.ts";

const FOLDER = "deploy/systemd";
const PROGRAM = "/opt/opzoek/bin/opzoek";
const units = readdirSync(join(ROOT, FOLDER)).filter((name) => /\.(service|timer)$/.test(name));

/** The values of a unit's option, in order. */
const valuesOf = (unit: string, option: string): string[] =>
  [...textOf(`${FOLDER}/${unit}`).matchAll(new RegExp(`^${option}=(.*)$`, "gm"))].map(
    ([, value = ""]) => value,
  );

describeWith(program("systemd-analyze"), "systemd", () => {
  const folder = temporaryFolder();
  for (const unit of units) {
    // The program of a unit must exist to verify it; tests use this run's Node.js.
    const text = textOf(`${FOLDER}/${unit}`)
      .replaceAll(PROGRAM, process.execPath)
      .replaceAll("ExecStart=/etc/opzoek/on-failure", `ExecStart=${process.execPath}`);
    writeFileSync(join(folder, unit), text);
  }
  const paths = units.map((unit) => join(folder, unit));
  const env = { PATH: process.env.PATH, SYSTEMD_UNIT_PATH: `${folder}:` };

  it("accepts every unit without a warning", async () => {
    const { out, err } = await runProgram("systemd-analyze", ["verify", ...paths], { env });
    // Warnings about other units of the machine are ignored.
    expect((out + err).split("\n").filter((line) => line.includes("opzoek"))).toEqual([]);
  });

  it("rates the exposure of the services as low", async () => {
    for (const path of paths.filter((one) => one.endsWith(".service"))) {
      const words = ["security", "--offline=true", "--threshold=25", path];
      const { code, out } = await startProgram("systemd-analyze", words, { env }).ended;
      expect([path, code, code === 0 || out]).toEqual([path, 0, true]);
    }
  });
});

/** Runs when another unit fails, so it has neither a timer nor the settings. */
const FAILED = "opzoek-failed@.service";
const services = units.filter((name) => name.endsWith(".service"));
const jobs = services.filter((name) => name !== "opzoek.service" && name !== FAILED);

describe("the units", () => {
  it("start the same program with the same settings file and user, with write access only where needed", () => {
    for (const unit of ["opzoek.service", ...jobs]) {
      expect(valuesOf(unit, "EnvironmentFile")).toEqual(["/etc/opzoek/env"]);
      expect([valuesOf(unit, "User"), valuesOf(unit, "StateDirectory")]).toEqual([["opzoek"], ["opzoek"]]);
      expect(valuesOf(unit, "ExecStart").join()).toMatch(new RegExp(`^${PROGRAM} [a-z]+`));
      expect(valuesOf(unit, "PrivateTmp")).toEqual(["yes"]);
    }
  });

  it("harden the jobs like the service, and limit the memory of each", () => {
    const hardened = (unit: string) =>
      textOf(`${FOLDER}/${unit}`)
        .split("\n")
        .filter((line) =>
          /^(NoNew|Capability|Ambient|Protect|Private|Remove|RestrictA|RestrictN|RestrictR|RestrictS|Lock|SystemCall)/.test(
            line,
          ),
        );
    expect(hardened("opzoek.service").length).toBeGreaterThan(20);
    for (const unit of services) {
      expect(hardened(unit).sort(), unit).toEqual(hardened("opzoek.service").sort());
      expect(valuesOf(unit, "MemoryMax"), unit).toEqual([expect.stringMatching(/^[124]G$/)]);
      // A web server of another user reads what is published.
      const umask = unit === "opzoek-publish.service" ? "0022" : "0077";
      expect(valuesOf(unit, "UMask"), unit).toEqual([umask]);
    }
  });

  it.each(services.filter((name) => name !== FAILED))("report a failure of %s", (unit) => {
    expect(valuesOf(unit, "OnFailure")).toEqual([FAILED.replace("@", "@%n")]);
  });

  it("report a failure by running the operator's file with the unit's name, if there is one", async () => {
    expect([valuesOf(FAILED, "ExecCondition"), valuesOf(FAILED, "ExecStart")]).toEqual([
      ["/usr/bin/test -x /etc/opzoek/on-failure"],
      ["/etc/opzoek/on-failure %i"],
    ]);
    const { out } = await runProgram(join(ROOT, FOLDER, "on-failure"), ["opzoek-backup.service"]);
    expect(out).toMatch(/^opzoek-backup\.service failed on \S+: journalctl --unit opzoek-backup\.service\n$/);
  });

  it("publish the result of an import and a refresh that still run", () => {
    const [after] = valuesOf("opzoek-publish.service", "After");
    expect(after?.split(" ")).toEqual(
      expect.arrayContaining(["opzoek-import.service", "opzoek-refresh.service"]),
    );
    const [, folder] =
      / registry publish (\S+)$/.exec(valuesOf("opzoek-publish.service", "ExecStart").join()) ?? [];
    expect(valuesOf("opzoek-publish.service", "ReadWritePaths")).toEqual([folder]);
    expect(textOf("docs/install.md")).toContain(`-m 0755 ${folder}\n`);
  });

  it("restart forever, except after a configuration error", () => {
    const service = (option: string) => valuesOf("opzoek.service", option);
    expect(service("StartLimitIntervalSec")).toEqual(["0"]);
    expect([service("Restart"), service("RestartSec")]).toEqual([["always"], ["5"]]);
    expect(service("RestartPreventExitStatus")).toEqual(["2"]);
    expect(service("After").join()).toContain("time-sync.target");
  });

  it("have a timer for each job", () => {
    const timers = units.filter((name) => name.endsWith(".timer"));
    expect(jobs.map((name) => name.replace(".service", ".timer")).sort()).toEqual(timers.sort());
  });

  it("skip the nightly backup for PostgreSQL without a failure, and say what replaces it", async () => {
    const [condition = ""] = valuesOf("opzoek-backup.service", "ExecCondition");
    const [, shell = "", script = ""] = /^(\/bin\/sh) -c '(.*)'$/.exec(condition) ?? [];
    const skips = (env: NodeJS.ProcessEnv) => startProgram(shell, ["-c", script], { env }).ended;
    expect(await skips({})).toEqual({ code: 0, out: "", err: "" });
    // Exit codes 1 to 254 skip the unit without a failure (systemd.service, ExecCondition=).
    expect(await skips({ DATABASE_URL: "postgres://opzoek:tr0ub4dor@db/opzoek" })).toEqual({
      code: 1,
      out: expect.stringMatching(/^skipped: DATABASE_URL .*pg_dump.*base backup .*WAL/),
      err: "",
    });
  });

  it("set only known settings", () => {
    const shown = [...textOf(`${FOLDER}/env`).matchAll(/^([A-Z_]+)=(.*)$/gm)];
    expect(shown.length).toBeGreaterThan(2);
    const environment = Object.fromEntries(shown.map(([, name = "", value = ""]) => [name, value]));
    expect(readSettings(environment)).toMatchObject({
      DATA_DIR: "/var/lib/opzoek",
      PUBLIC_URL: "https://registry.example.com",
      READY_WITHOUT_SEARCH: "on",
    });
  });
});

describe("the wrapper for commands", () => {
  const { username } = userInfo();

  /** Writes the wrapper for a user, with the given settings file. @returns its path */
  function wrapper(user: string, program: string, settings: string): string {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "env"), settings);
    const path = join(folder, "opzoek");
    const places = [
      ["/etc/opzoek/env", join(folder, "env")],
      [PROGRAM, program],
      ["user=opzoek", `user=${user}`],
    ] as const;
    writeFileSync(path, replacedIn(`${FOLDER}/opzoek`, places));
    chmodSync(path, 0o755);
    return path;
  }

  it("passes on the file's settings, the arguments and the exit code unchanged", async () => {
    const printArguments =
      "console.log(JSON.stringify([process.env.DATA_DIR, process.env.KVK_API_KEY, process.argv.slice(1)])); process.exit(3)";
    const settings = "# a comment\n\nDATA_DIR=/var/lib/with room\nKVK_API_KEY=$HOME`id`#=1\n";
    const path = wrapper(username, process.execPath, settings);
    const { code, out } = await startProgram(path, ["-e", printArguments, "account", "two words", "*"]).ended;
    expect([code, JSON.parse(out)]).toEqual([
      3,
      ["/var/lib/with room", "$HOME`id`#=1", ["account", "two words", "*"]],
    ]);
  });

  it.each(['NAME="value"', "NAME=a\\b", "no setting"])(
    "refuses a line that systemd reads differently: %s",
    async (line) => {
      const { code, err } = await startProgram(wrapper(username, "/bin/true", `${line}\n`), []).ended;
      expect([code, err]).toEqual([2, expect.stringMatching(/^opzoek: .*env has a line /)]);
    },
  );

  it.each([
    [["registry", "publish", "/srv/published"], "0022"],
    [["registry", "keys"], "0077"],
    [["export"], "0077"],
    [[], "0077"],
  ])("keeps what it writes private, except what is published: %j", async (words, umask) => {
    const program = join(temporaryFolder(), "program");
    writeFileSync(program, "#!/bin/sh\numask\n", { mode: 0o755 });
    expect((await runProgram(wrapper(username, program, ""), words)).out).toBe(`${umask}\n`);
  });

  itWith(root, "switches to the service's user when root calls it", async () => {
    const { out } = await runProgram(wrapper("nobody", "/usr/bin/id", ""), ["-un"]);
    expect(out).toBe("nobody\n");
  });

  itWith(root, "finds its programs with any PATH in the settings", async () => {
    const { out } = await runProgram(wrapper("nobody", "/usr/bin/id", "PATH=/opt/node/bin\n"), ["-un"]);
    expect(out).toBe("nobody\n");
  });
});
