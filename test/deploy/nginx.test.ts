/**
 * The configurations in `deploy/nginx`, run by nginx itself: Debian's package `nginx-light` or another build of 1.22 or
 * later.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROUTE_LABELS } from "../../src/http/routeLabels.ts";
import { textOf } from "../architecture/repository.ts";
import { LOCAL_CERTIFICATE, LOCAL_KEY } from "../kit/certificates.ts";
import { describeWith, program } from "../kit/needs.ts";
import { startProgram } from "../kit/program.ts";
import { temporaryFolder } from "../kit/world.ts";
import { type Replaced, replacedIn, startProxy } from "./proxy.ts";
import { proxySuite, type StartProxy } from "./proxySuite.ts";

const ONE = "deploy/nginx/one-node.conf";
const TWO = "deploy/nginx/two-nodes.conf";

/** The configuration as shipped, with these nodes' addresses. */
function startWith(path: string, shown: readonly string[]): StartProxy {
  return (nodes) =>
    startProxy(({ folder, port, plainPort, certificate, key }) => {
      const places: Replaced = [
        ["user www-data;", process.getuid?.() === 0 ? "user root;" : ""],
        ["worker_rlimit_nofile 65536;", ""],
        ["worker_connections 16384;", "worker_connections 256;"],
        ["/run/nginx.pid", join(folder, "pid")],
        ["/var/log/nginx/", `${join(folder, "log")}/`],
        ["listen 80;", `listen 127.0.0.1:${plainPort};`],
        ["listen 443 ssl http2;", `listen 127.0.0.1:${port} ssl http2;`],
        [/ *listen \[::\].*\n/g, ""],
        ["/etc/letsencrypt/live/registry.example.com/fullchain.pem", certificate],
        ["/etc/letsencrypt/live/registry.example.com/privkey.pem", key],
        [/^http \{\n/gm, `http {\n${temporaryPathsIn(folder)}`],
        ...nodes.map((node, index) => [`server ${shown[index]} `, `server ${node} `] as const),
      ];
      const file = join(folder, "nginx.conf");
      writeFileSync(file, replacedIn(path, places));
      return { command: "nginx", words: ["-p", folder, "-c", file, "-g", "daemon off;"] };
    });
}

/** Debian's default paths need root; paths for modules that are not built in would be rejected. */
const temporaryPathsIn = (folder: string) =>
  ["client_body", "proxy", "fastcgi"].map((name) => `  ${name}_temp_path ${join(folder, name)};\n`).join("");

describeWith(program("nginx", ["-v"]), "nginx", () => {
  it.each([ONE, TWO])("accepts %s with its own check", async (path) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "log"));
    const places: Replaced = [
      ["user www-data;", ""],
      ["/run/nginx.pid", join(folder, "pid")],
      ["/var/log/nginx/", `${join(folder, "log")}/`],
      [/^http \{\n/gm, `http {\n${temporaryPathsIn(folder)}`],
      ["/etc/letsencrypt/live/registry.example.com/fullchain.pem", join(folder, "certificate.pem")],
      ["/etc/letsencrypt/live/registry.example.com/privkey.pem", join(folder, "key.pem")],
    ];
    writeFileSync(join(folder, "certificate.pem"), LOCAL_CERTIFICATE);
    writeFileSync(join(folder, "key.pem"), LOCAL_KEY);
    writeFileSync(join(folder, "nginx.conf"), replacedIn(path, places));
    const words = ["-t", "-p", folder, "-c", join(folder, "nginx.conf")];
    const { code, err } = await startProgram("nginx", words).ended;
    expect([code, code === 0 || err]).toEqual([0, true]);
    expect(err).not.toContain("[warn]");
  });

  proxySuite(startWith(ONE, ["127.0.0.1:8080"]), startWith(TWO, ["10.0.0.11:8080", "10.0.0.12:8080"]));
});

describe("the configurations for nginx", () => {
  it("differ only in the nodes", () => {
    const withoutNodes = (path: string) => {
      const text = textOf(path).replace(/^(#.*\n)+/, "");
      return text.replace(
        /^( *#.*\n)* *server [0-9.:]+ max_fails=0;\n( *server [0-9.:]+ max_fails=0;\n)*/gm,
        "",
      );
    };
    expect(withoutNodes(TWO)).toBe(withoutNodes(ONE));
    expect(textOf(TWO).match(/max_fails=0;/g)).toHaveLength(2);
  });

  it("log the route pattern of every path of the service, and a dash for other paths", () => {
    const [, map = ""] = /^ {2}map \$uri \$route \{\n([^}]*)^ {2}\}/m.exec(textOf(ONE)) ?? [];
    const lines = [...map.matchAll(/^ *(\S+) (\S+);$/gm)].map(([, from = "", to = ""]) => ({ from, to }));
    expect(lines.length).toBeGreaterThan(10);
    /** Evaluates the map as nginx does: exact paths first, then the first matching expression. */
    const routeOf = (path: string): string => {
      const equal = lines.find(({ from }) => from === path);
      if (equal !== undefined) return equal.to;
      for (const { from, to } of lines.filter((line) => line.from.startsWith("~"))) {
        const found = new RegExp(from.slice(1)).exec(path);
        if (found !== null) return to.replace(/\$(\w+)/, (_, name: string) => found.groups?.[name] ?? "");
      }
      return "-";
    };
    // The page's own paths are matched by prefix.
    const patterns = ROUTE_LABELS.filter(
      (label) => /^\/./.test(label) && !/^\/(account|docs)(\/|$)/.test(label),
    );
    expect(patterns.length).toBeGreaterThan(15);
    const matched = patterns.map((pattern) => routeOf(pattern.replaceAll(/:\w+/g, "51234567")));
    expect(matched).toEqual(patterns);
    expect(["/account/keys/1", "/docs/", "/", "/v1/jobs/1/nothing", "/made-up"].map(routeOf)).toEqual([
      "/account",
      "/docs",
      "/",
      "-",
      "-",
    ]);
  });
});
