import { expect, it } from "vitest";
import type { Rejection } from "../../company/rejection.ts";
import { readSignals } from "./readSignals.ts";

const SIGNAL = {
  id: "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
  timestamp: "2026-05-14T15:25:13.773Z",
  kvknummer: "09876543",
  signaalType: "SignaalGewijzigdeInschrijving",
};
const READ = {
  id: SIGNAL.id,
  kvkNumber: "09876543",
  isAboutBranch: false,
  atMs: Date.parse(SIGNAL.timestamp),
};

function read(signalen: unknown, more: object = {}) {
  const leftOut: Rejection[] = [];
  const page = readSignals(
    { pagina: 1, aantal: 500, totaal: 1, totaalPaginas: 3, signalen, ...more },
    leftOut,
  );
  return { page, paths: leftOut.map(({ deviation }) => deviation?.path) };
}

it.each<readonly [string, object, object]>([
  ["of a company", SIGNAL, READ],
  ["of a company in camel case", { ...SIGNAL, kvknummer: undefined, kvkNummer: "09876543" }, READ],
  [
    "of a branch by its number",
    { ...SIGNAL, vestigingsnummer: "000012345678" },
    { ...READ, isAboutBranch: true },
  ],
  [
    "of a branch by its type",
    { ...SIGNAL, signaalType: "SignaalGewijzigdeVestiging" },
    { ...READ, isAboutBranch: true },
  ],
  ["of a type that is not known", { ...SIGNAL, signaalType: "SignaalNieuw_2027_01" }, READ],
  ["without a time", { ...SIGNAL, timestamp: undefined }, { ...READ, atMs: 0 }],
])("reads a signal %s", (_, signal, expected) => {
  expect(read([signal]).page).toEqual({ signals: [expected], pages: 3 });
});

it.each<readonly [string, unknown]>([
  ["signalen[].kvknummer", { ...SIGNAL, kvknummer: "12" }],
  ["signalen[].kvknummer", { ...SIGNAL, kvknummer: undefined }],
  ["signalen[].id", { ...SIGNAL, id: undefined }],
  ["signalen[]", "a text"],
])("leaves a signal out and reports %s", (path, signal) => {
  const { page, paths } = read([signal, SIGNAL]);
  expect(page?.signals).toEqual([READ]);
  expect(paths).toContain(path);
});

it.each<readonly [string, object]>([
  ["signals", { signalen: undefined }],
  ["pages", { totaalPaginas: undefined }],
])("is no page without %s", (_, change) => {
  expect(read([SIGNAL], change).page).toBeUndefined();
});
