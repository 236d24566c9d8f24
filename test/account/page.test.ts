/** The built page: served from memory, with a policy that blocks external content. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { inject } from "../kit/answer.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";

const DOCS = '<!doctype html><meta name="site" content="{{site}}"><title>Fabel</title>';
/** An address that would end the attribute or act as a replacement pattern if it were not escaped. */
const TERMS = 'https://companies.example/terms?a=$&"><b>';
const SITE =
  "{&quot;isFictional&quot;:false,&quot;operator&quot;:{&quot;termsUrl&quot;:&quot;https://companies.example/terms?a=$&amp;\\&quot;>&lt;b>&quot;}}";
const SCRIPT = "export const fabel = 'korst';\n".repeat(50);
let service: InProcess;
beforeAll(async () => {
  const pageFolder = join(temporaryFolder(), "dist");
  mkdirSync(join(pageFolder, "assets"), { recursive: true });
  writeFileSync(join(pageFolder, "..", "secret.txt"), "not for anybody");
  writeFileSync(
    join(pageFolder, "index.html"),
    '<!doctype html><meta name="csp-nonce" content="{{nonce}}"><style nonce="{{nonce}}"></style><meta name="site" content="{{site}}">',
  );
  const script = join(pageFolder, "assets", "index-Ab3_x-9Q.js");
  writeFileSync(script, SCRIPT);
  writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT));
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT));
  mkdirSync(join(pageFolder, "docs"));
  writeFileSync(join(pageFolder, "docs", "index.html"), DOCS);
  writeFileSync(join(pageFolder, "favicon.svg"), "<svg/>");
  service = await composeInProcess(await makeWorld({ environment: { TERMS_URL: TERMS } }), { pageFolder });
});
const get = (path: string, headers: Record<string, string> = {}) => inject(service.app, { path, headers });

describe("the page", () => {
  it("has a content security policy with a fresh nonce for each response", async () => {
    const [first, second] = [await get("/"), await get("/")];
    expect([first.status, first.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    const policy = first.headers["content-security-policy"] ?? "";
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1];
    expect(nonce).toMatch(/^[0-9a-f]{32}$/);
    expect(first.text).toBe(
      `<!doctype html><meta name="csp-nonce" content="${nonce}"><style nonce="${nonce}"></style><meta name="site" content="${SITE}">`,
    );
    expect(second.text).not.toBe(first.text);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(first.headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
    });
    expect(first.headers["access-control-allow-origin"]).toBeUndefined();
    expect((await inject(service.app, { method: "HEAD", path: "/" })).status).toBe(200);
  });

  it("has cacheable files: immutable where the name contains the hash, compressed where it helps", async () => {
    const plain = await get("/assets/index-Ab3_x-9Q.js");
    expect(plain).toMatchObject({ status: 200, text: SCRIPT });
    expect(plain.headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": "text/javascript; charset=utf-8",
      vary: "accept-encoding",
    });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const tags = new Set([plain.headers.etag]);
    for (const [accepted, encoding, unpack] of [
      ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
      ["gzip, deflate", "gzip", gunzipSync],
      ["br;q=0, gzip", "gzip", gunzipSync],
    ] as const) {
      const ask = (method: "GET" | "HEAD", more: Record<string, string> = {}) =>
        service.app.inject({
          method,
          url: "/assets/index-Ab3_x-9Q.js",
          headers: { "accept-encoding": accepted, ...more },
        });
      const packed = await ask("GET");
      expect(packed.headers).toMatchObject({
        "content-encoding": encoding,
        "content-length": String(packed.rawPayload.length),
        "cache-control": "public, max-age=31536000, immutable",
        vary: "accept-encoding",
      });
      expect(packed.rawPayload.length).toBeLessThan(SCRIPT.length);
      expect(unpack(packed.rawPayload).toString()).toBe(SCRIPT);
      const { headers, rawPayload } = await ask("HEAD");
      expect(rawPayload.length).toBe(0);
      const ofItsTime = { date: "", "x-request-id": "", "content-security-policy": "" };
      expect({ ...headers, ...ofItsTime }).toEqual({ ...packed.headers, ...ofItsTime });
      const etag = String(packed.headers.etag);
      tags.add(etag);
      expect((await ask("GET", { "if-none-match": `"another", W/${etag}` })).statusCode).toBe(304);
      expect((await ask("GET", { "if-none-match": "*" })).statusCode).toBe(200);
      const unchanged = await ask("HEAD", { "if-none-match": etag });
      expect([unchanged.statusCode, unchanged.headers["content-length"]]).toEqual([304, undefined]);
    }
    // The encoded and plain forms differ in bytes, so each has its own tag.
    expect(tags.size).toBe(3);
    const icon = await get("/favicon.svg");
    expect(icon.headers).toMatchObject({ "cache-control": "no-cache", "content-type": "image/svg+xml" });
    const known = await get("/favicon.svg", { "if-none-match": icon.headers.etag ?? "" });
    expect([known.status, known.text]).toEqual([304, ""]);
  });

  it("of the docs is the same for everyone, is cached with revalidation, and allows nothing inline", async () => {
    const docs = await get("/docs/");
    expect([docs.status, docs.text]).toEqual([200, DOCS.replace("{{site}}", () => SITE)]);
    expect(docs.headers).toMatchObject({ "cache-control": "no-cache" });
    const policy = docs.headers["content-security-policy"] ?? "";
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toMatch(/unsafe|nonce|data:|https?:|\*/);
    const again = await get("/docs/", { "if-none-match": String(docs.headers.etag) });
    expect([again.status, again.text]).toEqual([304, ""]);
    expect(again.headers["content-security-policy"]).toBe(policy);
    expect(await get("/docs")).toMatchObject({ status: 301, headers: { location: "/docs/" } });
  });

  it("serves its API document compressed too, with an ETag", async () => {
    const ask = (headers: Record<string, string>) => service.app.inject({ url: "/v1/openapi.json", headers });
    const plain = await ask({});
    const packed = await ask({ "accept-encoding": "br" });
    expect(packed.headers).toMatchObject({
      "content-encoding": "br",
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-cache",
      "access-control-allow-origin": "*",
    });
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
    expect(brotliDecompressSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
    const etag = String(packed.headers.etag);
    expect((await ask({ "accept-encoding": "br", "if-none-match": etag })).statusCode).toBe(304);
  });

  it("serves no other file from disk", async () => {
    for (const path of [
      "/index.html",
      "/secret.txt",
      "/assets/index-Ab3_x-9Q.js.br",
      "/assets/index-Ab3_x-9Q.js.gz",
      "/docs/index.html",
      "/docs/index.html.br",
      "/../secret.txt",
      "/assets/../../secret.txt",
      "/assets/%2e%2e/%2e%2e/secret.txt",
      "/assets",
      "/assets/",
      "/keys",
    ]) {
      expectError(await get(path), "ROUTE_NOT_FOUND");
    }
  });

  it("says how to build it when it is not built, and leaves the API unchanged", async () => {
    const bare = await composeInProcess(await makeWorld(), {
      pageFolder: join(temporaryFolder(), "nothing"),
    });
    for (const path of ["/", "/docs", "/docs/"]) {
      const answer = await inject(bare.app, { path });
      expectError(answer, "ROUTE_NOT_FOUND");
      expect(answer.text).toContain('are not built: run \\"npm run prepare\\"');
    }
    expectError(await inject(bare.app, { path: "/index.html" }), "ROUTE_NOT_FOUND");
    expect((await inject(bare.app, { path: "/v1/health" })).headers["access-control-allow-origin"]).toBe("*");
  });
});
