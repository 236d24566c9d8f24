/**
 * Runs for each file, even if files share modules: a hook added by a shared module would apply to the first file only.
 */
import { afterAll } from "vitest";
import { closeAll } from "./afterFile.ts";

afterAll(closeAll);
