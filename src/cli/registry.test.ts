import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { damage } from "../../test/kit/published.ts";
import { NAMES, sourcedFacts } from "../../test/kit/registry.ts";
import { endedWith, terminal } from "../../test/kit/terminal.ts";
import { takeLock } from "../registry/lock.ts";
import { pointerPath } from "../registry/paths.ts";

describe("opzoek registry", () => {
  it("explains how to import into an empty registry", async () => {
    const { run, directory } = terminal();
    expect(await run("registry")).toEqual({
      code: 0,
      out: [],
      err: [`There is no registry in ${directory} yet: import one with "opzoek import <format> <file>".`],
    });
    expect((await run("registry", "--json")).out).toEqual([JSON.stringify({ directory, snapshots: [] })]);
  });

  it("lists both snapshots with companies, branches, origins and age", async () => {
    const { run, add } = terminal();
    await add(
      sourcedFacts(1, { branches: [{ branchNumber: "000000000001", isMain: true, isActive: true }] }),
    );
    await add(sourcedFacts(2, {}, { origin: "gleif", asOf: new Date().toISOString() }));
    const { out } = await run("registry");
    expect(out).toHaveLength(5);
    expect(out[0]).toMatch(
      /^current {3}snapshot-2\.sqlite {2}2 companies, 1 branch, 0\.\d MB, built \S+ \(today\)$/,
    );
    expect(out[1]).toMatch(/^ +demo: 1 company, data of 2026-01-01 \(.* old\)$/);
    expect(out[2]).toMatch(/^ +gleif: 1 company, data of \d{4}-\d\d-\d\d \(today\)$/);
    expect(out[3]).toMatch(/^previous {2}snapshot-1\.sqlite {2}1 company/);
    const { snapshots } = JSON.parse((await run("registry", "--json")).out.join(""));
    expect(snapshots).toMatchObject([
      { state: "current", number: 2, companies: 2, branches: 1 },
      { state: "previous", number: 1, companies: 1 },
    ]);
  });

  it("lists base and segments of a snapshot with several files", async () => {
    const { run, add } = terminal();
    await add(...Array.from({ length: 40 }, (_, number) => sourcedFacts(number)));
    await add(sourcedFacts(1, { name: "Anders" }), sourcedFacts(50));
    await add(sourcedFacts(2, { name: "Ook anders" }));
    const { out } = await run("registry");
    expect(out[0]).toMatch(/^current {3}segment-3\.sqlite {2}41 companies/);
    const layers = out.slice(2, 4).map((line) =>
      line
        .trim()
        .split(/, | {2,}/)
        .slice(0, 3),
    );
    expect(layers).toEqual([
      ["base", "snapshot-1.sqlite", "40 companies"],
      ["segment", "segment-3.sqlite", "3 companies"],
    ]);
    const { snapshots } = JSON.parse((await run("registry", "--json")).out.join(""));
    expect(snapshots[0].layers.map(({ file }: { file: string }) => file)).toEqual(
      layers.map(([, file]) => file),
    );
    expect(snapshots[1].layers).toHaveLength(2);
    expect((await run("registry", "rollback")).out).toEqual([
      "segment-2.sqlite is now current: 41 companies.",
    ]);
  });

  it("reports which snapshot is damaged", async () => {
    const { run, add, directory } = terminal();
    await add(sourcedFacts(1));
    truncateSync(join(directory, "snapshot-1.sqlite"), 100);
    expect((await run("registry")).out.at(-1)).toContain("cannot be used: it has 100 bytes instead of");
  });

  it("verifies every snapshot completely, and fails with the remedy if one is damaged", async () => {
    const { run, add, directory } = terminal();
    expect(await run("registry", "verify")).toMatchObject({ code: 1 });
    await add(sourcedFacts(1));
    await add(sourcedFacts(2));
    expect((await run("registry", "verify")).out).toEqual([
      "current   snapshot-2.sqlite  is intact",
      `current   snapshot-2.${NAMES}  is intact`,
      "previous  snapshot-1.sqlite  is intact",
      `previous  snapshot-1.${NAMES}  is intact`,
    ]);
    const names = join(directory, `snapshot-2.${NAMES}`);
    damage(names);
    rmSync(join(directory, `snapshot-1.${NAMES}`));
    expect((await run("registry", "verify")).out).toEqual([
      "current   snapshot-2.sqlite  is intact",
      `current   snapshot-2.${NAMES}  cannot be used: its checksum does not match. It is being built.`,
      `current   snapshot-2.${NAMES}  is built`,
      "previous  snapshot-1.sqlite  is intact",
      `previous  snapshot-1.${NAMES}  cannot be used: it is missing. It is being built.`,
      `previous  snapshot-1.${NAMES}  is built`,
    ]);
    expect((await run("registry", "verify")).out).toHaveLength(4);
    const path = join(directory, "snapshot-2.sqlite");
    const bytes = readFileSync(path);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(path, bytes);
    expect(await run("registry", "verify")).toMatchObject(
      endedWith(1, /snapshot-2\.sqlite cannot be used: .*SHA-256 differs.*rollback/),
    );
  });

  it("reports damage even if the note of an earlier check cannot be deleted", async () => {
    const { run, add, directory } = terminal();
    await add(sourcedFacts(1));
    for (const [file, note] of [
      [`snapshot-1.${NAMES}`, `snapshot-1.verified-${NAMES}`],
      ["snapshot-1.sqlite", "snapshot-1.verified"],
    ] as const) {
      damage(join(directory, file));
      rmSync(join(directory, note), { force: true });
      // Stands for a note in a folder that cannot be written.
      mkdirSync(join(directory, note, "kept"), { recursive: true });
      const { out, err } = await run("registry", "verify");
      expect([...out, ...err].join("\n"), file).toMatch(
        new RegExp(`${file} +cannot be used: .*(checksum|SHA-256)`),
      );
    }
  });

  it("prepares the indexes of this version next to those of another one, which stay until their snapshot goes", async () => {
    const { run, add, directory } = terminal();
    expect(await run("registry", "prepare")).toMatchObject({
      code: 0,
      out: [expect.stringContaining("There is nothing to prepare.")],
    });
    await add(sourcedFacts(1));
    await add(sourcedFacts(2));
    const others = [
      "snapshot-1.names",
      "snapshot-2.names",
      "snapshot-2.names-1",
      "snapshot-2.verified-names-1",
    ];
    for (const name of others) writeFileSync(join(directory, name), "an index of another version");
    for (const number of [1, 2]) rmSync(join(directory, `snapshot-${number}.${NAMES}`));
    expect((await run("registry", "prepare")).out).toEqual([
      `current   snapshot-2.${NAMES}  cannot be used: it is missing. It is being built.`,
      `current   snapshot-2.${NAMES}  is built`,
      `previous  snapshot-1.${NAMES}  cannot be used: it is missing. It is being built.`,
      `previous  snapshot-1.${NAMES}  is built`,
    ]);
    expect((await run("registry", "prepare")).out).toEqual([
      `current   snapshot-2.${NAMES}  is intact`,
      `previous  snapshot-1.${NAMES}  is intact`,
    ]);
    const left = () => others.filter((name) => existsSync(join(directory, name)));
    expect(left()).toEqual(others);
    await add(sourcedFacts(3));
    expect(left()).toEqual(others.slice(1));
    await add(sourcedFacts(4));
    expect(left()).toEqual([]);
  });

  it("prepares the current snapshot also when the previous one is damaged", async () => {
    const { run, add, directory } = terminal();
    await add(sourcedFacts(1));
    await add(sourcedFacts(2));
    truncateSync(join(directory, "snapshot-1.sqlite"), 100);
    for (const number of [1, 2]) rmSync(join(directory, `snapshot-${number}.${NAMES}`));
    const { code, err } = await run("registry", "prepare");
    expect([code, existsSync(join(directory, `snapshot-2.${NAMES}`))]).toEqual([0, true]);
    expect(err).toContainEqual(expect.stringMatching(/index of .*snapshot-1\.sqlite cannot be built/));
  });

  it("does not advise a rollback if the previous snapshot is unknown", async () => {
    const { run, add, directory } = terminal();
    await add(sourcedFacts(1));
    writeFileSync(pointerPath(directory), "{");
    for (const words of [["registry"], ["registry", "rollback"]]) {
      expect(await run(...words)).toMatchObject(
        endedWith(
          1,
          `${pointerPath(directory)} cannot be used: it is not JSON. Import your data again with --replace.`,
        ),
      );
    }
  });

  it("reports that DATA_DIR is not a folder", async () => {
    const { run, directory } = terminal();
    writeFileSync(dirname(directory), "");
    expect(await run("registry")).toMatchObject(
      endedWith(
        1,
        `The registry in ${directory} cannot be read (ENOTDIR): check that DATA_DIR names a folder and that you may read it.`,
      ),
    );
  });
});

describe("opzoek registry rollback", () => {
  it("returns to the previous snapshot, and back again", async () => {
    const { run, add } = terminal();
    await add(sourcedFacts(1));
    await add(sourcedFacts(2));
    expect((await run("registry", "rollback")).out).toEqual(["snapshot-1.sqlite is now current: 1 company."]);
    expect((await run("registry", "rollback")).out).toEqual([
      "snapshot-2.sqlite is now current: 2 companies.",
    ]);
  });

  it("fails with advice if there is no previous snapshot, or an import is running", async () => {
    const { run, add, directory } = terminal();
    expect(await run("registry", "rollback")).toMatchObject(
      endedWith(1, "import the data that you want with --replace"),
    );
    await add(sourcedFacts(1));
    expect(await run("registry", "rollback")).toMatchObject({ code: 1 });
    const lock = takeLock(directory);
    expect(await run("registry", "rollback")).toMatchObject(
      endedWith(
        1,
        `Another import, rollback, publication or fetch is working in ${directory}: wait until it is done and try again.`,
      ),
    );
    lock.release();
  });
});
