import type { ReactNode } from "react";

interface Props {
  readonly facts: readonly (readonly [string, ReactNode])[];
}

/** Names with their values, without empty values. */
export function Facts({ facts }: Props) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) =>
        value === undefined || value === null || value === false || value === "" ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
