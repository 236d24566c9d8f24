import { describe, expect, it } from "vitest";
import { EntityTags, isHeld } from "./conditional.ts";

const TAG = '"AbC-123_x"';

describe("If-None-Match", () => {
  it.each([
    ["*"],
    [" * "],
    [TAG],
    [`W/${TAG}`],
    [`"a", W/"b" ,${TAG}`],
    [`,, ${TAG} ,`],
    [`"a,b", ${TAG}`],
    ['"AbC-123_x-gzip"'],
    ['W/"AbC-123_x-gzip"'],
    ['"AbC-123_x;gzip"'],
    ['"AbC-123_x-br"'],
    ['"AbC-123_x--gzip"'],
    ['"other", "AbC-123_x-gzip"'],
  ])("%s matches", (sent) => {
    expect(isHeld(sent, TAG)).toBe(true);
  });

  it.each([
    [undefined],
    [""],
    ["AbC-123_x"],
    ["**"],
    [`"*"`],
    [`"x", *`],
    ['"AbC-123_x'],
    ['"AbC-123_x-gzipped"'],
    ['"AbC-123_x-gzip-gzip"'],
    ['"AbC-123_"'],
    [`w/${TAG}`],
    [`"a" ${TAG}`],
    [`"a,${TAG.slice(1, -1)},b"`],
    [`x${TAG}`],
  ])("%s does not match", (sent) => {
    expect(isHeld(sent, TAG)).toBe(false);
  });

  it("takes a tag that ends like a suffix as it is", () => {
    expect(isHeld('"abc-br"', '"abc-br"')).toBe(true);
  });

  it("is read in time that grows with its length alone", () => {
    const startedMs = performance.now();
    for (const part of ['"', ", ", "\t,", '""', 'W/"a" ']) isHeld(part.repeat(16_384), TAG);
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });
});

describe("entity tags", () => {
  const secret = "0f".repeat(32);

  it("are the same for the same secret and body, and others for others", async () => {
    const [one, same, other] = [secret, secret, "f0".repeat(32)].map(
      (hex) => new EntityTags(async () => hex),
    );
    await Promise.all([one?.load(), same?.load(), other?.load()]);
    expect(one?.of("{}")).toMatch(/^"[A-Za-z0-9_-]{43}"$/);
    expect(same?.of("{}")).toBe(one?.of("{}"));
    expect(other?.of("{}")).not.toBe(one?.of("{}"));
    expect(one?.of("[]")).not.toBe(one?.of("{}"));
  });

  it("come back by themselves after the state was away", async () => {
    let isUnreachable = true;
    let asked = 0;
    const tags = new EntityTags(async () => {
      asked += 1;
      if (isUnreachable) throw new Error("away");
      return secret;
    });
    await tags.load();
    isUnreachable = false;
    expect([tags.of("{}"), tags.of("{}")]).toEqual([undefined, undefined]);
    expect(asked).toBe(2);
    await tags.load();
    expect(tags.of("{}")).toMatch(/^"/);
  });
});
