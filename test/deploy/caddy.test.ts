/** The configuration in `deploy/caddy`, run by Caddy itself: Debian's package `caddy` or another build of 2.6 or later. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeWith, program } from "../kit/needs.ts";
import { type Replaced, replacedIn, startProxy } from "./proxy.ts";
import { proxySuite, type StartProxy } from "./proxySuite.ts";

/** The configuration as shipped, with these nodes, and a test certificate instead of one that Caddy would request. */
const start: StartProxy = (nodes) =>
  startProxy(({ folder, port, plainPort, certificate, key }) => {
    const places: Replaced = [
      [/^http:\/\/\{\$OPZOEK_HOST:.*\} \{\n/gm, `http://:${plainPort} {\n\tbind 127.0.0.1\n`],
      [
        /^https:\/\/\{\$OPZOEK_HOST:.*\} \{\n/gm,
        `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}\n`,
      ],
      ["\tadmin off\n", `\tadmin off\n\tauto_https off\n`],
    ];
    const file = join(folder, "Caddyfile");
    writeFileSync(file, replacedIn("deploy/caddy/Caddyfile", places));
    const homes = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const env = { PATH: process.env.PATH, ...homes, OPZOEK_NODES: nodes.join(" ") };
    return { command: "caddy", words: ["run", "--config", file, "--adapter", "caddyfile"], env };
  });

describeWith(program("caddy", ["version"]), "Caddy", () => {
  proxySuite(start, start);
});
