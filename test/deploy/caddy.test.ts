/**
 * The configuration in `deploy/caddy`, run by Caddy itself: Debian's package `caddy` or another build of 2.6 or later.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { READY_PATH } from "../../src/http/probes.ts";
import { ROOT } from "../architecture/repository.ts";
import { describeWith, program } from "../kit/needs.ts";
import { startProgram } from "../kit/program.ts";
import { servingPort } from "../kit/server.ts";
import { until } from "../kit/until.ts";
import { temporaryFolder } from "../kit/world.ts";
import { type Replaced, replacedIn, requestTls, startProxy } from "./proxy.ts";
import { proxySuite, type StartProxy } from "./proxySuite.ts";

const FILE = "deploy/caddy/Caddyfile";

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
    writeFileSync(file, replacedIn(FILE, places));
    const homes = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const env = { PATH: process.env.PATH, ...homes, OPZOEK_NODES: nodes.join(" ") };
    return { command: "caddy", words: ["run", "--config", file, "--adapter", "caddyfile"], env };
  });

/** A node that is alive and may be not ready. It answers calls with its name. */
async function nodeNamed(name: string) {
  const node = { isReady: true, address: "" };
  const port = await servingPort(({ url }, response) => {
    if (url === READY_PATH && !node.isReady) response.writeHead(503);
    response.end(name);
  });
  node.address = `127.0.0.1:${port}`;
  return node;
}

describeWith(program("caddy", ["version"]), "Caddy", () => {
  proxySuite(start, start);

  it("sends calls to ready nodes only, and to a node again once it is ready", async () => {
    const [first, second] = [await nodeNamed("first"), await nodeNamed("second")];
    const { port } = await start([first.address, second.address]);
    const answering = async () => {
      const calls = Array.from({ length: 8 }, () => requestTls(port, { path: "/v1/health" }));
      return [...new Set((await Promise.all(calls)).map(({ text }) => text))].sort();
    };
    const both = ["first", "second"];
    await until("both nodes answer", async () => isDeepStrictEqual(await answering(), both));
    first.isReady = false;
    await until("only the ready node answers", async () => isDeepStrictEqual(await answering(), ["second"]));
    first.isReady = true;
    await until("both nodes answer again", async () => isDeepStrictEqual(await answering(), both));
  });

  it("accepts the file with its own check", async () => {
    const { code, err } = await startProgram(
      "caddy",
      ["validate", "--config", join(ROOT, FILE), "--adapter", "caddyfile"],
      { env: { PATH: process.env.PATH, HOME: temporaryFolder() } },
    ).ended;
    expect([code, code === 0 || err]).toEqual([0, true]);
  });
});
