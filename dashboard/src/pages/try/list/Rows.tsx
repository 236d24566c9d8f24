import { Box } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { Icon, type IconName } from "../../../components/Icon.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import type { ListClient } from "./listClient.ts";
import type { ShownRow } from "./protocol.ts";
import { resultTexts } from "./resultTexts.ts";
import { texts } from "./texts.ts";

/** Rows of one height, as list.css has them, so that those in sight are known without drawing the others. */
const ROW_PIXELS = { wide: 52, narrow: 92 };
const VIEW_PIXELS = 520;
/** Rows drawn above and below what is in sight. */
const BEYOND = 8;

const LOOKS: Readonly<Record<ShownRow["outcome"], IconName>> = {
  found: "check",
  notFound: "warning",
  noAnswer: "info",
  notANumber: "warning",
  empty: "info",
  waiting: "pulse",
};

interface Props {
  readonly client: ListClient;
  readonly total: number;
}

/** Every row of the list; only those in sight are drawn, and only they are asked of the worker. */
export function Rows({ client, total }: Props) {
  const { rows: t } = useTexts(texts);
  const { language } = useLanguage();
  const isWide = useMediaQuery("(min-width: 48em)", true, { getInitialValueInEffect: false });
  const height = isWide ? ROW_PIXELS.wide : ROW_PIXELS.narrow;
  const [top, setTop] = useState(0);
  const [shown, setShown] = useState<readonly ShownRow[]>([]);
  const from = Math.max(0, Math.floor(top / height) - BEYOND);
  const to = Math.min(total, Math.ceil((top + VIEW_PIXELS) / height) + BEYOND);
  useEffect(() => {
    let isStale = false;
    const load = () => {
      client.ask("rows", { from, to, language }).then(
        (rows) => {
          if (!isStale) setShown(rows);
        },
        () => undefined,
      );
    };
    load();
    const stop = client.subscribe(load);
    return () => {
      isStale = true;
      stop();
    };
  }, [client, from, to, language]);
  return (
    <Box
      component="section"
      className="rows"
      tabIndex={0}
      aria-label={t.label}
      mah={VIEW_PIXELS}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <Box role="table" aria-label={t.label} aria-rowcount={total + 1}>
        <Box role="rowgroup" className="rows-head">
          <Box role="row" aria-rowindex={1} className="rows-row">
            {[t.row, t.number, t.name, t.city, t.outcome].map((title) => (
              <Box component="span" role="columnheader" key={title}>
                {title}
              </Box>
            ))}
          </Box>
        </Box>
        <Box role="rowgroup" className="rows-body" h={total * height}>
          {shown.map((row) => (
            <Row key={row.index} row={row} top={row.index * height} height={height} />
          ))}
        </Box>
      </Box>
    </Box>
  );
}

interface RowProps {
  readonly row: ShownRow;
  readonly top: number;
  readonly height: number;
}

function Row({ row, top, height }: RowProps) {
  const { rows: t } = useTexts(texts);
  const { outcomes } = useTexts(resultTexts);
  const { number } = useLanguage().formats;
  const { index, outcome, name, city, isActive, why } = row;
  const says = outcome === "found" && isActive === false ? t.ended : outcomes[outcome];
  return (
    <Box
      role="row"
      aria-rowindex={index + 2}
      className="rows-row"
      data-outcome={outcome}
      top={top}
      h={height}
    >
      <Box component="span" role="cell" className="rows-index">
        {number(index + 1)}
      </Box>
      <Box component="span" role="cell" className="rows-number">
        {row.number ?? row.text}
      </Box>
      {name === undefined ? (
        <Box component="span" role="cell" aria-colspan={2} className="rows-why" title={why}>
          {outcome === "waiting" ? "" : why}
        </Box>
      ) : (
        <>
          <Box component="span" role="cell" className="rows-name" title={name}>
            {name}
          </Box>
          <Box component="span" role="cell" className="rows-city" title={city}>
            {city}
          </Box>
        </>
      )}
      <Box component="span" role="cell" className="rows-outcome">
        <Icon name={LOOKS[outcome]} size={16} />
        {says}
      </Box>
    </Box>
  );
}
