import { Anchor, Stack } from "@mantine/core";
import { PageTitle } from "../../components/PageTitle.tsx";
import { useTexts } from "../../language/language.tsx";
import { linkTo } from "../address.ts";
import { type ApiDocument, operationsOf } from "../document/openapi.ts";
import { Fields, fieldsOf } from "./Fields.tsx";
import { Part } from "./Part.tsx";
import { texts } from "./texts.ts";

/** An object of the API: its fields and the calls that answer with it. */
export function ObjectView({ document, name }: { readonly document: ApiDocument; readonly name: string }) {
  const t = useTexts(texts);
  const schema = document.components.schemas[name] ?? {};
  const reference = `"#/components/schemas/${name}"`;
  const users = operationsOf(document).filter(({ answer }) => JSON.stringify(answer).includes(reference));
  return (
    <Stack gap="xl" className="docs-text">
      <PageTitle title={name} about={<span lang="en">{schema.description}</span>} />
      <Part id="fields" title={t.fields}>
        <Fields document={document} fields={fieldsOf(document, schema, t.always)} anchors="field" />
      </Part>
      {users.length === 0 ? null : (
        <Part id="used-by" title={t.usedBy}>
          <ul className="plain-list">
            {users.map(({ id, summary }) => (
              <li key={id}>
                <Anchor href={linkTo({ kind: "calls", name: id })}>{summary}</Anchor>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </Stack>
  );
}
