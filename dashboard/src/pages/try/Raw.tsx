import type { Tried } from "../../../../src/contract/accountResources.ts";
import { Json } from "../../components/Json.tsx";
import { useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

/** The answer of the API as it came, folded away. */
export function Raw({ of }: { readonly of: Tried }) {
  const t = useTexts(texts);
  return (
    <details className="folded">
      <summary>{t.raw}</summary>
      <Json label={t.raw} value={of.body} />
    </details>
  );
}
