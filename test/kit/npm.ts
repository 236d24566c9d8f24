/** For tests: npm without a network, cache or user settings. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** The environment of npm and of programs that it installed. @param folder their home */
export function npmOffline(folder: string): NodeJS.ProcessEnv {
  const prefix = join(folder, "prefix");
  mkdirSync(join(prefix, "lib"), { recursive: true });
  return {
    // The Node.js of this run, for npm too.
    PATH: [dirname(process.execPath), process.env.PATH].join(":"),
    HOME: folder,
    // npm derives the prefix from the location of Node.js; ours is in a package, and npm 9 fails without a `lib` there.
    npm_config_prefix: prefix,
    npm_config_cache: join(folder, "cache"),
    npm_config_offline: "true",
    npm_config_update_notifier: "false",
  };
}
