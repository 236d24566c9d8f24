import { PasswordInput } from "@mantine/core";
import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import { useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

interface ApiKey {
  readonly key: string;
  readonly isTest: boolean;
  readonly setKey: (key: string) => void;
}

const Context = createContext<ApiKey | undefined>(undefined);

/** Holds the typed key in memory while the page is open. */
export function ApiKeyProvider({ children }: { readonly children: ReactNode }) {
  const [key, setKey] = useState("");
  const value = useMemo(() => ({ key, isTest: key.trim().startsWith("opz_test_"), setKey }), [key]);
  return <Context value={value}>{children}</Context>;
}

/** Returns the key that all calls of the page use. */
export function useApiKey(): ApiKey {
  const value = useContext(Context);
  if (value === undefined) throw new Error("wrap the page in ApiKeyProvider");
  return value;
}

/** The input of the key. @param placeholder the prefix of such a key */
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
