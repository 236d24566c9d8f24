import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { textOf } from "../architecture/repository.ts";
import { afterFile } from "../kit/afterFile.ts";
import { type Answer, type Asked, prepared } from "../kit/answer.ts";
import { LOCAL_CERTIFICATE, LOCAL_KEY, PRIVATE_ROOT } from "../kit/certificates.ts";
import { freePort } from "../kit/freePort.ts";
import { type Program, startProgram } from "../kit/program.ts";
import { until } from "../kit/until.ts";
import { temporaryFolder } from "../kit/world.ts";

/** A proxy with TLS that runs as a file of `deploy` says, but for its ports, its certificate and where its files are. */
export interface RunningProxy {
  readonly port: number;
  /** That of plain HTTP. */
  readonly plainPort: number;
  readonly program: Program;
  /** All that it wrote to its logs, its output among them. */
  logs(): string;
}

/** Where the pieces of a file of `deploy` come to lie in a test. */
export interface ProxyPlaces {
  readonly folder: string;
  readonly port: number;
  readonly plainPort: number;
  readonly certificate: string;
  readonly key: string;
}

/** What stands in a file of `deploy`, and what stands there in a test. */
export type Replaced = readonly (readonly [shown: string | RegExp, here: string])[];

/** The text of a file with all of that replaced. @throws {Error} when something to replace is not there */
export function replacedIn(path: string, replaced: Replaced): string {
  return replaced.reduce((text, [shown, here]) => {
    const changed = text.replaceAll(shown, () => here);
    if (changed === text) throw new Error(`${path} has no ${String(shown)}`);
    return changed;
  }, textOf(path));
}

/** How a proxy is started. */
export type ProxyCommand = (places: ProxyPlaces) => {
  readonly command: string;
  readonly words: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
};

/** Free ports may be taken by another program before the proxy has them. */
const MAX_TRIES = 3;

/** Starts a proxy in a folder of its own and waits until it answers; it is killed when the file's tests have ended. */
export async function startProxy(start: ProxyCommand): Promise<RunningProxy> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const proxy = await tryToStart(start);
    if (proxy !== undefined) return proxy;
  }
  throw new Error(`its ports were taken ${MAX_TRIES} times`);
}

/** @returns undefined when its ports were taken */
async function tryToStart(start: ProxyCommand): Promise<RunningProxy | undefined> {
  const folder = temporaryFolder();
  const logFolder = join(folder, "log");
  mkdirSync(logFolder);
  const certificate = join(folder, "certificate.pem");
  const key = join(folder, "key.pem");
  writeFileSync(certificate, LOCAL_CERTIFICATE);
  writeFileSync(key, LOCAL_KEY);
  const [port, plainPort] = [await freePort(), await freePort()];
  const { command, words, env } = start({ folder, port, plainPort, certificate, key });
  const program = startProgram(command, words, { cwd: folder, ...(env !== undefined && { env }) });
  afterFile(async () => {
    program.child.kill("SIGTERM");
    await program.ended;
  });
  const logs = () =>
    readdirSync(logFolder).reduce(
      (text, name) => text + readFileSync(join(logFolder, name), "utf8"),
      program.out() + program.err(),
    );
  const hasStarted = await until("the proxy answers", async () => {
    if (program.child.exitCode === null) {
      return askTls(port, { path: "/-" }).then(
        () => "yes",
        () => undefined,
      );
    }
    if (/address already in use/i.test(logs())) return "no";
    throw new Error(`${command} ended: ${logs()}`);
  });
  return hasStarted === "yes" ? { port, plainPort, program, logs } : undefined;
}

/** Asks by HTTP/1.1 over TLS, on a connection of its own. */
export function askTls(port: number, asked: Asked): Promise<Answer> {
  const { headers, body } = prepared(asked);
  return new Promise((resolve, reject) => {
    const outgoing = request({
      port,
      host: "localhost",
      family: 4,
      ca: PRIVATE_ROOT,
      agent: false,
      method: asked.method ?? "GET",
      path: asked.path,
      headers: { ...headers, ...(body !== undefined && { "content-length": Buffer.byteLength(body) }) },
    });
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const told = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        const text = Buffer.concat(parts).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(told), text });
      });
    });
    outgoing.end(body);
  });
}

/** Sends bytes over TLS. @returns all that came back until the other side closed */
export function sendTls(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ port, host: "localhost", ca: PRIVATE_ROOT, ALPNProtocols: ["http/1.1"] });
    const parts: Buffer[] = [];
    socket.on("data", (part: Buffer) => parts.push(part));
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(parts).toString("utf8")));
    socket.write(bytes);
  });
}
