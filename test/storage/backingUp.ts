/** What the processes of `backupKilled.test.ts` run. */
export { backupState } from "../../src/storage/backup/backupState.ts";
export { restoreState } from "../../src/storage/backup/restoreState.ts";
