import { statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { textOf } from "../architecture/repository.ts";
import { type Answer, jsonOf } from "../kit/answer.ts";
import { expectRefusedForNothing } from "../kit/busyDatabase.ts";
import { ask, load } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { opzoek, spawnOpzoek } from "../kit/opzoek.ts";
import type { ProgramResult } from "../kit/program.ts";
import { startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { variants } from "../kit/thorough.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";

const CALLS_BEFORE = 40;
const CALLS_DURING = 60;

function used(usage: unknown): number {
  const { tokens } = usage as { tokens: { used: number } };
  return tokens.used;
}

/** The command that the page shows for a step, split into words. */
function documentedWords(step: "state export" | "state import" | "backup" | "restore"): readonly string[] {
  const found = new RegExp(`^opzoek (${step} .*)$`, "m").exec(textOf("docs/backup-and-upgrade.md"));
  if (found?.[1] === undefined) throw new Error(`docs/backup-and-upgrade.md shows no \`opzoek ${step}\``);
  return found[1].split(" ");
}

const server = await sharedPostgres();
beforeEach(awayFromMonthEnd);

describe("a backup taken as documented", () => {
  it.each(variants(["embedded", "on PostgreSQL"], { ordinary: 1 }))(
    "by exporting a state that is %s while calls are charged is one consistent moment, and starts elsewhere",
    async (store) => {
      const onPostgres = async (database: string) =>
        store === "embedded" ? {} : { environment: { DATABASE_URL: await server.newDatabase(database) } };
      const world = await makeWorld(await onPostgres("served"));
      const { key, id } = await world.account("plenty");
      const service = await startService(world);
      const file = join(temporaryFolder(), "backup.jsonl");
      const words = (step: "export" | "import") =>
        documentedWords(`state ${step}`).map((word) => (word === "backup.jsonl" ? file : word));

      let isTaken = false;
      function* calls() {
        while (!isTaken) yield { path: `/v1/lookup/${BAKERY}`, key };
      }
      let granted = 0;
      const onAnswer = ({ status }: Answer) => {
        if (status === 200 && ++granted === CALLS_BEFORE) {
          opzoek(words("export"), world.environment).then(taken.resolve, taken.reject);
          taken.promise.finally(() => {
            isTaken = true;
          });
        }
        return true;
      };
      const taken = Promise.withResolvers<ProgramResult>();
      const { answers, unanswered } = await load(service, calls(), { connections: 8, pauseMs: 10, onAnswer });
      expect(unanswered).toEqual([]);
      expectRefusedForNothing(answers);
      const exported = await taken.promise;
      expect(exported.code, exported.err).toBe(0);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(await service.end("SIGTERM")).toBe(0);

      const restored = await makeWorld(await onPostgres("restored"));
      const imported = await opzoek(words("import"), restored.environment);
      expect(imported.code, imported.err).toBe(0);
      const again = await startService(restored);
      const restoredUsage = used(jsonOf(await ask(again, { path: "/v1/usage", key })));
      expect(restoredUsage).toBeGreaterThanOrEqual(CALLS_BEFORE);
      expect(restoredUsage).toBeLessThanOrEqual(granted);
      const { out } = await opzoek(["usage", id, "--json"], restored.environment);
      const { ledger } = JSON.parse(out) as { ledger: readonly { tokens: number }[] };
      expect(ledger.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(restoredUsage);
      expect((await ask(again, { path: `/v1/lookup/${BAKERY}`, key })).status).toBe(200);
    },
  );

  it("while calls are charged starts again with its accounts, keys and every charge until then", async () => {
    const world = await makeWorld();
    const { key } = await world.account("plenty");
    const service = await startService(world);
    const call = () => ask(service, { path: `/v1/lookup/${BAKERY}`, key });
    for (let count = 0; count < CALLS_BEFORE; count++) await call();

    const folder = join(temporaryFolder(), "backups");
    const words = (step: "backup" | "restore", path: string) =>
      documentedWords(step).map((word) => (word.startsWith("/srv/backups") ? path : word));
    const during = Array.from({ length: CALLS_DURING }, call);
    await Promise.race(during);
    const taken = await spawnOpzoek(words("backup", folder), world.environment);
    expect(taken.code, taken.err).toBe(0);
    for (const answer of await Promise.all(during)) expect(answer.status).toBe(200);
    expect(await service.end("SIGTERM")).toBe(0);

    const restored = await makeWorld();
    const put = await opzoek(words("restore", taken.out.trim()), restored.environment);
    expect(put.code, put.err).toBe(0);
    const again = await startService(restored);
    const restoredUsage = used(jsonOf(await ask(again, { path: "/v1/usage", key })));
    expect(restoredUsage).toBeGreaterThanOrEqual(CALLS_BEFORE + 1);
    expect(restoredUsage).toBeLessThanOrEqual(CALLS_BEFORE + CALLS_DURING);
    expect((await ask(again, { path: `/v1/lookup/${BAKERY}`, key })).status).toBe(200);
    expect(statSync(join(restored.dataDir, "state.sqlite")).mode & 0o777).toBe(0o600);
  });
});
