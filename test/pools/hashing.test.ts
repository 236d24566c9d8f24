/** Hashing passwords takes 50 ms of a core each: repeated sign-ins from many addresses leave room for others. */
import { beforeAll, expect, it } from "vitest";
import { POOLS } from "../../src/contract/pools.ts";
import { BEHIND_PROXY, Browser, PASSWORD, PUBLIC } from "../kit/browser.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";

const { slots, perAddress } = POOLS.hashing;
const ADDRESSES = 12;
const WRONG = "molen draait niet hard";

let inside: InProcess;
beforeAll(async () => {
  inside = await composeInProcess(
    await makeWorld({ companies: [], environment: { SIGNUP: "open", ...BEHIND_PROXY } }),
    { usesRealHashing: true },
  );
  for (const name of ["hog", "victim", "other"]) await at("192.0.2.1").enter(`${name}@fabel.example`);
});

const at = (address: string) => new Browser(inside.app, { origin: PUBLIC, address });

async function signIn(name: string, address: string, password = PASSWORD): Promise<number> {
  const { status } = await at(address).ask("POST", "/account/sign-in", {
    email: `${name}@fabel.example`,
    password,
  });
  return status;
}

/** Concurrent sign-ins to one account from many addresses, more than there are places. */
const flood = (name: string, password?: string) =>
  Array.from({ length: ADDRESSES * Math.ceil((2 * slots) / ADDRESSES) }, (_, nth) =>
    signIn(name, `198.51.100.${nth % ADDRESSES}`, password),
  );

it("many concurrent sign-ins to one account from many addresses block no other account", async () => {
  const flooding = flood("hog");
  expect(await signIn("other", "192.0.2.2")).toBe(200);
  const said = await Promise.all(flooding);
  expect(said.filter((status) => status === 503).length).toBeGreaterThan(slots / 2);
  expect(said.filter((status) => status === 200).length).toBeGreaterThan(0);
});

it("a flood of wrong passwords for an account blocks neither its owner nor others", async () => {
  const flooding = flood("victim", WRONG);
  const [owner, other] = await Promise.all([signIn("victim", "192.0.2.1"), signIn("other", "192.0.2.2")]);
  expect([owner, other]).toEqual([200, 200]);
  expect(new Set(await Promise.all(flooding))).not.toContain(200);
});

it("one address that tries many accounts blocks no other address", async () => {
  const flooding = Array.from({ length: 3 * perAddress }, (_, nth) => signIn(`nobody-${nth}`, "203.0.113.1"));
  expect(await signIn("other", "192.0.2.2")).toBe(200);
  const responses = await Promise.all(flooding);
  expect(responses.filter((status) => status === 503).length).toBeGreaterThan(0);
});
