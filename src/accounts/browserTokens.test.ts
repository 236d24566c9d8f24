import { expect, it } from "vitest";
import { contentOfToken, tokenOf } from "../contract/tokenForm.ts";
import { BrowserTokens, type TokenClaims } from "./browserTokens.ts";

const CLAIMS: TokenClaims = {
  keyId: "key_0123456789abcdef",
  keyKind: "live",
  origin: "https://shop.example",
  session: "typing-session-0001",
  mayLookUp: false,
};

/** A state that stores one secret. */
function stateWith() {
  let secret: string | undefined;
  return {
    asked: 0,
    async secret(_name: string, made: string) {
      this.asked += 1;
      secret ??= made;
      return secret;
    },
  };
}

it("returns its content in every process with the same state until it expires", async () => {
  const state = stateWith();
  let nowMs = Date.UTC(2026, 2, 15, 12);
  const tokens = new BrowserTokens(state, () => nowMs);
  const { token, expiresAt } = await tokens.make({ ...CLAIMS, mayLookUp: true }, 15);
  expect(expiresAt).toBe("2026-03-15T12:15:00.000Z");
  const other = new BrowserTokens(state, () => nowMs);
  expect(await other.read(token)).toEqual({ ...CLAIMS, mayLookUp: true });
  // The secret is already known, so the state is not read.
  expect(tokens.read(token)).toEqual({ ...CLAIMS, mayLookUp: true });
  expect(state.asked).toBe(2);
  nowMs += 15 * 60_000 - 1;
  expect(tokens.read(token)).toBeDefined();
  nowMs += 1;
  expect(tokens.read(token)).toBeUndefined();
});

it("rejects tokens of another state and any changed character", async () => {
  const tokens = new BrowserTokens(stateWith(), Date.now);
  const { token } = await tokens.make(CLAIMS, 5);
  const { token: foreign } = await new BrowserTokens(stateWith(), Date.now).make(CLAIMS, 5);
  expect(tokens.read(foreign)).toBeUndefined();
  for (let index = 0; index < token.length; index++) {
    const changed = token.slice(0, index) + (token[index] === "A" ? "B" : "A") + token.slice(index + 1);
    expect(tokens.read(changed), changed).toBeUndefined();
  }
  // The checksum is valid, so only the signature reveals the change.
  const content = contentOfToken(token) ?? Buffer.alloc(0);
  content[3] = (content[3] ?? 0) ^ 1;
  expect(tokens.read(tokenOf(content))).toBeUndefined();
  for (const none of [
    "",
    "opz_tok_",
    "x".repeat(5_000),
    tokenOf(Buffer.alloc(20)),
    tokenOf(Buffer.alloc(60)),
  ]) {
    expect(tokens.read(none)).toBeUndefined();
  }
});

it("reads its secret again after the state was unavailable", async () => {
  let isUnreachable = true;
  const state = stateWith();
  const tokens = new BrowserTokens(
    {
      secret: (name, made) => (isUnreachable ? Promise.reject(new Error("away")) : state.secret(name, made)),
    },
    Date.now,
  );
  await expect(tokens.make(CLAIMS, 5)).rejects.toThrow("away");
  isUnreachable = false;
  const { token } = await tokens.make(CLAIMS, 5);
  expect(tokens.read(token)).toEqual(CLAIMS);
});
