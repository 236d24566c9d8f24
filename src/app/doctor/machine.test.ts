import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/kit/registry.ts";
import { rights } from "./machine.ts";

interface Folder {
  readonly mode: number;
  readonly isMounted?: boolean;
  /** The mode of the state's file. */
  readonly fileMode?: number;
}

const FS_GROUP = 0o2777;
const OTHER_ID = 65_534;

it.each<[string, Folder, string]>([
  ["a private folder", { mode: 0o700 }, "good"],
  ["a private folder on its own disk", { mode: 0o700, isMounted: true }, "good"],
  ["a folder that others may read", { mode: 0o755 }, "warning"],
  ["a folder that all may write", { mode: 0o777 }, "warning"],
  ["a folder that its group may read", { mode: 0o750 }, "warning"],
  ["a shared folder with setgid", { mode: FS_GROUP }, "warning"],
  ["a disk that all may write", { mode: 0o777, isMounted: true }, "warning"],
  ["a volume of Kubernetes", { mode: FS_GROUP, isMounted: true }, "good"],
  ["a volume of Kubernetes for its group alone", { mode: 0o2770, isMounted: true }, "good"],
  ["a volume with files that existed before", { mode: FS_GROUP, isMounted: true, fileMode: 0o660 }, "good"],
  ["a volume with a file that all may read", { mode: FS_GROUP, isMounted: true, fileMode: 0o664 }, "warning"],
  ["a private folder with such a file", { mode: 0o700, fileMode: 0o604 }, "warning"],
  ["a private folder with a file of the group", { mode: 0o700, fileMode: 0o640 }, "warning"],
])("%s is reported as it is", (_, { mode, isMounted = false, fileMode = 0o600 }, condition) => {
  const folder = join(temporaryFolder(), "data");
  mkdirSync(folder);
  const state = join(folder, "state.sqlite");
  writeFileSync(state, "");
  chmodSync(state, fileMode);
  chmodSync(folder, mode);
  expect(process.getgroups?.()).toContain(statSync(folder).gid);
  const found = rights({ DATA_DIR: folder }, () => isMounted);
  expect(found.condition).toBe(condition);
  if (condition === "warning" && mode === FS_GROUP && isMounted)
    expect(found.found).not.toContain(`${folder},`);
});

it.runIf(process.getuid?.() === 0)(
  "a volume has files of the user in the container, and a group of it",
  () => {
    const folder = join(temporaryFolder(), "data");
    mkdirSync(folder);
    const state = join(folder, "state.sqlite");
    writeFileSync(state, "", { mode: 0o600 });
    chownSync(state, OTHER_ID, OTHER_ID);
    chmodSync(folder, FS_GROUP);
    expect(rights({ DATA_DIR: folder }, () => true).condition).toBe("good");
    expect(rights({ DATA_DIR: folder }, () => false).condition).toBe("problem");
    // Without a group of this process it is any folder that all may write.
    chownSync(folder, OTHER_ID, OTHER_ID);
    chmodSync(folder, FS_GROUP);
    expect(rights({ DATA_DIR: folder }, () => true).condition).toBe("warning");
  },
);
