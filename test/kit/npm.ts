/** For tests: npm without a network, the cache or the settings of whoever runs it. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** What npm and what it installed are started with. @param folder their home */
export function npmOffline(folder: string): NodeJS.ProcessEnv {
  const prefix = join(folder, "prefix");
  mkdirSync(join(prefix, "lib"), { recursive: true });
  return {
    // The Node.js of this run, for npm too.
    PATH: [dirname(process.execPath), process.env.PATH].join(":"),
    HOME: folder,
    // npm takes it from where Node.js is installed; this one comes in a package, and npm 9 fails without a `lib` there.
    npm_config_prefix: prefix,
    npm_config_cache: join(folder, "cache"),
    npm_config_offline: "true",
    npm_config_update_notifier: "false",
  };
}
