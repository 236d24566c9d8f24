import { Anchor } from "@mantine/core";
import { createContext, type ReactNode, useContext } from "react";
import type { SessionState } from "../../../src/contract/accountResources.ts";

/** Facts about this service that the page shows to everybody. */
export type Site = Pick<SessionState, "isFictional" | "operator">;

const Context = createContext<Site>({ isFictional: false, operator: {} });

export function SiteProvider({ site, children }: { readonly site: Site; readonly children: ReactNode }) {
  return <Context value={site}>{children}</Context>;
}

export const useSite = (): Site => useContext(Context);

const NAMED = /(the operator of this service|de beheerder(?: van deze dienst)?)/i;

/** A text in which the words for the operator lead to where the operator is reached, if that is known. */
export function WithOperator({ text }: { readonly text: string }) {
  const { contact } = useSite().operator;
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
