/** Messages to real servers of this machine, by names that a real DNS server of this machine answers. */
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type NameAnswer, type NameServer, startNameServer } from "../../test/kit/nameServer.ts";
import { temporaryFolder } from "../../test/kit/world.ts";
import { openMessagePost } from "./post.ts";

const REFUSED = { isAccepted: false, reason: "the address is not public" };
let asked: string[] = [];
let status = 204;
let more: Record<string, string> = {};
let delayMs = 0;
/** The answers of the DNS server, one per delivery. */
let names: NameAnswer[] = [];
let nameServer: NameServer;
const receiver = createServer((request, response) => {
  asked.push(`${request.socket.localAddress} ${request.url}`);
  setTimeout(() => response.writeHead(status, { location: "/elsewhere", ...more }).end(), delayMs);
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "0.0.0.0", resolve));
  ({ port } = receiver.address() as AddressInfo);
  nameServer = await startNameServer(() => names[0] ?? "nobody");
});
beforeEach(() => {
  asked = [];
  status = 204;
  more = {};
  delayMs = 0;
  names = [];
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

/** Delivers a message to a name, and moves on to the next answer. */
async function deliverTo(post: ReturnType<typeof openMessagePost>, host = "receiver.example") {
  const delivery = await post.deliver(`http://${host}:${port}/hook`, {}, "{}");
  names.shift();
  return delivery;
}

function openPost(allowed: readonly string[], hostsFile?: string) {
  return openMessagePost(allowed, {
    nameServers: [nameServer.address],
    ...(hostsFile !== undefined && { hostsFile }),
  });
}

describe("a message", () => {
  it.each([
    "localhost",
    "127.0.0.1",
    "2130706433",
    "0x7f.1",
    "0.0.0.0",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::1]",
    "168.63.129.16",
  ])("to %s is not delivered", async (host) => {
    const post = openMessagePost([]);
    expect(await post.deliver(`http://${host}:${port}/`, {}, "{}")).toEqual(REFUSED);
    await post.close();
    expect(asked).toEqual([]);
  });

  it("to a name goes to an allowed address that was checked, resolved for each delivery (DNS rebinding)", async () => {
    const post = openPost(["127.0.0.2"]);
    names = [["127.0.0.2"], ["127.0.0.1"], ["127.0.0.1", "127.0.0.2"], ["::1", "168.63.129.16"]];
    const taken = { isAccepted: true };
    for (const expected of [taken, REFUSED, taken, REFUSED]) expect(await deliverTo(post)).toEqual(expected);
    await post.close();
    expect(asked).toEqual(["127.0.0.2 /hook", "127.0.0.2 /hook"]);
  });

  it("to a name whose IPv6 address is unreachable goes to its IPv4 address", async () => {
    const post = openPost(["127.0.0.2", "2001:db8::/32"]);
    names = [["2001:db8::1", "127.0.0.2"]];
    expect(await deliverTo(post)).toEqual({ isAccepted: true });
    await post.close();
    expect(asked).toEqual(["127.0.0.2 /hook"]);
  });

  it.each<[NameAnswer, string]>([
    ["nobody", "ENOTFOUND"],
    [[], "ENODATA"],
    ["silence", "ETIMEOUT"],
  ])("to a name that DNS answers by %j is not delivered, within seconds", async (answer, reason) => {
    const post = openPost(["127.0.0.1"]);
    names = [answer];
    expect(await deliverTo(post)).toEqual({ isAccepted: false, reason });
    await post.close();
  });

  it("to a name in the hosts file needs no DNS", async () => {
    const hostsFile = join(temporaryFolder(), "hosts");
    writeFileSync(hostsFile, "# made up\n127.0.0.2\tinside.example Receiver # here\n::1 other\n");
    const before = nameServer.asked.length;
    const post = openPost(["127.0.0.2"], hostsFile);
    expect(await deliverTo(post, "RECEIVER")).toEqual({ isAccepted: true });
    expect(await deliverTo(post, "other")).toEqual(REFUSED);
    await post.close();
    expect(nameServer.asked.length).toBe(before);
  });

  it("ends with the service, even while its name is being resolved", async () => {
    const post = openPost(["127.0.0.1"]);
    names = ["silence"];
    const before = nameServer.asked.length;
    const delivered = deliverTo(post);
    await expect.poll(() => nameServer.asked.length).toBeGreaterThan(before);
    await post.close();
    expect(await delivered).toEqual({ isAccepted: false, reason: "ECANCELLED" });
    expect(await deliverTo(post)).toMatchObject({ isAccepted: false });
  });

  it("may be answered after twelve seconds", async () => {
    const post = openMessagePost(["127.0.0.1"]);
    delayMs = 12_000;
    expect(await post.deliver(`http://127.0.0.1:${port}/slow`, {}, "{}")).toEqual({ isAccepted: true });
    await post.close();
  });

  it.each<[number, Record<string, string>, object]>([
    [410, { "retry-after": "60" }, { answer: "gone" }],
    [429, { "retry-after": "60" }, { answer: "busy", askAgainAfterMs: 60_000 }],
    [502, { "retry-after": "-60" }, { answer: "busy" }],
    [503, { "retry-after": "2.5" }, { answer: "busy" }],
    [504, {}, { answer: "busy" }],
    [500, { "retry-after": "60" }, {}],
    [404, {}, {}],
    [308, {}, {}],
  ])("that is answered by %i and %j is refused", async (answered, headers, expected) => {
    const post = openMessagePost(["127.0.0.1"]);
    [status, more] = [answered, headers];
    expect(await post.deliver(`http://127.0.0.1:${port}/hook`, {}, "{}")).toEqual({
      isAccepted: false,
      reason: `it answered ${answered}`,
      ...expected,
    });
    await post.close();
  });

  it("follows no redirect", async () => {
    const post = openMessagePost(["127.0.0.1"]);
    status = 307;
    expect(await post.deliver(`http://127.0.0.1:${port}/hook`, {}, "{}")).toEqual({
      isAccepted: false,
      reason: "it answered 307",
    });
    await post.close();
    expect(asked).toEqual(["127.0.0.1 /hook"]);
  });
});
