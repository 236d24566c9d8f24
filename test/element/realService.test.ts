/**
 * The element with real keys and tokens at a real service, from pages of another origin: the examples of
 * docs/keys-in-pages.md.
 */
import { writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { RequestedBounds } from "../../src/accounts/keyBounds.ts";
import { textOf } from "../architecture/repository.ts";
import { ensureBuilt } from "../dashboard/support/built.ts";
import { IS_FIREFOX } from "../dashboard/support/firefox.ts";
import { sharedBrowser, type Visit, visit } from "../dashboard/support/visit.ts";
import { jsonOf } from "../kit/answer.ts";
import { ask as call } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { type Served, serveHere } from "../kit/serveHere.ts";
import { servingPort } from "../kit/server.ts";
import { awayFromDayEnd } from "../kit/until.ts";
import { makeWorld, type TestAccount, temporaryFolder, type World } from "../kit/world.ts";
import { ask, box, message, options } from "./support/stage.ts";

const SHOWN_SERVICE = "https://opzoek.example";
const SHOWN_PAGE = "https://shop.example";
const GUIDE = textOf("docs/keys-in-pages.md");
const [KEY_PAGE = "", TOKEN_PAGE = ""] = examples("html");
const [, AUTOCOMPLETE_PAGE = ""] = /```html\n(.*?)```/s.exec(textOf("docs/autocomplete.md")) ?? [];
const [FETCHING = "", SERVER = "", PAGE_SCRIPT = ""] = examples("js");
const POLICY = /^Content-Security-Policy: (.*)$/m.exec(GUIDE)?.[1] ?? "";

function examples(language: string): string[] {
  return [...GUIDE.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(([, code = ""]) => code);
}

/** The site's responses by path. */
interface Site {
  html: string;
  policy: string;
  token?: () => Promise<unknown>;
}

let world: World;
let service: Served;
/** A shop's site, at its own address and under another name, which is another origin. */
let shop: string;
let elsewhere: string;
const site: Site = { html: "", policy: "" };

beforeAll(async () => {
  await awayFromDayEnd();
  ensureBuilt();
  world = await makeWorld();
  service = await serveHere(world);
  const port = await servingPort((request, response) => {
    if (request.url === "/tokens.js") sendScript(response, PAGE_SCRIPT);
    else if (request.url === "/company-token") sendToken(response);
    else if (request.url === "/") sendPage(response);
    else response.writeHead(404).end();
  });
  shop = `http://127.0.0.1:${port}`;
  elsewhere = `http://localhost:${port}`;
});

function sendScript(response: ServerResponse, code: string): void {
  response.setHeader("content-type", "text/javascript").end(code);
}

function sendPage(response: ServerResponse): void {
  const policy = site.policy.replaceAll(SHOWN_SERVICE, service.address);
  response.setHeader("content-type", "text/html; charset=utf-8");
  // In Firefox, a test cannot evaluate scripts in a page with a strict policy.
  if (!IS_FIREFOX) response.setHeader("content-security-policy", policy);
  response.end(`<!doctype html><html lang="en"><title>A shop</title>${site.html}`);
}

function sendToken(response: ServerResponse): void {
  const { token = () => Promise.reject(new Error("there are none")) } = site;
  token().then(
    (made) =>
      response
        .writeHead(200, { "content-type": "application/json", "cache-control": "no-store" })
        .end(JSON.stringify(made)),
    () => response.writeHead(503).end(),
  );
}

const pageWith = (key: string, html = KEY_PAGE) =>
  html.replaceAll(SHOWN_SERVICE, service.address).replace("opz_pub_…", key);

async function keyOf(bounds: RequestedBounds = {}): Promise<{ key: string; id: string; owner: TestAccount }> {
  const owner = await world.account("plenty");
  const settings = { origins: [shop], mayLookUp: true, ...bounds };
  const made = await world.withAccounts((accounts) => accounts.createKey(owner.id, "shop", "pub", settings));
  return { ...made, owner };
}

async function open(address: string, html: string, policy = POLICY): Promise<Visit> {
  Object.assign(site, { html, policy });
  const seen = await visit({ address, browser: await sharedBrowser() });
  await seen.page.goto("/");
  await seen.page.evaluate(`customElements.whenDefined("opzoek-autocomplete").then(() => {})`);
  return seen;
}

async function usedBy({ key }: TestAccount): Promise<{ used: number; sessions: number; calls: number }> {
  const usage = jsonOf(await call(service, { path: "/v1/usage", key })) as {
    tokens: { used: number };
    operations: { operation: string; sessions?: number; sessionCalls?: number }[];
  };
  const typed = usage.operations.find(({ operation }) => operation === "autocomplete");
  return { used: usage.tokens.used, sessions: typed?.sessions ?? 0, calls: typed?.sessionCalls ?? 0 };
}

async function type(page: Page, text: string): Promise<void> {
  for (const letter of text) {
    await box(page).press(letter);
    // Waits for each call, because fast keystrokes share one.
    await expect.poll(() => ask(page, "node.shadowRoot.querySelector('[part=spinner]').hidden")).toBe(true);
  }
}

it("the element's script can be loaded by any site, is revalidated each time, and is compressed", async () => {
  const url = `${service.address}/element.js`;
  const response = await fetch(url, { headers: { origin: shop, "accept-encoding": "br" } });
  const { headers, status } = response;
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(headers.get("cache-control")).toBe("no-cache");
  expect(headers.get("content-encoding")).toBe("br");
  // A single file without imports.
  expect(await response.text()).not.toMatch(/\bimport\b|\bfrom"/);
  const again = await fetch(url, {
    headers: { "accept-encoding": "br", "if-none-match": headers.get("etag") ?? "" },
  });
  expect([again.status, again.headers.get("access-control-allow-origin")]).toEqual([304, "*"]);
  const page = await fetch(`${service.address}/favicon.svg`);
  expect(page.headers.get("access-control-allow-origin")).toBeNull();
});

describe("the element with a browser key", () => {
  it("finds companies, is charged once per session, and fills the form, on an allowed website with the guide's policy", async () => {
    const { key, owner } = await keyOf();
    const { page, troubles } = await open(shop, pageWith(key));
    await type(page, "fabelk");
    await options(page).filter({ hasText: "Fabelkorst" }).first().click();
    await expect.poll(() => page.getByLabel("Street").inputValue()).toBe("Sprookjeslaan");
    expect(await page.getByLabel("City").inputValue()).toBe("Verzinstad");
    expect(await page.evaluate("new FormData(document.forms[0]).get('kvkNumber')")).toBe(BAKERY);
    const { used, calls, sessions } = await usedBy(owner);
    expect([used, sessions]).toEqual([2, 1]);
    expect(calls).toBeGreaterThan(1);
    expect(troubles).toEqual([]);
  });

  it("finds and fills on the page of docs/autocomplete.md", async () => {
    const { key } = await keyOf();
    const { page, troubles } = await open(shop, pageWith(key, AUTOCOMPLETE_PAGE));
    await box(page).fill("fabelk");
    await options(page).filter({ hasText: "Fabelkorst" }).first().click();
    await expect.poll(() => page.getByLabel("City").inputValue()).toBe("Verzinstad");
    expect(await page.evaluate("new FormData(document.forms[0]).get('kvkNumber')")).toBe(BAKERY);
    expect(troubles).toEqual([]);
  });

  it("explains on another website that the key is not valid there, and does not block the form", async () => {
    const { key, owner } = await keyOf();
    const { page } = await open(elsewhere, pageWith(key));
    await box(page).fill("fabel");
    await expect.poll(() => message(page)).toContain("this key cannot be used on this site");
    expect(await page.evaluate("document.forms[0].checkValidity()")).toBe(true);
    expect((await usedBy(owner)).used).toBe(0);
  });

  it("stops at the key's daily limit, and works again once it is raised", async () => {
    const { key, id, owner } = await keyOf({ dailyTokens: 2 });
    const { page } = await open(shop, pageWith(key));
    await page.evaluate(
      `document.addEventListener("opzoek-error", ({ detail }) => { document.title = detail.message; })`,
    );
    await box(page).fill("fabel");
    await options(page).first().click();
    await expect.poll(() => usedBy(owner)).toMatchObject({ used: 2 });
    await box(page).fill("bakker");
    await expect.poll(() => message(page)).toContain("The search limit has been reached.");
    expect(await page.title()).toContain("this key may spend 2 tokens per day (UTC)");
    expect((await usedBy(owner)).used).toBe(2);
    await world.withAccounts((accounts) => accounts.changeKey(id, { dailyTokens: 3 }));
    await page.reload();
    await box(page).fill("bakker");
    await options(page).first().waitFor();
  });

  it("can be replaced by the fetch example of the guide", async () => {
    const { key } = await keyOf();
    const { page } = await open(shop, pageWith(key));
    const code = FETCHING.replace(SHOWN_SERVICE, service.address).replace("opz_pub_…", key);
    const script = `(async () => { const logged = []; const console = { log: (text) => logged.push(text) }; ${code} return logged; })()`;
    expect(await page.evaluate(script)).toEqual([true]);
  });
});

describe("the element with tokens", () => {
  /** The guide's function as a module of the shop's server. */
  async function tokensBy(key: string): Promise<() => Promise<{ token: string; session: string }>> {
    const file = join(temporaryFolder(), "newToken.mjs");
    const code = SERVER.replace(SHOWN_SERVICE, service.address)
      .replace(SHOWN_PAGE, shop)
      .replace("process.env.OPZOEK_KEY", JSON.stringify(key));
    writeFileSync(file, code);
    const { newToken } = (await import(file)) as {
      newToken: () => Promise<{ token: string; session: string }>;
    };
    return newToken;
  }
  const policy = POLICY.replace(/(script|connect)-src/g, "$& 'self'");

  it("uses the session of its token, looks up, and can get another token when it has expired", async () => {
    const owner = await world.account("plenty");
    const ended = await world.withAccounts((accounts) => accounts.createKey(owner.id, "ended"));
    const [ofEnded, newToken] = await Promise.all([tokensBy(ended.key), tokensBy(owner.key)]);
    const first = await ofEnded();
    await world.withAccounts((accounts) => accounts.revokeKey(ended.id));
    let made = 0;
    site.token = () => {
      made += 1;
      return made === 1 ? Promise.resolve(first) : newToken();
    };
    const { page, troubles } = await open(shop, pageWith("", TOKEN_PAGE), policy);
    await expect.poll(() => ask(page, "node.getAttribute('key')")).toBe(first.token);
    await box(page).fill("fab");
    await expect.poll(() => ask(page, `node.getAttribute("key") !== "${first.token}"`)).toBe(true);
    await type(page, "elk");
    await options(page).filter({ hasText: "Fabelkorst" }).first().click();
    await expect.poll(() => page.getByLabel("City").inputValue()).toBe("Verzinstad");
    // The city is also in the suggestion, so the lookup may still be pending.
    await expect.poll(() => usedBy(owner)).toMatchObject({ used: 2, sessions: 1 });
    expect(made).toBe(2);
    expect((await usedBy(owner)).calls).toBeGreaterThan(1);
    expect(await page.content()).not.toContain("opz_live_");
    expect(troubles).toEqual([]);
  });

  it("is refused on another website", async () => {
    const { key } = await world.account("plenty");
    site.token = await tokensBy(key);
    const { page } = await open(elsewhere, pageWith("", TOKEN_PAGE), policy);
    await expect.poll(() => ask(page, "node.getAttribute('key')")).not.toBeNull();
    await box(page).fill("fabel");
    await expect.poll(() => message(page)).toContain("this key cannot be used on this site");
  });
});
