import { Anchor } from "@mantine/core";
import type { Site } from "../../../src/contract/publicResources.ts";

/** Reads the facts about this service from the document. */
export function siteFacts(): Site {
  const written = document.querySelector<HTMLMetaElement>('meta[name="site"]')?.content ?? "";
  try {
    return JSON.parse(written) as Site;
  } catch {
    // A development server serves the document without these facts.
    return { isFictional: false, operator: {} };
  }
}

/**
 * The words for the operator: the longer form in the texts of the page (test/dashboard/terms.test.ts), the shorter one
 * in guides.
 */
const NAMED = /(the operator(?: of this service)?|de beheerder(?: van deze dienst)?)/i;

/** A text in which the words for the operator link to the contact address, if there is one. */
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
