import { Button, NativeSelect, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Json } from "../../components/Json.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { Notice } from "../../components/Notice.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { type FieldParameter, fieldParameters, pathOf, type Values } from "../document/examples.ts";
import { JSON_TYPE, type Method, type Operation, type Parameter } from "../document/openapi.ts";
import { KeyField, useApiKey } from "./apiKey.tsx";
import { ReferencePart } from "./Part.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly operation: Operation;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
}

/** Makes the call with the reader's own key. */
export function TryIt({ operation, values, onChange }: Props) {
  const t = useTexts(texts);
  const { key } = useApiKey();
  const [answered, setAnswered] = useState<Answered>();
  const { method, needsKey, bodyType } = operation;
  const isWhole = Object.values(values.path).every((value) => value.trim() !== "");
  const sending = useMutation(async () => {
    setAnswered(undefined);
    const path = pathOf(operation, values);
    const sent = needsKey ? key.trim() : "";
    setAnswered(await call({ method, path, key: sent, body: values.body, bodyType }));
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isWhole) void sending.run();
  };
  const change = (parameter: FieldParameter, value: string) => {
    const { name, in: place } = parameter;
    onChange({ ...values, [place]: { ...values[place], [name]: value } });
  };
  return (
    <ReferencePart id="try" title={t.try} about={t.tryAbout} className="surface try">
      <form className="try-form" onSubmit={submit} noValidate>
        {needsKey ? <KeyField placeholder="opz_live_…" /> : null}
        {fieldParameters(operation).map((parameter) => (
          <Choice
            key={parameter.name}
            parameter={parameter}
            value={values[parameter.in][parameter.name] ?? ""}
            onChange={(value) => change(parameter, value)}
          />
        ))}
        {values.body === undefined ? null : (
          <Textarea
            label={bodyType === JSON_TYPE ? t.bodyJson : `${t.body} (${bodyType})`}
            autosize
            minRows={4}
            maxRows={14}
            value={values.body}
            spellCheck={false}
            classNames={{ input: "mono" }}
            onChange={(event) => onChange({ ...values, body: event.currentTarget.value })}
          />
        )}
        {isWhole ? null : (
          <Text size="sm" role="status">
            {t.emptyPath}
          </Text>
        )}
        <Button type="submit" loading={sending.isBusy} disabled={!isWhole}>
          {t.send}
        </Button>
      </form>
      <div aria-live="polite">{answered === undefined ? null : <Outcome of={answered} />}</div>
      {sending.failure === undefined ? null : <Notice tone="error">{t.unreachable}</Notice>}
    </ReferencePart>
  );
}

interface ChoiceProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The input of a parameter: a list for an enumeration, otherwise a text field. */
function Choice({ parameter: { name, schema, required, example }, value, onChange }: ChoiceProps) {
  const t = useTexts(texts);
  const allowed = schema.type === "boolean" ? ["true", "false"] : schema.enum?.map(String);
  const label = required === true ? `${name} (${t.required})` : name;
  if (allowed === undefined) {
    return (
      <TextInput
        label={label}
        value={value}
        placeholder={required === true ? String(example ?? "") : undefined}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <NativeSelect
      label={label}
      value={value}
      data={[{ value: "", label: t.notSent }, ...allowed]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The status, the cost and the unchanged response. */
function Outcome({ of }: { readonly of: Answered }) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const { status, milliseconds, charged, remaining, requestId, body } = of;
  const facts = [
    t.answered(String(status), number(Math.round(milliseconds))),
    charged === undefined ? undefined : charged === 1 ? t.oneToken : t.tokens(number(charged)),
    remaining === undefined ? undefined : t.left(number(remaining)),
  ].filter((fact) => fact !== undefined);
  return (
    <Stack gap="xs" data-testid="outcome">
      <Text size="sm" fw={600} {...(status >= 400 && { className: "danger" })}>
        {facts.join(" · ")}
      </Text>
      {requestId === undefined ? null : (
        <MutedText>
          {t.requestId}: {requestId}
        </MutedText>
      )}
      <Json label={t.answerToCall} value={body} />
    </Stack>
  );
}

/** The result of a call on Try it. */
interface Answered {
  readonly status: number;
  readonly milliseconds: number;
  /** Tokens charged and left, if the response says so. */
  readonly charged: number | undefined;
  readonly remaining: number | undefined;
  readonly requestId: string | undefined;
  /** Parsed JSON, or the text if it is not JSON. */
  readonly body: unknown;
}

interface Call {
  readonly method: Method;
  readonly path: string;
  /** Empty for a call without a body. */
  readonly key: string;
  readonly body: string | undefined;
  readonly bodyType: string;
}

/**
 * Calls the service that served this page, as a program would: without cookies.
 * @throws {TypeError} when the service cannot be reached
 */
async function call({ method, path, key, body, bodyType }: Call): Promise<Answered> {
  const began = performance.now();
  const response = await fetch(path, {
    method,
    credentials: "omit",
    cache: "no-store",
    headers: {
      ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": bodyType }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const count = (header: string) => {
    const value = response.headers.get(header);
    return value === null ? undefined : Number(value);
  };
  return {
    status: response.status,
    milliseconds: performance.now() - began,
    charged: count("x-tokens-charged"),
    remaining: count("x-tokens-remaining"),
    requestId: response.headers.get("x-request-id") ?? undefined,
    body: parsed(text),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
