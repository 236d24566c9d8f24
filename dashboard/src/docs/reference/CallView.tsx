import { Anchor, Badge, Code, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Json } from "../../components/Json.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { useTexts } from "../../language/language.tsx";
import { Examples } from "../../snippets/Examples.tsx";
import { snippetOf } from "../../snippets/snippets.ts";
import { linkTo } from "../address.ts";
import answers from "../document/answers.json";
import { exampleOf, firstValues, pathOf } from "../document/examples.ts";
import { type ApiDocument, JSON_TYPE, type Operation } from "../document/openapi.ts";
import { Markdown } from "../markdown/Markdown.tsx";
import { type Field, Fields, fieldsOf, ruleOf } from "./Fields.tsx";
import { TryIt } from "./TryIt.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly document: ApiDocument;
  readonly operation: Operation;
}

/** What the demo answers to each call as it is filled in to begin with; a test compares them. */
const ANSWERS: Readonly<Record<string, unknown>> = answers;

/** A call: what it takes and gives on one side, the call itself on the other. */
export function CallView({ document, operation }: Props) {
  const t = useTexts(texts);
  const { method, path, summary, description, needsKey } = operation;
  const [values, setValues] = useState(() => firstValues(document, operation));
  const url = location.origin + pathOf(operation, values);
  const { bodyType, answerType } = operation;
  const request = { method, url, needsKey, body: values.body, bodyType, answerType };
  return (
    <div className="split call">
      <Stack gap="xl" className="call-input">
        <Stack gap="sm">
          <div lang="en">
            <PageTitle title={summary} />
          </div>
          <p className="call-line">
            <Badge variant="filled" radius="sm">
              {method}
            </Badge>
            <Code className="breaks">{path}</Code>
            {needsKey ? null : <span className="field-mark">{t.noKey}</span>}
          </p>
          <div lang="en">
            <Markdown text={description} />
          </div>
        </Stack>
        <Input document={document} operation={operation} />
      </Stack>
      <Stack gap="xl" className="call-made">
        <TryIt operation={operation} values={values} onChange={setValues} />
        <section aria-labelledby="program">
          <Title order={2} id="program">
            {t.exampleCall}
          </Title>
          {needsKey ? (
            <Text size="sm" c="dimmed" mb="sm">
              {t.keyFromEnvironment}
            </Text>
          ) : null}
          <Examples of={(language) => snippetOf(language, request)} />
        </section>
        <div>
          <Title order={2} mb="sm">
            {t.exampleAnswer}
          </Title>
          <Json label={t.exampleAnswer} value={ANSWERS[operation.id]} />
        </div>
      </Stack>
      <Stack gap="xl" className="call-answer">
        <section aria-labelledby="answer">
          <Title order={2} id="answer">
            {t.answer}
          </Title>
          <Text size="sm" c="dimmed">
            {t.answerAbout(operation.statuses.join(t.or), operation.answerTypes.map(nameOf).join(t.or))}
          </Text>
          <Fields document={document} fields={fieldsOf(document, operation.answer, t.always)} />
        </section>
        <Errors operation={operation} />
      </Stack>
    </div>
  );
}

/** What a reader calls a media type. */
function nameOf(type: string): string {
  return type === JSON_TYPE ? "JSON" : type;
}

function Input({ document, operation }: Props) {
  const t = useTexts(texts);
  const { parameters, body, bodyTypes } = operation;
  const fields = parameters.map((parameter): Field => {
    const { name, schema, required, description } = parameter;
    return {
      name,
      schema,
      description,
      mark: required === true ? t.required : parameter.in === "header" ? t.header : undefined,
      rule: ruleOf(schema, t),
      example: exampleOf(parameter),
    };
  });
  return (
    <>
      {fields.length === 0 ? null : (
        <section aria-labelledby="parameters">
          <Title order={2} id="parameters">
            {t.parameters}
          </Title>
          <Fields document={document} fields={fields} anchors="parameter" />
        </section>
      )}
      {body === undefined ? null : (
        <section aria-labelledby="body">
          <Title order={2} id="body">
            {t.body}
          </Title>
          {bodyTypes.includes(JSON_TYPE) ? (
            <Fields document={document} fields={fieldsOf(document, body, t.required, t)} anchors="field" />
          ) : (
            <Text size="sm" c="dimmed">
              {t.bodyAbout(bodyTypes.map(nameOf).join(t.or))}
            </Text>
          )}
        </section>
      )}
    </>
  );
}

function Errors({ operation }: { readonly operation: Operation }) {
  const t = useTexts(texts);
  return (
    <section aria-labelledby="errors">
      <Title order={2} id="errors">
        {t.errors}
      </Title>
      <Text size="sm" c="dimmed">
        {t.errorsAbout}{" "}
        <Anchor href={linkTo({ kind: "guides", name: "errors" })} inherit>
          {t.errorsGuide}
        </Anchor>
      </Text>
      <dl className="statuses">
        {operation.errors.map(({ status, codes }) => (
          <div key={status}>
            <dt>{status}</dt>
            <dd>
              {codes.map((code) => (
                <Code key={code}>{code}</Code>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
