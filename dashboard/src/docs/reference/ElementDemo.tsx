import { Button, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import type { OpzoekAutocompleteAttributes } from "../../../../client/src/element/attributes.ts";
import { Copyable } from "../../components/Copyable.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { ADDRESS_FIELDS, elementHtml, elementTexts } from "../../snippets/elementHtml.ts";
import { KeyField, useApiKey } from "./apiKey.tsx";
import { ReferencePart } from "./Part.tsx";
import { texts } from "./texts.ts";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "opzoek-autocomplete": OpzoekAutocompleteAttributes & { readonly id?: string };
    }
  }
}

/** A form with the autocomplete element, the reader's own key, and a preview of the submitted data. */
export function ElementDemo() {
  const t = useTexts(texts);
  const words = useTexts(elementTexts);
  const { language } = useLanguage();
  const { key } = useApiKey();
  const [sent, setSent] = useState<string>();
  useEffect(() => {
    // If this fails, the form has plain fields.
    import("../../../../client/src/element/index.ts").catch(() => undefined);
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)];
    setSent(entries.map(([name, value]) => `${name}: ${value}`).join("\n"));
  };
  const hasKey = key.trim() !== "";
  return (
    <ReferencePart id="live" title={t.elementTitle} about={t.elementAbout} className="surface try">
      <KeyField placeholder="opz_pub_…" />
      <form className="try-form element-form" onSubmit={submit}>
        <div>
          <Text component="label" htmlFor="company" display="block" mb={4} fz="sm" fw={700}>
            {words.company}
          </Text>
          <opzoek-autocomplete
            id="company"
            name="kvkNumber"
            text-name="company"
            api-key={key.trim()}
            placeholder={hasKey ? words.placeholder : t.elementNeedsKey}
            lang={language}
            disabled={!hasKey}
            required
            lookup
          />
        </div>
        <div className="element-fields">
          {ADDRESS_FIELDS.map((name) => (
            <TextInput
              key={name}
              label={words[name]}
              name={name}
              autoComplete="off"
              data-opzoek-fill={name}
              onChange={() => setSent(undefined)}
            />
          ))}
        </div>
        <Button type="submit">{t.elementSend}</Button>
      </form>
      <Stack aria-live="polite">
        {sent === undefined ? null : (
          <Stack gap={6}>
            <Text size="sm" fw={600}>
              {t.elementSent}
            </Text>
            <pre className="code" data-testid="sent" data-wrapped>
              {sent}
            </pre>
          </Stack>
        )}
      </Stack>
      <div className="element-html">
        <Copyable
          label={t.elementHtml}
          text={elementHtml(elementTexts[language], language, "opz_pub_…", true)}
        />
      </div>
    </ReferencePart>
  );
}
