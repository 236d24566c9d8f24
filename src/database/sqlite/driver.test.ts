import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { kyselyOverSqlite } from "./driver.ts";

it("reports why a transaction failed that SQLite has rolled back by itself", async () => {
  const database = new DatabaseSync(":memory:");
  const db = kyselyOverSqlite(database);
  const failing = db.transaction().execute(async () => {
    // As on a full disk.
    database.exec("rollback");
    throw new Error("the disk is full");
  });
  await expect(failing).rejects.toThrow("the disk is full");
  database.close();
});
