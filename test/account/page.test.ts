/** The built page: served from memory, with a policy that lets nothing in from outside. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { inject } from "../kit/answer.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";

const SCRIPT = "export const fabel = 'korst';\n".repeat(50);
let service: InProcess;
beforeAll(async () => {
  const pageFolder = join(temporaryFolder(), "dist");
  mkdirSync(join(pageFolder, "assets"), { recursive: true });
  writeFileSync(join(pageFolder, "..", "secret.txt"), "not for anybody");
  writeFileSync(
    join(pageFolder, "index.html"),
    '<!doctype html><meta name="csp-nonce" content="{{nonce}}"><style nonce="{{nonce}}"></style>',
  );
  writeFileSync(join(pageFolder, "assets", "index-Ab3_x-9Q.js"), SCRIPT);
  writeFileSync(join(pageFolder, "favicon.svg"), "<svg/>");
  service = await composeInProcess(await makeWorld(), { pageFolder });
});
const get = (path: string, headers: Record<string, string> = {}) => inject(service.app, { path, headers });

describe("the page", () => {
  it("comes with a policy and a nonce of its own, each time another one", async () => {
    const [first, second] = [await get("/"), await get("/")];
    expect([first.status, first.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    const policy = first.headers["content-security-policy"] ?? "";
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1];
    expect(nonce).toMatch(/^[0-9a-f]{32}$/);
    expect(first.text).toBe(
      `<!doctype html><meta name="csp-nonce" content="${nonce}"><style nonce="${nonce}"></style>`,
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

  it("has files that browsers keep: for good where the name tells the content, packed where it helps", async () => {
    const plain = await get("/assets/index-Ab3_x-9Q.js");
    expect(plain).toMatchObject({ status: 200, text: SCRIPT });
    expect(plain.headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": "text/javascript; charset=utf-8",
      vary: "accept-encoding",
    });
    const packed = await service.app.inject({
      url: "/assets/index-Ab3_x-9Q.js",
      headers: { "accept-encoding": "gzip, br" },
    });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(packed.rawPayload.length).toBeLessThan(SCRIPT.length);
    expect(gunzipSync(packed.rawPayload).toString()).toBe(SCRIPT);
    const icon = await get("/favicon.svg");
    expect(icon.headers).toMatchObject({ "cache-control": "no-cache", "content-type": "image/svg+xml" });
    const known = await get("/favicon.svg", { "if-none-match": icon.headers.etag ?? "" });
    expect([known.status, known.text]).toEqual([304, ""]);
  });

  it("is all that is served of the disk", async () => {
    for (const path of [
      "/index.html",
      "/secret.txt",
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

  it("is a path that does not exist where nothing was built, and the API stays as it is", async () => {
    const bare = await composeInProcess(await makeWorld(), {
      pageFolder: join(temporaryFolder(), "nothing"),
    });
    expectError(await inject(bare.app, { path: "/" }), "ROUTE_NOT_FOUND");
    expect((await inject(bare.app, { path: "/v1/health" })).headers["access-control-allow-origin"]).toBe("*");
  });
});
