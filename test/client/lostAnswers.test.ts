/** A call whose response is lost is charged once and not again. */
import { type RequestListener, request } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { type AnswerInfo, Opzoek } from "../../client/src/index.ts";
import { Jobs } from "../../client/src/jobs/index.ts";
import { BAKERY } from "../kit/companies.ts";
import { serveHere } from "../kit/serveHere.ts";
import { servingPort } from "../kit/server.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { makeWorld, type World } from "../kit/world.ts";

let world: World;
let address: string;
/** The number of responses to lose before one gets through. */
let toLose = 0;
let lost = 0;

beforeAll(async () => {
  await awayFromMonthEnd();
  world = await makeWorld();
  const service = await serveHere(world);
  const port = await servingPort(losing(service.port));
  address = `http://127.0.0.1:${port}`;
});

/** Forwards calls; a response to be lost is read to its end, then the caller's connection is reset. */
function losing(port: number): RequestListener {
  return (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const forwarded = request({ port, host: "127.0.0.1", method, path: url, headers }, (answer) => {
      if (lost >= toLose) {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
        return;
      }
      lost += 1;
      answer.resume();
      answer.once("end", () => outgoing.socket?.resetAndDestroy());
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  };
}

describe("a list whose response was lost twice", () => {
  it.each<[string, number, (opzoek: Opzoek) => Promise<unknown>]>([
    ["a lookup", 1, (opzoek) => opzoek.lookup(BAKERY)],
    ["the branches", 5, (opzoek) => opzoek.branches(BAKERY)],
    ["a batch", 1, (opzoek) => opzoek.batch([BAKERY, "00000001"])],
    ["a page of a search", 1, (opzoek) => opzoek.search({ q: "fabelkorst" }).next()],
    ["a keystroke", 1, (opzoek) => opzoek.autocomplete("fabelkorst")],
  ])("is charged once: %s", async (_, price, call) => {
    const { key } = await world.account("plenty");
    const attempts: number[] = [];
    const onAnswer = ({ attempt }: AnswerInfo) => attempts.push(attempt);
    const opzoek = new Opzoek({ baseUrl: address, key, onAnswer });
    [toLose, lost] = [2, 0];
    await call(opzoek);
    expect([lost, attempts]).toEqual([2, [3]]);
    expect(opzoek.state.tokens?.charged).toBe(0);
    expect((await opzoek.usage()).tokens.used).toBe(price);
  });

  it("is one list, processed and charged once", async () => {
    const { key } = await world.account("plenty");
    const jobs = new Jobs({ baseUrl: address, key });
    [toLose, lost] = [2, 0];
    const job = await jobs.submit([BAKERY, "00000001"], { kind: "lookup" });
    expect(lost).toBe(2);
    expect(await jobs.wait(job)).toMatchObject({ status: "completed", tokens: { charged: 1 } });
    expect(await jobs.list()).toHaveLength(1);
    expect((await new Opzoek({ baseUrl: address, key }).usage()).tokens.used).toBe(1);
  });
});
