import { Anchor, Badge, Code, Group, Stack, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { Json } from "../../components/Json.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { useTexts } from "../../language/language.tsx";
import { Examples } from "../../snippets/Examples.tsx";
import { snippetOf } from "../../snippets/snippets.ts";
import { docsLink } from "../address.ts";
import answers from "../document/answers.json";
import { exampleOf, firstValues, forKey, pathOf } from "../document/examples.ts";
import { type ApiDocument, JSON_TYPE, type Operation } from "../document/openapi.ts";
import { Markdown } from "../markdown/Markdown.tsx";
import { useApiKey } from "./apiKey.tsx";
import { type Field, Fields, ruleOf, schemaFields } from "./Fields.tsx";
import { ReferencePart } from "./Part.tsx";
import { TryIt } from "./TryIt.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly document: ApiDocument;
  readonly operation: Operation;
}

/** The demo's response to each call with its initial values; a test compares them. */
const ANSWERS: Readonly<Record<string, unknown>> = answers;

/** A call: its parameters and response on one side, Try it on the other. */
export function CallView({ document, operation }: Props) {
  const t = useTexts(texts);
  const { method, path, summary, description, needsKey } = operation;
  const { isTest } = useApiKey();
  const [values, setValues] = useState(() => firstValues(document, operation));
  useEffect(() => setValues((before) => forKey(before, isTest)), [isTest]);
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
          <Group component="p" gap={8} m={0}>
            <Badge variant="filled" radius="sm">
              {method}
            </Badge>
            <Code className="breaks">{path}</Code>
            {needsKey ? null : <span className="field-mark">{t.noKey}</span>}
          </Group>
          <MutedText>
            {t.price}: <span lang="en">{operation.price}</span>
          </MutedText>
          <div lang="en">
            <Markdown text={description} />
          </div>
        </Stack>
        <Input document={document} operation={operation} />
      </Stack>
      <Stack gap="xl" className="call-made">
        <TryIt operation={operation} values={values} onChange={setValues} />
        <ReferencePart id="program" title={t.exampleCall} about={needsKey ? t.keyFromEnvironment : undefined}>
          <Examples of={(language) => snippetOf(language, request)} />
        </ReferencePart>
        <div>
          <Title order={2} mb="sm">
            {t.exampleAnswer}
          </Title>
          <Json label={t.exampleAnswer} value={ANSWERS[operation.id]} />
        </div>
      </Stack>
      <Stack gap="xl" className="call-answer">
        <ReferencePart
          id="answer"
          title={t.answer}
          about={t.answerAbout(operation.statuses.join(t.or), namesOf(operation.answerTypes).join(t.or))}
        >
          <Fields document={document} fields={schemaFields(document, operation.answer, t.always)} />
        </ReferencePart>
        <Errors operation={operation} />
      </Stack>
    </div>
  );
}

/** Short names of media types. */
function namesOf(types: readonly string[]): string[] {
  return types.map((type) => (type === JSON_TYPE ? "JSON" : type));
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
        <ReferencePart id="parameters" title={t.parameters}>
          <Fields document={document} fields={fields} anchors="parameter" />
        </ReferencePart>
      )}
      {body === undefined ? null : bodyTypes.includes(JSON_TYPE) ? (
        <ReferencePart id="body" title={t.body}>
          <Fields document={document} fields={schemaFields(document, body, t.required, t)} anchors="field" />
        </ReferencePart>
      ) : (
        <ReferencePart id="body" title={t.body} about={t.bodyAbout(namesOf(bodyTypes).join(t.or))} />
      )}
    </>
  );
}

function Errors({ operation }: { readonly operation: Operation }) {
  const t = useTexts(texts);
  return (
    <ReferencePart
      id="errors"
      title={t.errors}
      about={
        <>
          {t.errorsAbout}{" "}
          <Anchor href={docsLink({ kind: "guides", name: "errors" })} inherit>
            {t.errorsGuide}
          </Anchor>
        </>
      }
    >
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
    </ReferencePart>
  );
}
