import { PasswordInput } from "@mantine/core";
import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import { useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

interface ApiKey {
  readonly key: string;
  readonly setKey: (key: string) => void;
}

const Context = createContext<ApiKey | undefined>(undefined);

/** Holds the key that was typed for as long as the page is open, and nowhere else. */
export function ApiKeyProvider({ children }: { readonly children: ReactNode }) {
  const [key, setKey] = useState("");
  const value = useMemo(() => ({ key, setKey }), [key]);
  return <Context value={value}>{children}</Context>;
}

/** The key of tries, for all calls of the page. */
export function useApiKey(): ApiKey {
  const value = useContext(Context);
  if (value === undefined) throw new Error("wrap the page in ApiKeyProvider");
  return value;
}

/** Where the key is typed. @param placeholder how such a key begins */
export function KeyField({ placeholder }: { readonly placeholder: string }) {
  const t = useTexts(texts);
  const { key, setKey } = useApiKey();
  return (
    <PasswordInput
      label={t.key}
      description={t.keyAbout}
      placeholder={placeholder}
      value={key}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setKey(event.currentTarget.value)}
    />
  );
}
