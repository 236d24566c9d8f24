import { expect, it } from "vitest";
import { isPlace, plainPlace } from "./places.ts";

it.each([
  "Zwolle",
  "Zwanendam",
  "Kwakelhuizen",
  "'s-Hertogenbosch",
  "Capelle a/d IJssel",
  "Capelle a.d. IJssel",
  "Krimpen a/d Lek",
  "Zwijn aan Zee",
  "Hoek van Holland",
  "Oud-Zwanen",
  "Sint Zwaan",
  "Hengelo (Ov)",
  "Utrecht-Noord",
  "Zwanendam NH",
  "Zwanendam (Noord-Brabant)",
  "'s-Heer Zwanenkerke",
  "Hoge Zwaan",
])("%s is a place", (text) => {
  expect(isPlace(text)).toBe(true);
});

it.each([
  "Zwaan",
  "Jan Zwaan",
  "Jan van Zwaan",
  "Zwaan Zwanendam",
  "Zwanendam Zwaan",
  "Villa Zwaan Zwanendam",
  "De Zwaan",
  "Zwaanerf",
  "06-12345678",
  "Zwanendam (Jan)",
  "Zwanendam (JZ)",
  "Zwanendam (Zwaanland)",
  "Zwanendam(Zwaan)",
  "Zwanendam.Zwaan",
  "",
])("%s may be something else", (text) => {
  expect(isPlace(text)).toBe(false);
});

it("knows the places that it is given, however they are written", () => {
  expect(isPlace("ter ZWAAN", new Set([plainPlace("Ter Zwaan")]))).toBe(true);
});
