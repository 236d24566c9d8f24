import { Stack } from "@mantine/core";
import type { Call } from "../../api/publicApi.ts";
import { CallCost } from "../../components/CallCost.tsx";
import { Json } from "../../components/Json.tsx";
import { useTexts } from "../../language/language.tsx";
import { Examples } from "../../snippets/Examples.tsx";
import { snippetOf } from "../../snippets/snippets.ts";
import { texts } from "./texts.ts";

/** The cost of a call and, collapsed, the same call as code and the response of the API. */
export function CallFacts({ of: { raw, request, cost } }: { readonly of: Call<unknown> }) {
  const t = useTexts(texts);
  const { method, path, body } = request;
  const written = { method, url: location.origin + path, needsKey: true, body };
  return (
    <Stack gap="lg">
      <CallCost cost={cost} />
      <Stack gap="xs">
        <details className="folded">
          <summary>{t.asProgram}</summary>
          <Examples of={(language) => snippetOf(language, written)} />
        </details>
        <details className="folded">
          <summary>{t.raw}</summary>
          <Json label={t.raw} value={raw.body} />
        </details>
      </Stack>
    </Stack>
  );
}
