/** The texts for a refused key. */
import { expect, it } from "vitest";
import { Failure } from "../../dashboard/src/api/failure.ts";
import { keyFailureTexts } from "../../dashboard/src/pages/keys/keyFailureTexts.ts";
import { texts } from "../../dashboard/src/pages/keys/texts.ts";

const REFUSED = new Failure("RATE_LIMIT_EXCEEDED", 429, "you have made 35 keys today", {
  retryAfterSeconds: 7_200,
});

it("the texts state the service's daily limit of keys once it is known", () => {
  for (const language of ["en", "nl"] as const) {
    const textFor = (most?: string) => {
      const text = keyFailureTexts(REFUSED, texts[language], most).RATE_LIMIT_EXCEEDED;
      return typeof text === "function" ? text("2 h") : text;
    };
    expect(textFor("35")).toMatch(/\b35\b.*\b2 h\b/);
    expect(textFor("35")).not.toContain("100");
    expect(textFor()).toBeUndefined();
  }
});
