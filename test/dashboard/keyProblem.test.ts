/** What the page says of a key that was refused. */
import { expect, it } from "vitest";
import { Failure } from "../../dashboard/src/api/failure.ts";
import { formatsOf } from "../../dashboard/src/language/formats.ts";
import { keyProblem } from "../../dashboard/src/pages/keys/keyProblem.ts";
import { texts } from "../../dashboard/src/pages/keys/texts.ts";

const REFUSED = new Failure("RATE_LIMIT_EXCEEDED", 429, "you have made 35 keys today", {
  retryAfterSeconds: 7_200,
});

it("tells how many keys may be made a day as the service says it, and nothing of its own before that is known", () => {
  for (const language of ["en", "nl"] as const) {
    const says = (most?: number) => keyProblem(REFUSED, texts[language], formatsOf(language), most);
    expect(says(35)).toMatch(/\b35\b/);
    expect(says(35)).not.toContain("100");
    expect(says()).toBeUndefined();
  }
});
