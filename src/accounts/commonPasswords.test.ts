import { expect, it } from "vitest";
import { commonPasswords } from "./commonPasswords.ts";
import { packagedPasswords } from "./packagedPasswords.ts";
import { checkPassword } from "./passwordRule.ts";

const WORDS = packagedPasswords().split("\n").slice(1, -1);

it("finds every password of the package, but no part of one and no two joined", async () => {
  const common = await commonPasswords();
  const some = WORDS.filter((_, nth) => nth % 500 === 0 || nth === WORDS.length - 1);
  expect(some.filter((word) => !common.has(word))).toEqual([]);
  const [first = "", second = ""] = WORDS;
  for (const other of ["", "\n", `${first}\n${second}`, "baseba", "aseball", `${second}${first}`]) {
    expect([other, common.has(other)]).toEqual([other, false]);
  }
});

it("contains one lower-case word per line, because passwords are compared with it", () => {
  expect(WORDS.length).toBeGreaterThan(40_000);
  expect(WORDS.filter((word) => word === "" || word !== word.toLowerCase())).toEqual([]);
});

it.each([
  "Password2024!",
  "123password123",
  "baseballbaseball",
  "Baseball1Baseball1",
  "handelsregister",
  "opzoek!opzoek!",
  "987654321098",
  "xyzqxyzqxyzqxyzq",
])("refuses common passwords of any length: %s", async (password) => {
  await expect(checkPassword(password, "a@example.com")).rejects.toMatchObject({ reason: "input" });
});

it("accepts words that do not belong together", async () => {
  await checkPassword("korenmolen fiets azijn", "a@example.com");
  await checkPassword("één zeemeeuw\nop het dak", "a@example.com");
});
