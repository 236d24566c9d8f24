/** The steps of `docs/secrets.md` work as written, and the page names every secret setting. */
import { Client } from "pg";
import { expect, it } from "vitest";
import { SETTINGS } from "../../src/app/settings/settings.ts";
import { textOf } from "../architecture/repository.ts";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { opzoek } from "../kit/opzoek.ts";
import { startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { makeWorld, type World } from "../kit/world.ts";

const page = textOf("docs/secrets.md");

it("names every setting that is or has a secret", () => {
  const described = Object.entries(SETTINGS).filter(
    ([name, { meaning }]) => /\bsecret\b/i.test(meaning) || /KEY(_|$)|PASSWORD|DATABASE_URL/.test(name),
  );
  expect(described.length).toBeGreaterThan(6);
  expect(described.map(([name]) => name).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it("the database's password is changed without a failed call, and the tables keep their owner", async () => {
  const postgres = await sharedPostgres();
  const name = "rotated";
  const url = new URL(await postgres.newDatabase(name));
  const database = url.pathname.slice(1);
  // Roles are of the whole server.
  const role = `owner_${database}`;
  const [create = "", close = ""] = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = ""]) =>
    sql.replaceAll("opzoek", role).replaceAll("'NEW'", "'new'"),
  );
  const admin = new Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(
    `create role ${role} login password 'old'; alter database "${database}" owner to ${role}`,
  );
  const { rows } = await admin.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  await admin.query(`alter schema public owner to ${role}`);
  for (const table of rows) await admin.query(`alter table "${table.name}" owner to ${role}`);
  const as = (user: string, password: string) => {
    const address = new URL(url);
    [address.username, address.password] = [user, password];
    return address.href;
  };
  const world = await makeWorld({ environment: { DATABASE_URL: as(role, "old") } });
  const { key } = await world.account("plenty");
  const nodeOf = ({ environment }: Pick<World, "environment">) => startService({ environment });
  const renewed = {
    environment: { ...world.environment, DATABASE_URL: as(`${role}_2`, "new") },
  };

  const statuses: number[] = [];
  const call = async ({ port }: { readonly port: number }) =>
    void statuses.push((await ask({ port }, { path: `/v1/lookup/${BAKERY}`, key })).status);
  const old = await nodeOf(world);
  await call(old);
  await admin.query(create);
  const next = await nodeOf(renewed);
  await Promise.all([call(old), call(next)]);
  await admin.query(close);
  // Its open connections stay.
  await Promise.all([call(old), call(next)]);
  expect(await old.end("SIGTERM")).toBe(0);
  await call(next);
  expect(statuses).toEqual(statuses.map(() => 200));

  const { out } = await opzoek(["doctor", "--json"], renewed.environment);
  expect(out).not.toContain("the owner of all tables");
  const made = new Client({ connectionString: as(`${role}_2`, "new") });
  await made.connect();
  await made.query("create table made (id integer)");
  await made.end();
  const owners = await admin.query("select distinct tableowner from pg_tables where schemaname = 'public'");
  await admin.end();
  expect(owners.rows).toEqual([{ tableowner: role }]);
});
