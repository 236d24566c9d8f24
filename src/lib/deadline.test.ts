import { describe, expect, it } from "vitest";
import { earlierOf, withDeadline, withTimeout } from "./deadline.ts";

const never = new Promise<string>(() => {});
const LONG_MS = 60_000;

describe("a timeout", () => {
  it("returns the value in time, and undefined if it is late", async () => {
    expect(await withTimeout(LONG_MS, Promise.resolve("here"))).toBe("here");
    expect(await withTimeout(1, never)).toBeUndefined();
  });

  it("rejects with the work in time, and ignores later failures", async () => {
    await expect(withTimeout(LONG_MS, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    const { promise, reject } = Promise.withResolvers<string>();
    expect(await withTimeout(1, promise)).toBeUndefined();
    reject(new Error("too late to matter"));
  });
});

describe("a deadline", () => {
  it("returns the value before its signal, and undefined once that is aborted", async () => {
    const deadline = new AbortController();
    expect(await withDeadline(deadline.signal, Promise.resolve("here"))).toBe("here");
    const waiting = withDeadline(deadline.signal, never);
    deadline.abort();
    expect(await waiting).toBeUndefined();
    expect(await withDeadline(deadline.signal, never)).toBeUndefined();
  });

  it("leaves no listener on a long-lived signal", async () => {
    const counts = { added: 0, removed: 0 };
    const { signal } = new AbortController();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      counts.added += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      counts.removed += 1;
      remove(...args);
    };
    await withDeadline(signal, Promise.resolve(1));
    await expect(withDeadline(signal, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(counts).toEqual({ added: 2, removed: 2 });
  });

  it("combined from two ends with the earlier one", async () => {
    const outer = new AbortController();
    const inner = earlierOf(outer.signal, LONG_MS);
    expect(inner.aborted).toBe(false);
    outer.abort();
    expect(inner.aborted).toBe(true);
    expect(await withDeadline(earlierOf(new AbortController().signal, 1), never)).toBeUndefined();
  });
});
