import { Client } from "pg";
import { startPostgres } from "../../postgres.ts";
import { QUERY_LIMIT_MS } from "../limits.ts";
import { PLACES } from "../metrics.ts";
import type { Entry, FilledEngine, Hit } from "./engine.ts";
import { foldedText } from "./foldedText.ts";
import { ENTRIES_ASKED, onePerCompany } from "./onePerCompany.ts";

/** SQLSTATE of a statement that was cancelled, as by its time limit. */
const CANCELLED = "57014";
/** The default of 0.3 takes three times as long, and finds little more of names. */
const LEAST_SIMILARITY = 0.5;

const SELECT = "SELECT kvk, name FROM names WHERE";
/** What begins so, the shortest first; where that is not enough, what is alike by its trigrams, the most alike first. */
const STATEMENTS = [
  {
    name: "begins",
    text: `${SELECT} folded LIKE $1 ORDER BY length(folded), folded LIMIT ${ENTRIES_ASKED}`,
    value: (folded: string) => `${folded.replace(/[\\%_]/g, "\\$&")}%`,
  },
  {
    name: "alike",
    text: `${SELECT} folded % $1 ORDER BY similarity(folded, $1) DESC LIMIT ${ENTRIES_ASKED}`,
    value: (folded: string) => folded,
  },
];

/** PostgreSQL with `pg_trgm`: one row for each name, a GIN index of its trigrams, and one of its beginnings. */
export async function openTrigrams(): Promise<FilledEngine> {
  const postgres = await startPostgres();
  const client = new Client({ connectionString: postgres.url });
  const close = async (): Promise<void> => {
    await client.end();
    await postgres.stop();
  };
  try {
    await client.connect();
    await client.query("CREATE EXTENSION pg_trgm");
    await client.query("CREATE TABLE names (kvk text NOT NULL, name text NOT NULL, folded text NOT NULL)");
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async add(entries) {
      await client.query("INSERT INTO names SELECT * FROM unnest($1::text[], $2::text[], $3::text[])", [
        entries.map(({ kvkNumber }) => kvkNumber),
        entries.map(({ name }) => name),
        entries.map(({ name }) => foldedText(name)),
      ]);
    },
    async finish() {
      await client.query("SET maintenance_work_mem = '1GB'");
      await client.query("CREATE INDEX ON names USING gin (folded gin_trgm_ops)");
      await client.query("CREATE INDEX ON names (folded text_pattern_ops)");
      await client.query("VACUUM ANALYZE names");
      await client.query(`SET statement_timeout = ${QUERY_LIMIT_MS}`);
      await client.query(`SET pg_trgm.similarity_threshold = ${LEAST_SIMILARITY}`);
    },
    find: (q) => find(client, foldedText(q)),
    close,
  };
}

async function find(client: Client, folded: string): Promise<Hit[]> {
  const found: Entry[] = [];
  for (const { name, text, value } of STATEMENTS) {
    try {
      const { rows } = await client.query<{ kvk: string; name: string }>({
        name,
        text,
        values: [value(folded)],
      });
      for (const row of rows) found.push({ kvkNumber: row.kvk, name: row.name });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === CANCELLED)) throw error;
    }
    if (onePerCompany(found).length === PLACES) break;
  }
  return onePerCompany(found);
}
