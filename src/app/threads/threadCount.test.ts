import { expect, it } from "vitest";
import { PortsNotShared, threadCount } from "./threadCount.ts";

const shared = async () => true;
const notShared = async () => false;
const neverAsked = () => Promise.reject(new Error("nobody needs to know"));

it("is that of the cores, eight at most", async () => {
  expect(await threadCount({ WORKERS: undefined }, 4, shared)).toEqual({ count: 4, isLess: false });
  expect(await threadCount({ WORKERS: undefined }, 64, shared)).toEqual({ count: 8, isLess: false });
});

it("is what the operator says, more than the cores too", async () => {
  expect(await threadCount({ WORKERS: 12 }, 2, shared)).toEqual({ count: 12, isLess: false });
});

it("is one where no port can be shared, unless the operator wants more", async () => {
  expect(await threadCount({ WORKERS: undefined }, 4, notShared)).toEqual({ count: 1, isLess: true });
  await expect(threadCount({ WORKERS: 2 }, 4, notShared)).rejects.toThrow(PortsNotShared);
});

it("needs no shared port for one", async () => {
  expect(await threadCount({ WORKERS: undefined }, 1, neverAsked)).toEqual({ count: 1, isLess: false });
  expect(await threadCount({ WORKERS: 1 }, 4, neverAsked)).toEqual({ count: 1, isLess: false });
});
