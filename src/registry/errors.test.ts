import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { asRefusal, RegistryNotWritable } from "./errors.ts";

function errorOf(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("it was done");
}

it("explains a full disk and a missing temporary folder during an import", () => {
  const database = new DatabaseSync(":memory:");
  database.exec("PRAGMA max_page_count = 2; CREATE TABLE t (a)");
  const full = asRefusal(
    errorOf(() => database.exec("INSERT INTO t VALUES (zeroblob(100000))")),
    "/data/registry",
  );
  database.close();
  expect(full).toBeInstanceOf(RegistryNotWritable);
  expect(full).toMatchObject({ message: expect.stringContaining("the disk is full; make room") });
  // SQLite's extended codes: SQLITE_IOERR_GETTEMPPATH and SQLITE_IOERR_WRITE.
  const noFolder = asRefusal(Object.assign(new Error("disk I/O error"), { errcode: 6410 }), "/data/registry");
  expect(noFolder).toMatchObject({ message: expect.stringContaining("the folder tmp in DATA_DIR") });
  const unwritable = asRefusal(
    Object.assign(new Error("disk I/O error"), { errcode: 778 }),
    "/data/registry",
  );
  expect(unwritable).toMatchObject({ message: expect.stringContaining("check that the folder exists") });
});

it("explains a full disk reported by the file system", () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
    syscall: "write",
  });
  expect(asRefusal(full, "/data/registry")).toMatchObject({
    message: expect.stringContaining("the disk is full; make room"),
  });
});

it("returns other errors unchanged", () => {
  const wrong = Object.assign(new Error("no such table"), { errcode: 1 });
  expect(asRefusal(wrong, "/data")).toBe(wrong);
  expect(asRefusal(undefined, "/data")).toBe(undefined);
});
