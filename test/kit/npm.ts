/** For tests: npm without a network, the cache or the settings of whoever runs it. */
import { dirname, join } from "node:path";

/** What npm and what it installed are started with. @param folder their home */
export function npmOffline(folder: string): NodeJS.ProcessEnv {
  return {
    // The Node.js of this run, for npm too.
    PATH: [dirname(process.execPath), process.env.PATH].join(":"),
    HOME: folder,
    npm_config_cache: join(folder, "cache"),
    npm_config_offline: "true",
    npm_config_update_notifier: "false",
  };
}
