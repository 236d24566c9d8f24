/** Run for each file, also where files share their modules: a hook that a shared module adds would be of its first file only. */
import { afterAll } from "vitest";
import { closeAll } from "./afterFile.ts";

afterAll(closeAll);
