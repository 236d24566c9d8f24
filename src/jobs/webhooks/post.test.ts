/** Messages to real servers of this machine, which the open internet has none of. */
import type { LookupAddress } from "node:dns";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openMessagePost } from "./post.ts";

const REFUSED = { isTaken: false, reason: "the address is of a private network" };
let asked: string[] = [];
let status = 204;
const receiver = createServer((request, response) => {
  asked.push(`${request.socket.localAddress} ${request.url}`);
  response.writeHead(status, { location: "/elsewhere" }).end();
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "0.0.0.0", resolve));
  ({ port } = receiver.address() as AddressInfo);
});
beforeEach(() => {
  asked = [];
  status = 204;
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

const inside = (address: string): LookupAddress => ({ address, family: 4 });

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
  ])("to %s reaches nobody", async (host) => {
    const post = openMessagePost([]);
    expect(await post.deliver(`http://${host}:${port}/`, {}, "{}")).toEqual(REFUSED);
    await post.close();
    expect(asked).toEqual([]);
  });

  it("to a name goes by what the name stands for with each delivery, looked up once for it (DNS rebinding)", async () => {
    const answers = [
      [inside("127.0.0.2")],
      [inside("127.0.0.1")],
      [inside("127.0.0.1"), inside("127.0.0.2")],
    ];
    const post = openMessagePost(["127.0.0.2"], (_name, _options, callback) => {
      callback(null, answers.shift() ?? []);
    });
    const deliver = () => post.deliver(`http://receiver.example:${port}/hook`, {}, "{}");
    expect([await deliver(), answers.length]).toEqual([{ isTaken: true }, 2]);
    expect([await deliver(), answers.length]).toEqual([REFUSED, 1]);
    expect([await deliver(), answers.length]).toEqual([{ isTaken: true }, 0]);
    await post.close();
    expect(asked).toEqual(["127.0.0.2 /hook", "127.0.0.2 /hook"]);
  });

  it("follows no redirect", async () => {
    const post = openMessagePost(["127.0.0.1"]);
    status = 307;
    expect(await post.deliver(`http://127.0.0.1:${port}/hook`, {}, "{}")).toEqual({
      isTaken: false,
      reason: "it answered 307",
    });
    await post.close();
    expect(asked).toEqual(["127.0.0.1 /hook"]);
  });
});
