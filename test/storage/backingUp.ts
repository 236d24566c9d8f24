/** The code run by the processes of `backupKilled.test.ts`. */
export { backupState } from "../../src/storage/backup/backupState.ts";
export { restoreState } from "../../src/storage/backup/restoreState.ts";
