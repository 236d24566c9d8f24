import { guides } from "virtual:guides";
import { Anchor, Stack } from "@mantine/core";
import { useEffect } from "react";
import { PageTitle } from "../components/PageTitle.tsx";
import { useTexts } from "../language/language.tsx";
import { type DocsRoute, docsLink } from "./address.ts";
import { type ApiDocument, type Operation, operationsOf } from "./document/openapi.ts";
import { atService } from "./guide.ts";
import { Markdown } from "./markdown/Markdown.tsx";
import { CallView } from "./reference/CallView.tsx";
import { ElementDemo } from "./reference/ElementDemo.tsx";
import { Fields, schemaFields } from "./reference/Fields.tsx";
import { ReferencePart } from "./reference/Part.tsx";
import { texts as referenceTexts } from "./reference/texts.ts";
import { texts } from "./texts.ts";

interface Props {
  readonly document: ApiDocument;
  readonly operations: readonly Operation[];
  readonly route: DocsRoute;
}

/** The view at the address: a guide, a call, an object, or the overview. */
export function View({ document, operations, route }: Props) {
  useEffect(() => {
    if (route.anchor !== undefined) window.document.getElementById(route.anchor)?.scrollIntoView();
  }, [route]);
  // A new key mounts another view, so that its heading takes the focus.
  const key = docsLink({ ...route, anchor: undefined });
  if (route.kind === "overview") return <Overview key={key} document={document} />;
  if (route.kind === "guides") return <Guide key={key} name={route.name} />;
  if (route.kind === "calls") {
    const operation = operations.find(({ id }) => id === route.name);
    if (operation !== undefined) return <CallView key={key} document={document} operation={operation} />;
  }
  if (route.kind === "objects" && Object.hasOwn(document.components.schemas, route.name))
    return <ObjectView key={key} document={document} name={route.name} />;
  return <Missing key={key} />;
}

function Overview({ document }: { readonly document: ApiDocument }) {
  const t = useTexts(texts);
  return (
    <Stack gap="xl" maw="46rem">
      <PageTitle title={t.title} about={t.about(document.info.version)} />
      <ul className="ways" lang="en">
        {guides.map(({ name, title, about }) => (
          <li key={name}>
            <Anchor href={docsLink({ kind: "guides", name })} underline="never" className="surface way">
              <strong>{title}</strong>
              <span>{about}</span>
            </Anchor>
          </li>
        ))}
      </ul>
      <div lang="en">
        <Markdown text={document.info.description} />
      </div>
      <Anchor href="/v1/openapi.json">{t.document}</Anchor>
    </Stack>
  );
}

function Guide({ name }: { readonly name: string }) {
  const guide = guides.find((one) => one.name === name);
  if (guide === undefined) return <Missing />;
  return (
    <Stack gap="xl" maw="46rem">
      <div lang="en">
        <PageTitle title={guide.title} />
      </div>
      {name === "autocomplete" ? <ElementDemo /> : null}
      <div lang="en">
        <Markdown text={atService(guide.body, location.origin)} />
      </div>
    </Stack>
  );
}

function Missing() {
  const t = useTexts(texts);
  return <PageTitle title={t.missing} about={t.missingAbout} />;
}

/** An object of the API: its fields and the calls that return it. */
function ObjectView({ document, name }: { readonly document: ApiDocument; readonly name: string }) {
  const t = useTexts(referenceTexts);
  const schema = document.components.schemas[name] ?? {};
  const reference = `"#/components/schemas/${name}"`;
  const users = operationsOf(document).filter(({ answer }) => JSON.stringify(answer).includes(reference));
  return (
    <Stack gap="xl" maw="46rem">
      <PageTitle title={name} about={<span lang="en">{schema.description}</span>} />
      <ReferencePart id="fields" title={t.fields}>
        <Fields document={document} fields={schemaFields(document, schema, t.always)} anchors="field" />
      </ReferencePart>
      {users.length === 0 ? null : (
        <ReferencePart id="used-by" title={t.usedBy}>
          <ul className="plain-list">
            {users.map(({ id, summary }) => (
              <li key={id}>
                <Anchor href={docsLink({ kind: "calls", name: id })}>{summary}</Anchor>
              </li>
            ))}
          </ul>
        </ReferencePart>
      )}
    </Stack>
  );
}
