import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { AutocompleteItem } from "../../../src/contract/resources.ts";
import { IS_FIREFOX } from "../../dashboard/support/firefox.ts";
import { sharedBrowser, type Visit, type Visitor, visit } from "../../dashboard/support/visit.ts";
import { servingPort } from "../../kit/server.ts";
import { builtElement } from "./built.ts";

/** A response of the simulated service: JSON by default. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Responds to a call; a promise lets the test decide when. `cut` ends the connection without a response. */
export type Answering = (url: URL) => Reply | "cut" | Promise<Reply | "cut">;

export const KEY = "opz_pub_000000000000000000000000000000000000";

/**
 * The strictest policy for a page: nothing inline, and trusted types. In Firefox a test cannot evaluate scripts in such
 * a page, and Firefox requests an icon and warns of directives that it does not know.
 */
const POLICY = IS_FIREFOX
  ? "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self'"
  : "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; require-trusted-types-for 'script'";

export function hits(...results: readonly AutocompleteItem[]): Reply {
  return { body: { results } };
}

export function refusal(status: number, code: string, headers: Record<string, string> = {}): Reply {
  return { status, headers, body: { error: { code, message: `${code} for a test` } } };
}

export const KORENAAR: AutocompleteItem = {
  kvkNumber: "50000011",
  name: "Bakkerij De Gouden Korenaar B.V.",
  city: "Fabelstad",
};
export const KORENMOLEN: AutocompleteItem = {
  kvkNumber: "50000012",
  name: "Café Korenmolen",
  city: "Sprookveen",
  matchedName: "Bakkerij onder de Wieken",
};
export const KORFHUIS: AutocompleteItem = { kvkNumber: "50000013", name: "Bakkerij Korfhuis" };
export const THREE = [KORENAAR, KORENMOLEN, KORFHUIS] as const;

/** A page with the element, and a simulated service, shared by the tests of a file. */
export class Stage {
  readonly address: string;
  readonly browser: Browser;
  /** The received API calls, in order. */
  readonly requests: URL[] = [];
  answering: Answering = () => hits(...THREE);
  html = "";
  #visits = 0;
  /** Additional scripts by path. */
  readonly scripts = new Map<string, string>();

  constructor(address: string, browser: Browser) {
    this.address = address;
    this.browser = browser;
  }

  /** Opens a page with this content, and clears the received calls. */
  async open(
    html: string,
    visitor: Visitor = {},
    scripts: readonly string[] = ["/element.js"],
  ): Promise<Visit> {
    this.requests.length = 0;
    this.#visits += 1;
    this.html = page(html, scripts);
    const seen = await visit(this, visitor);
    await seen.page.goto(this.#path);
    await seen.page.evaluate(`customElements.whenDefined("opzoek-autocomplete").then(() => {})`);
    return seen;
  }

  /** Each visit has its own path, so that late calls of an earlier page do not count. */
  get #path(): string {
    return `/page/${this.#visits}`;
  }

  /** The searched texts, in order. */
  get queries(): (string | null)[] {
    return this.requests.map(({ searchParams }) => searchParams.get("q"));
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.address);
    const script = this.scripts.get(url.pathname);
    if (url.pathname === "/page.css") return void response.setHeader("content-type", "text/css").end(STYLES);
    if (script !== undefined) response.setHeader("content-type", "text/javascript").end(script);
    else if (url.pathname.startsWith("/v1/")) await this.#call(url, request, response);
    else if (url.pathname.startsWith("/page/"))
      response
        .setHeader("content-type", "text/html; charset=utf-8")
        .setHeader("content-security-policy", POLICY)
        .end(this.html);
    else response.writeHead(204).end();
  }

  async #call(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-expose-headers", "retry-after");
    response.setHeader("access-control-allow-headers", "authorization");
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    if (request.headers.referer?.endsWith(this.#path) === true) this.requests.push(url);
    const reply = await this.answering(url);
    if (reply === "cut") return void response.destroy();
    const { status = 200, headers = {}, body } = reply;
    const isText = typeof body === "string";
    response.writeHead(status, { "content-type": isText ? "text/html" : "application/json", ...headers });
    response.end(isText ? body : JSON.stringify(body));
  }
}

const STYLES = `html { background: light-dark(#fff, #121416); color: light-dark(#111, #eee); color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif }`;

function page(html: string, scripts: readonly string[]): string {
  const tags = scripts.map((path) => `<script type="module" src="${path}"></script>`).join("");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>A form</title><link rel="stylesheet" href="/page.css">${tags}</head>
<body><main><h1>A form</h1>${html}</main></body></html>`;
}

/** The element as most tests need it: no pause, a key, a label. */
export function field(attributes = "", label = "Company"): string {
  return `<label for="company">${label}</label>
<opzoek-autocomplete id="company" name="kvk" key="${KEY}" ${attributes} debounce="0"></opzoek-autocomplete>`;
}

/** Starts the service, builds the element if it is outdated, and uses the browser of the process. */
export async function openElementStage(): Promise<Stage> {
  const folder = await builtElement();
  const port = await servingPort((request, response) => {
    stage.answer(request, response).catch(() => response.destroy());
  });
  const stage = new Stage(`http://127.0.0.1:${port}`, await sharedBrowser());
  for (const file of ["element.js", "shared.js"]) {
    const code = read(join(folder, file));
    if (code !== undefined) stage.scripts.set(`/${file}`, code);
  }
  return stage;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

export const box = (page: Page) => page.locator("opzoek-autocomplete").getByRole("combobox");
export const options = (page: Page) => page.locator("opzoek-autocomplete").getByRole("option");
/** Evaluates an expression about the element, available as `node`. */
export const ask = <T>(page: Page, expression: string) =>
  page.evaluate<T>(`(node => (${expression}))(document.querySelector("opzoek-autocomplete"))`);
/** Locates the error message below the field. */
export const message = (page: Page) =>
  ask<string>(page, `node.shadowRoot.getElementById("message").textContent`);
/** Locates the live region of announcements. */
export const status = (page: Page) => page.getByRole("status");
