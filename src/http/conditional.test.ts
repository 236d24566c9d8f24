import { describe, expect, it } from "vitest";
import { workedMs } from "../../test/kit/worked.ts";
import { EntityTags, matchesTag } from "./conditional.ts";

const TAG = '"AbC-123_x"';

describe("If-None-Match", () => {
  it.each([
    [TAG],
    [`*, ${TAG}`],
    [` "a" ,\t* , ${TAG}`],
    [`${TAG}, *`],
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
    expect(matchesTag(sent, TAG)).toBe(true);
  });

  it.each([
    [undefined],
    [""],
    ["AbC-123_x"],
    ["*"],
    [" * "],
    ["\t*,*"],
    ["**"],
    ["W/*"],
    [`"*"`],
    [`W/"*"`],
    [`"x", *`],
    [`*, "x"`],
    [`* ${TAG}`],
    ['"AbC-123_x'],
    ['"AbC-123_x-gzipped"'],
    ['"AbC-123_x-gzip-gzip"'],
    ['"AbC-123_"'],
    [`w/${TAG}`],
    [`"a" ${TAG}`],
    [`"a,${TAG.slice(1, -1)},b"`],
    [`x${TAG}`],
  ])("%s does not match", (sent) => {
    expect(matchesTag(sent, TAG)).toBe(false);
  });

  it("keeps a tag that ends like a suffix", () => {
    expect(matchesTag('"abc-br"', '"abc-br"')).toBe(true);
  });

  it("is parsed in time that is linear in its length", () => {
    const startedMs = workedMs();
    for (const part of ['"', ", ", "\t,", "*", "*,", " *", " ", '""', 'W/"a" '])
      matchesTag(part.repeat(16_384), TAG);
    expect(workedMs() - startedMs).toBeLessThan(1_000);
  });
});

describe("entity tags", () => {
  const secret = "0f".repeat(32);

  it("are equal for the same secret, request and body, and differ otherwise", async () => {
    const [one, same, other] = [secret, secret, "f0".repeat(32)].map(
      (hex) => new EntityTags(async () => hex),
    );
    await Promise.all([one?.load(), same?.load(), other?.load()]);
    expect(one?.tagOf("a", "{}")).toMatch(/^"[A-Za-z0-9_-]{43}"$/);
    expect(same?.tagOf("a", "{}")).toBe(one?.tagOf("a", "{}"));
    expect(other?.tagOf("a", "{}")).not.toBe(one?.tagOf("a", "{}"));
    expect(one?.tagOf("a", "[]")).not.toBe(one?.tagOf("a", "{}"));
    expect(one?.tagOf("b", "{}")).not.toBe(one?.tagOf("a", "{}"));
  });

  it("return after the state was unavailable", async () => {
    let isUnreachable = true;
    let asked = 0;
    const tags = new EntityTags(async () => {
      asked += 1;
      if (isUnreachable) throw new Error("away");
      return secret;
    });
    await tags.load();
    isUnreachable = false;
    expect([tags.tagOf("a", "{}"), tags.tagOf("a", "{}")]).toEqual([undefined, undefined]);
    expect(asked).toBe(2);
    await tags.load();
    expect(tags.tagOf("a", "{}")).toMatch(/^"/);
  });
});
