/** Runs the commands of `docs/troubleshooting.md` as written, and checks the messages that it quotes. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LOG_ADVICE } from "../../build/logAdvice.ts";
import { METRICS } from "../../build/metrics.ts";
import { repositoryFiles, textOf } from "../architecture/repository.ts";
import { ask } from "../kit/client.ts";
import { BAKERY, COMPANIES } from "../kit/companies.ts";
import { opzoek } from "../kit/opzoek.ts";
import { startService } from "../kit/service.ts";
import { changeStored } from "../kit/storedState.ts";
import { until } from "../kit/until.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";
import { tableUnder } from "./tables.ts";

const page = textOf("docs/troubleshooting.md");
const backupPage = textOf("docs/backup-and-upgrade.md");

/** The lines for `opzoek` under a heading. */
function commandsUnder(heading: string, from = page): string[] {
  const [section = ""] = from.split(`\n## ${heading}\n`)[1]?.split("\n## ") ?? [];
  return [...section.matchAll(/^opzoek ([^#\n]+)/gm)].map(([, line = ""]) => line.trim());
}

async function run(
  line: string,
  environment: NodeJS.ProcessEnv,
  own: Readonly<Record<string, string>> = {},
): Promise<string> {
  const words = line.split(" ").map((word) => own[word] ?? word);
  const { code, out, err } = await opzoek(words, environment);
  expect([line, code, err]).toEqual([line, 0, expect.any(String)]);
  return out;
}

it("every command works as the page says, next to a service and on a new machine", async () => {
  const published = join(temporaryFolder(), "published");
  const backups = join(temporaryFolder(), "backups");
  const world = await makeWorld({
    environment: { REGISTRY_PRIVATE_KEY_FILE: join(temporaryFolder(), "registry.key") },
  });
  const { id, key } = await world.account("plenty");
  await changeStored(
    world,
    `insert into two_factors (account_id, sealed, begun_at_ms, on_since, last_step)
     select id, 'x', 0, '2026-01-01T00:00:00Z', 0 from accounts`,
  );
  const service = await startService(world);
  const ran = new Set<string>();
  const follow = async (heading: string, environment: NodeJS.ProcessEnv, own = {}, from = page) => {
    const lines = commandsUnder(heading, from);
    expect(lines, heading).not.toEqual([]);
    for (const line of lines) {
      await run(line, environment, own);
      ran.add(line);
    }
  };

  expect(commandsUnder("Lost second factor")).toContain("account reset-two-factor ID");
  await follow("Lost second factor", world.environment, { ID: id });
  await follow("Mails do not arrive", world.environment, { ID: id });
  await follow("Every call returns 503", world.environment);
  await follow("The disk is full", world.environment);

  const served = (times: number) =>
    until(
      "another snapshot is served",
      () =>
        service.log().filter(({ msg }) => msg === "a new registry snapshot is being served").length >= times,
    );
  await run("registry keys", world.environment);
  await world.import(
    COMPANIES.slice(0, 1).map((one) => ({ ...one, facts: { ...one.facts, name: "De Verkeerde" } })),
  );
  await served(1);
  const own = { "51234567": BAKERY, "/srv/published": published };
  await follow("A bad import is served", world.environment, own);
  expect(existsSync(join(published, "manifest.json"))).toBe(true);
  await served(2);

  const backup = (await run(`backup ${backups}`, world.environment)).trim();
  const registry = join(temporaryFolder(), "registry.jsonl");
  await run(`export --out ${registry}`, world.environment);
  expect(await service.end("SIGTERM")).toBe(0);
  const machine = await makeWorld({ companies: [] });
  const files = {
    "/srv/backups/state-20260505T030000.000Z.sqlite": backup,
    "registry.jsonl": registry,
  };
  await follow("Restore on a new machine", machine.environment, files, backupPage);
  const again = await startService(machine);
  expect((await ask(again, { path: "/readyz" })).status).toBe(200);
  expect((await ask(again, { path: `/v1/lookup/${BAKERY}`, key })).status).toBe(200);

  const all = [...page.matchAll(/^opzoek ([^#\n]+)/gm)].map(([, line = ""]) => line.trim());
  expect(all.filter((line) => !ran.has(line))).toEqual([]);
});

it("the page names log messages, metrics and alerts that exist", () => {
  const quoted = [...(page.split("## The service does not start")[0]?.matchAll(/`([^`\n]+)`/g) ?? [])].map(
    ([, text = ""]) => text,
  );
  const metrics = new Set(METRICS.map(({ name }) => name));
  const named = quoted.filter((text) => /^opzoek_[a-z_]+$/.test(text));
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => !metrics.has(name))).toEqual([]);
  const alerts = textOf("deploy/monitoring/alerts.yml");
  const alert = quoted.filter((text) => /^Opzoek[A-Z]/.test(text));
  expect(alert.filter((name) => !alerts.includes(`alert: ${name}\n`))).toEqual([]);
  const messages = quoted.filter((text) => /^(?:the|a|too|no) [a-z ]{12}/.test(text));
  expect(messages.length).toBeGreaterThan(5);
  const logged = Object.keys(LOG_ADVICE).join("\n") + sources.join("\n");
  expect(messages.filter((text) => !logged.includes(text))).toEqual([]);
});

const sources = repositoryFiles()
  .filter((path) => /^(?:src\/.*(?<!\.test)\.ts|src\/.*\.js|bin\/.*\.js|build\/prepare\.js)$/.test(path))
  .map(textOf);

it("the page quotes messages of a failed start as the program prints them", () => {
  const rows = tableUnder(page, "## The service does not start");
  const wrong = rows
    .flatMap(([cell = ""]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text))
    .filter((text) => !/^(?:PORT|snapshot-N\.sqlite|current\.json)$/.test(text))
    .filter((text) => {
      // The rule of a setting is stored apart from its name.
      const parts = text
        .replace(/^([A-Z]+_[A-Z_]+) /, "$1…")
        .split("…")
        .map((part) => part.trim());
      return !sources.some((source) => parts.every((part) => source.includes(part)));
    });
  expect(rows.length).toBeGreaterThan(5);
  expect(wrong).toEqual([]);
});
