import { Anchor } from "@mantine/core";
import type { Site } from "../../../src/contract/publicResources.ts";

/** Facts about this service that every page shows, as its document carries them. */
export function siteFacts(): Site {
  const written = document.querySelector<HTMLMetaElement>('meta[name="site"]')?.content ?? "";
  try {
    return JSON.parse(written) as Site;
  } catch {
    // A document without these facts, such as that of a development server.
    return { isFictional: false, operator: {} };
  }
}

/** How texts name the operator: a test has every text use these words (test/dashboard/terms.test.ts). */
const NAMED = /(the operator of this service|de beheerder(?: van deze dienst)?)/i;

/** A text in which the words for the operator link to the operator's contact address, if that is known. */
export function WithOperator({ text }: { readonly text: string }) {
  const { contact } = siteFacts().operator;
  if (contact === undefined) return text;
  const [before = "", named, after = ""] = text.split(NAMED);
  if (named === undefined) return text;
  return (
    <>
      {before}
      <Anchor href={contact} inherit>
        {named}
      </Anchor>
      {after}
    </>
  );
}
