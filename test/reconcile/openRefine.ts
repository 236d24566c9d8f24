/** OpenRefine on loopback, and the parts of its page that tests use. */
import type { Page } from "playwright-core";
import { afterFile } from "../kit/afterFile.ts";
import { freePort } from "../kit/freePort.ts";
import { type Need, program } from "../kit/needs.ts";
import { isInstalled, startProgram } from "../kit/program.ts";
import { until } from "../kit/until.ts";
import { temporaryFolder } from "../kit/world.ts";

/** `setsid` starts the processes of OpenRefine as one group. */
const group = program("setsid");
export const INSTALLED: Need = group.isMet
  ? { isMet: isInstalled("sh", ["-c", "command -v openrefine"]), lack: "openrefine is not installed" }
  : group;

const ALL_ROWS = '{"facets":[],"mode":"row-based"}';

/** A running OpenRefine. Projects are given by their ids. */
export class OpenRefine {
  readonly #address: string;

  /** @param address `http://127.0.0.1:PORT` */
  constructor(address: string) {
    this.#address = address;
  }

  pageOf(project: string): string {
    return `${this.#address}/project?project=${project}`;
  }

  async createProject(csv: string): Promise<string> {
    const body = new FormData();
    body.set("project-name", "debiteuren");
    body.set("project-file", new Blob([csv], { type: "text/csv" }), "debiteuren.csv");
    const query = {
      csrf_token: await this.#token(),
      format: "text/line-based/*sv",
      options: '{"separator":","}',
    };
    const { headers, status } = await this.#send("create-project-from-upload", query, body);
    const project = /project=([0-9]+)/.exec(headers.get("location") ?? "")?.[1];
    if (project === undefined) throw new Error(`OpenRefine made no project: ${status}`);
    return project;
  }

  /** Starts to reconcile a column, as the page's dialog does. */
  async reconcile(project: string, columnName: string, service: string): Promise<void> {
    const spaces = Object(await (await fetch(service)).json());
    const config = JSON.stringify({
      mode: "standard-service",
      service,
      identifierSpace: spaces.identifierSpace,
      schemaSpace: spaces.schemaSpace,
      type: { id: "company", name: "company" },
      autoMatch: true,
      columnDetails: [],
      limit: 0,
    });
    const fields = { columnName, config, engine: ALL_ROWS, csrf_token: await this.#token() };
    const started = await this.#send("reconcile", { project }, new URLSearchParams(fields));
    if (!(await started.text()).includes("pending")) throw new Error("OpenRefine does not reconcile");
  }

  /** Waits until a project has no background work. */
  async idle(project: string): Promise<void> {
    await until("OpenRefine has no background work", async () => {
      const answer = await fetch(`${this.#address}/command/core/get-processes?project=${project}`);
      return Object(await answer.json()).processes.length === 0;
    });
  }

  /** Returns the number of matched cells of the first column. */
  async matchedCells(project: string): Promise<unknown> {
    const answer = await fetch(`${this.#address}/command/core/get-models?project=${project}`);
    return Object(await answer.json()).columnModel.columns[0].reconStats.matchedTopics;
  }

  /** Returns the rows as CSV, without the heading. */
  async exportedRows(project: string): Promise<readonly string[]> {
    const body = new URLSearchParams({ project, format: "csv", engine: ALL_ROWS });
    const [, ...rows] = (await (await this.#send("export-rows/rows.csv", {}, body)).text())
      .trim()
      .split("\n");
    return rows;
  }

  #send(
    command: string,
    query: Readonly<Record<string, string>>,
    body: FormData | URLSearchParams,
  ): Promise<Response> {
    const path = `/command/core/${command}?${new URLSearchParams(query)}`;
    return fetch(`${this.#address}${path}`, { method: "POST", body, redirect: "manual" });
  }

  async #token(): Promise<string> {
    return Object(await (await fetch(`${this.#address}/command/core/get-csrf-token`)).json()).token;
  }
}

/** Starts OpenRefine with an empty workspace. It is killed after the file's tests. */
export async function startOpenRefine(): Promise<OpenRefine> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const words = ["-i", "127.0.0.1", "-p", String(port), "-d", temporaryFolder(), "-m", "700M"];
  const started = startProgram("setsid", ["openrefine", ...words, "-x", "refine.headless=true"], {
    env: { PATH: process.env["PATH"], HOME: temporaryFolder() },
  });
  let hasEnded = false;
  started.ended.then(
    () => {
      hasEnded = true;
    },
    () => {},
  );
  afterFile(async () => {
    // The script starts Java in its process group.
    if (!hasEnded && started.child.pid !== undefined) process.kill(-started.child.pid, "SIGKILL");
    await started.ended;
  });
  await until("OpenRefine answers", async () => {
    if (hasEnded) throw new Error(`OpenRefine ended: ${started.err()}${started.out()}`);
    const answer = await fetch(`${address}/command/core/get-version`).catch(() => undefined);
    return answer?.ok;
  });
  return new OpenRefine(address);
}

/** Chooses an item of a column's menu. */
export async function chooseInMenu(page: Page, column: string, ...items: readonly string[]): Promise<void> {
  await page
    .locator(`.column-header:has(.column-header-name:text-is("${column}")) .column-header-menu`)
    .click();
  for (const [level, item] of items.entries()) {
    const found = page.locator(".menu-container").nth(level).locator(".menu-item", { hasText: item }).first();
    if (level === items.length - 1) await found.click();
    else await found.hover();
  }
}
