/**
 * Runs the Dockerfile's steps in an empty folder: copies, builds and the start. Base images and package installation
 * need a registry; the packages of this checkout replace them.
 */
import { cpSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, repositoryFiles, textOf } from "../architecture/repository.ts";
import { ask } from "../kit/client.ts";
import { freePort } from "../kit/freePort.ts";
import { itWith, program } from "../kit/needs.ts";
import { runProgram, startProgram } from "../kit/program.ts";
import { serviceBy } from "../kit/service.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { temporaryFolder } from "../kit/world.ts";

interface Step {
  readonly word: string;
  readonly rest: string;
}

const steps: readonly Step[] = textOf("Dockerfile")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [, word = "", rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return { word, rest };
  });
const last = (word: string): string => steps.findLast((step) => step.word === word)?.rest ?? "";

/**
 * The files of the repository that are sent to Docker: `.dockerignore` excludes everything, then includes some, then
 * excludes parts of those.
 */
function context(): readonly string[] {
  const lines = textOf(".dockerignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines[0]).toBe("*");
  const isIn = (path: string, place: string) => path === place || path.startsWith(`${place}/`);
  return repositoryFiles().filter((path) => {
    const rule = lines.slice(1).findLast((line) => isIn(path, line.replace("!", "")));
    return rule?.startsWith("!") === true;
  });
}

/** The folders that the Dockerfile names, mapped into a test folder instead of an image's root. */
const PLACES = /(^|[\s"=])\/(build|release|data|opt)(?=[\s/"]|$)/g;

/** Runs the file's steps in an empty folder. @returns that folder */
async function build(): Promise<string> {
  const root = temporaryFolder();
  const here = (text: string) => text.replaceAll(PLACES, `$1${root}/$2`);
  let folder = root;
  for (const { word, rest } of steps) {
    if (word === "WORKDIR") {
      folder = here(rest);
      mkdirSync(folder, { recursive: true });
    } else if (word === "COPY") copy(here(rest).split(" "), folder);
    else if (word === "RUN" && rest.startsWith("npm ci")) {
      symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    } else if (word === "RUN") {
      const PATH = [dirname(process.execPath), process.env.PATH].join(":");
      // Only root may give a file away; another test checks the owner.
      const command = here(rest).replace(/ --(owner|group)=\w+/g, "");
      await runProgram("sh", ["-ec", command], {
        cwd: folder,
        env: { PATH, HOME: root, COMMIT: "0123456789ab" },
      });
    } else if (!LATER.includes(word)) throw new Error(`this test has no case for ${word}`);
  }
  return root;
}

/** The paths that are checked after the build. */
const LATER = [
  "FROM",
  "ARG",
  "ENV",
  "LABEL",
  "USER",
  "VOLUME",
  "EXPOSE",
  "STOPSIGNAL",
  "HEALTHCHECK",
  "ENTRYPOINT",
  "CMD",
];

function copy(words: readonly string[], folder: string): void {
  const [first = "", ...others] = words;
  if (first.startsWith("--from=")) {
    const [from = "", to = ""] = others;
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to, { recursive: true });
    return;
  }
  const sources = words.slice(0, -1);
  const files = context().filter((path) => sources.includes(".") || sources.includes(path));
  expect(files.length).toBeGreaterThanOrEqual(sources.length);
  for (const path of files) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}

describe("the Dockerfile", () => {
  it("uses in both stages the Node.js of the tests, and allows pinning it by digest", () => {
    const from = steps.flatMap(({ word, rest }) =>
      word === "FROM" ? (/^\$\{(\w+)\}/.exec(rest)?.[1] ?? rest) : [],
    );
    expect(from).toEqual(["NODE_IMAGE", "NODE_IMAGE"]);
    expect(steps[0]).toEqual({ word: "ARG", rest: `NODE_IMAGE=node:${process.versions.node}-bookworm-slim` });
  });

  thoroughIt(
    "builds an image in an empty folder that runs unprivileged, reports its health and stops on its signal",
    async () => {
      const root = await build();
      expect(last("USER")).toBe("node");
      expect(last("STOPSIGNAL")).toBe("SIGTERM");
      expect(existsSync(join(root, last("VOLUME")))).toBe(true);
      expect(statSync(join(root, "data")).mode & 0o777).toBe(0o700);
      expect(existsSync(join(root, "opt/opzoek/node_modules"))).toBe(false);

      const variables = last("ENV").replaceAll(PLACES, `$1${root}/$2`).split(" ");
      const image = Object.fromEntries(variables.map((pair) => pair.split("=")));
      expect(image["HOST"]).toBe("0.0.0.0");
      const env = { PATH: process.env.PATH, ...image, HOST: "127.0.0.1", PORT: String(await freePort()) };
      const words = (text: string): string[] =>
        JSON.parse(text.replaceAll(PLACES, `$1${root}/$2`)) as string[];
      const [node, ...entry] = words(last("ENTRYPOINT"));
      expect(node).toBe("node");
      const cwd = join(root, "data");
      const service = await serviceBy(
        startProgram(process.execPath, [...entry, ...words(last("CMD"))], { env, cwd }),
      );
      expect(service.log()[0]).toMatchObject({ msg: "starting", commit: "0123456789ab" });
      expect((await ask(service, { path: "/" })).status).toBe(200);

      const [, , ...args] = words(
        last("HEALTHCHECK")
          .replace(/^.* CMD /, "")
          .replace(/^\["node"/, '["-","node"'),
      );
      const isHealthy = () =>
        startProgram(process.execPath, args, { env: { ...env, PORT: String(service.port) } }).ended;
      expect((await isHealthy()).code).toBe(0);
      expect(await service.end("SIGTERM")).toBe(0);
      expect((await isHealthy()).code).toBe(1);
    },
  );
});

/** The commands in the shell blocks of the documents that begin with these words, on one line each. */
function documented(beginning: string): string[] {
  return ["docs/install.md", "docs/backup-and-upgrade.md"].flatMap((path) =>
    [...textOf(path).matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = ""]) =>
      block
        .replaceAll(/\\\n\s*/g, "")
        .split("\n")
        .filter((line) => line.startsWith(beginning)),
    ),
  );
}

describe("the documented containers", () => {
  const runs = documented("docker run ");
  const HARDENED = ["--read-only", "--tmpfs /tmp", "--cap-drop ALL", "--security-opt no-new-privileges"];

  it("are unprivileged, with a limit for memory and the settings from the file that an upgrade keeps", () => {
    expect(runs.length).toBeGreaterThan(3);
    for (const run of runs) {
      for (const option of [...HARDENED, "--env-file opzoek.env"]) expect(run).toContain(` ${option} `);
      expect(run).toMatch(/ --memory [24]g /);
      expect(run).toMatch(/ (--detach|--rm) .* opzoek:[0-9.]+(-rc\.[0-9]+)?( |$)/);
    }
  });

  it("have one that serves, which restarts, stops slowly, limits its log, and listens on this machine only", () => {
    const serving = runs.filter((run) => run.includes(" --detach "));
    expect(serving).toHaveLength(1);
    for (const option of [
      "--restart unless-stopped",
      "--log-opt max-size=10m",
      "--log-opt max-file=5",
      "--stop-timeout 30",
      "--publish 127.0.0.1:8080:8080",
    ]) {
      expect(serving[0]).toContain(` ${option} `);
    }
  });

  itWith(program("docker"), "have only options that Docker knows", async () => {
    for (const run of runs) {
      const folder = temporaryFolder();
      writeFileSync(join(folder, "opzoek.env"), "LOG_LEVEL=info\n");
      // Docker checks options before it looks for its service.
      const env = { PATH: process.env.PATH, HOME: folder, DOCKER_HOST: `unix://${folder}/none.sock` };
      const { err } = await startProgram("sh", ["-c", run], { cwd: folder, env }).ended;
      expect(err).toMatch(/connect to the Docker daemon|failed to connect to the docker API/i);
    }
  });
});
