import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { textOf } from "../architecture/repository.ts";
import { afterFile } from "../kit/afterFile.ts";
import { type Answer, encodeRequest, type TestRequest } from "../kit/answer.ts";
import { LOCAL_CERTIFICATE, LOCAL_KEY, PRIVATE_ROOT } from "../kit/certificates.ts";
import { freePort } from "../kit/freePort.ts";
import { type Program, startProgram } from "../kit/program.ts";
import { until } from "../kit/until.ts";
import { temporaryFolder } from "../kit/world.ts";

/** A TLS proxy with a configuration of `deploy`, apart from its ports, certificate and file locations. */
export interface RunningProxy {
  readonly port: number;
  /** The port for plain HTTP. */
  readonly plainPort: number;
  readonly program: Program;
  /** All its log files and its output. */
  logs(): string;
}

/** The paths of a proxy's files in a test. */
export interface ProxyPlaces {
  readonly folder: string;
  readonly port: number;
  readonly plainPort: number;
  readonly certificate: string;
  readonly key: string;
}

/** Texts of a file in `deploy`, and their replacements in a test. */
export type Replaced = readonly (readonly [shown: string | RegExp, here: string])[];

/** A file with all replacements made. @throws {Error} when a text to replace is absent */
export function replacedIn(path: string, replaced: Replaced): string {
  return replaced.reduce((text, [shown, here]) => {
    const changed = text.replaceAll(shown, () => here);
    if (changed === text) throw new Error(`${path} has no ${String(shown)}`);
    return changed;
  }, textOf(path));
}

/** The command that starts a proxy. */
export type ProxyCommand = (places: ProxyPlaces) => {
  readonly command: string;
  readonly words: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
};

/** Another program may take a free port before the proxy does. */
const MAX_TRIES = 3;

/** Starts a proxy in its own folder and waits until it answers; it is killed after the file's tests. */
export async function startProxy(start: ProxyCommand): Promise<RunningProxy> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const proxy = await tryToStart(start);
    if (proxy !== undefined) return proxy;
  }
  throw new Error(`its ports were taken ${MAX_TRIES} times`);
}

/** @returns undefined if its ports were taken */
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
      return requestTls(port, { path: "/-" }).then(
        () => "yes",
        () => undefined,
      );
    }
    if (/address already in use/i.test(logs())) return "no";
    throw new Error(`${command} ended: ${logs()}`);
  });
  return hasStarted === "yes" ? { port, plainPort, program, logs } : undefined;
}

/** Sends a request by HTTP/1.1 over TLS, on its own connection. */
export function requestTls(port: number, testRequest: TestRequest): Promise<Answer> {
  const { headers, body } = encodeRequest(testRequest);
  return new Promise((resolve, reject) => {
    const outgoing = request({
      port,
      host: "localhost",
      family: 4,
      ca: PRIVATE_ROOT,
      agent: false,
      method: testRequest.method ?? "GET",
      path: testRequest.path,
      headers: { ...headers, ...(body !== undefined && { "content-length": Buffer.byteLength(body) }) },
    });
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const responseHeaders = Object.entries(response.headers).map(([name, value]) => [
          name,
          String(value),
        ]);
        const text = Buffer.concat(parts).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(responseHeaders), text });
      });
    });
    outgoing.end(body);
  });
}

/** Sends bytes over TLS. @returns all bytes received until the other side closed */
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
