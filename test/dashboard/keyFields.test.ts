/** The fields of a key: validation, and the change that is sent. */
import { expect, it } from "vitest";
import {
  changeOf,
  faultsOf,
  fieldsOf,
  type KeyFields,
  linesIn,
  NO_FIELDS,
} from "../../dashboard/src/pages/keys/keyFields.ts";

const NOON = Date.UTC(2026, 2, 15, 12);
const good: KeyFields = { ...NO_FIELDS, name: "winkel" };
const faults = (change: Partial<typeof good>, before = good) =>
  faultsOf({ ...good, ...change }, before, NOON);

it("accepts an expiry from today on, and does not send an unchanged one", () => {
  for (const expiry of ["", "2026-03-15", "2026-03-16", "2036-01-01"]) {
    expect(faults({ expiry }).expiry, expiry).toBe(false);
  }
  for (const expiry of ["2026-03-14", "2037-01-01", "soon"])
    expect(faults({ expiry }).expiry, expiry).toBe(true);
  const expired = { ...good, expiry: "2026-01-31" };
  expect(faults({ expiry: "2026-01-31" }, expired).expiry).toBe(false);
  expect(changeOf(expired, expired)).toEqual({ name: "winkel", addresses: [] });
  expect(changeOf(good, expired)).toMatchObject({ expiresAt: "never" });
  expect(changeOf({ ...good, expiry: "2026-04-30" }, expired)).toMatchObject({ expiresAt: "2026-04-30" });
  const key = {
    expiresAt: "2026-05-01T00:00:00.000Z",
    name: "k",
    id: "key_1",
    prefix: "opz_live_",
    kind: "live" as const,
    lastFour: "abcd",
  };
  const shown = {
    ...key,
    createdAt: "2026-01-01T00:00:00.000Z",
    state: "live",
    requests: 0,
    tokens: 0,
  } as const;
  expect(fieldsOf(shown)).toEqual({ ...NO_FIELDS, name: "k", expiry: "2026-04-30" });
});

it("reports the first invalid address, and refuses too many", () => {
  expect(linesIn(" 192.0.2.7 \n\n2001:db8::/32, 192.0.2.7;")).toEqual(["192.0.2.7", "2001:db8::/32"]);
  expect(faults({ addresses: "192.0.2.0/24\n2001:DB8::1\n::ffff:192.0.2.1" }).address).toBeUndefined();
  for (const wrong of [
    "192.0.2.256",
    "192.0.2.0/33",
    "the office",
    "2001:db8::/129",
    "192.0.2.0/24/8",
    "a.example",
  ]) {
    expect(faults({ addresses: `192.0.2.7\n${wrong}` }).address).toBe(wrong);
  }
  const many = Array.from({ length: 21 }, (_, index) => `192.0.2.${index}`).join("\n");
  expect(faults({ addresses: many }).tooManyAddresses).toBe(true);
  expect(faultsOf(NO_FIELDS, NO_FIELDS, NOON).name).toBe(true);
});
