/** The code run by the processes of `backupKilled.test.ts`. */
export { backupState } from "../../src/database/backup/backupState.ts";
export { restoreState } from "../../src/database/backup/restoreState.ts";
