/** A line of a plot: places with their values, both above 0. */
export interface Line {
  readonly title: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** Plots of the same lines side by side, with the same axes. */
export interface Panel {
  readonly title: string;
  readonly lines: readonly Line[];
}

export interface Axis {
  readonly title: string;
  /** How a power of ten stands beside the axis. */
  readonly label: (value: number) => string;
}

const PANEL = { width: 340, height: 300, gap: 90 };
const MARGIN = { top: 40, right: 44, bottom: 56, left: 64 };
const LEGEND_LINE = 20;
/** Told apart without colours too, by their dashes (Okabe and Ito, Color universal design, 2008). */
const STYLES = [
  { color: "#0072b2", dash: "" },
  { color: "#d55e00", dash: "6 3" },
  { color: "#009e73", dash: "2 3" },
  { color: "#cc79a7", dash: "10 3 2 3" },
  { color: "#56b4e9", dash: "4 4" },
  { color: "#000000", dash: "1 4" },
];

/** Lines over two logarithmic axes, as an SVG document; panels share their axes, so that they can be compared. */
export function renderPlot(panels: readonly Panel[], x: Axis, y: Axis): string {
  const points = panels.flatMap(({ lines }) => lines.flatMap((line) => line.points));
  const across = scaleOf(
    points.map(([value]) => value),
    PANEL.width,
  );
  const up = scaleOf(
    points.map(([, value]) => value),
    PANEL.height,
  );
  const titles = panels[0]?.lines.map(({ title }) => title) ?? [];
  const width = MARGIN.left + panels.length * (PANEL.width + PANEL.gap) - PANEL.gap + MARGIN.right;
  const height = MARGIN.top + PANEL.height + MARGIN.bottom + titles.length * LEGEND_LINE;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12">`,
    `<title>${escapeText(panels.map(({ title }) => title).join("; "))}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...panels.map((panel, index) => {
      const left = MARGIN.left + index * (PANEL.width + PANEL.gap);
      return `<g transform="translate(${left} ${MARGIN.top})">${renderPanel(panel, { across, up }, x, y)}</g>`;
    }),
    `<g transform="translate(${MARGIN.left} ${MARGIN.top + PANEL.height + MARGIN.bottom})">${renderLegend(titles)}</g>`,
    "</svg>",
    "",
  ].join("\n");
}

interface Scale {
  /** The powers of ten inside, with both ends. */
  readonly ticks: readonly number[];
  place(value: number): number;
}

/** A logarithmic scale from the power of ten below the least value to the one above the greatest. */
function scaleOf(values: readonly number[], length: number): Scale {
  const least = Math.floor(Math.log10(Math.min(...values)));
  const most = Math.max(least + 1, Math.ceil(Math.log10(Math.max(...values))));
  return {
    ticks: Array.from({ length: most - least + 1 }, (_, index) => 10 ** (least + index)),
    place: (value) => ((Math.log10(value) - least) / (most - least)) * length,
  };
}

function renderPanel(
  { title, lines }: Panel,
  { across, up }: { across: Scale; up: Scale },
  x: Axis,
  y: Axis,
): string {
  const { width, height } = PANEL;
  const grid = [
    ...across.ticks.map((tick) => {
      const at = round(across.place(tick));
      return `<path d="M${at} 0V${height}" stroke="#dddddd"/><text x="${at}" y="${height + 16}" text-anchor="middle">${x.label(tick)}</text>`;
    }),
    ...up.ticks.map((tick) => {
      const at = round(height - up.place(tick));
      return `<path d="M0 ${at}H${width}" stroke="#dddddd"/><text x="-6" y="${at + 4}" text-anchor="end">${y.label(tick)}</text>`;
    }),
  ];
  const drawn = lines.map(({ points }, index) => {
    const places = points.map(([one, other]) => [round(across.place(one)), round(height - up.place(other))]);
    const { color, dash } = styleOf(index);
    const dots = places.map(([left, top]) => `<circle cx="${left}" cy="${top}" r="3" fill="${color}"/>`);
    const path = places.map((place) => place.join(" ")).join("L");
    return `<path d="M${path}" fill="none" stroke="${color}" stroke-width="2" stroke-dasharray="${dash}"/>${dots.join("")}`;
  });
  return [
    `<text x="${width / 2}" y="-14" text-anchor="middle" font-size="14">${escapeText(title)}</text>`,
    ...grid,
    ...drawn,
    `<text x="${width / 2}" y="${height + 38}" text-anchor="middle">${escapeText(x.title)}</text>`,
    `<text transform="translate(-50 ${height / 2}) rotate(-90)" text-anchor="middle">${escapeText(y.title)}</text>`,
  ].join("");
}

function renderLegend(titles: readonly string[]): string {
  return titles
    .map((title, index) => {
      const { color, dash } = styleOf(index);
      const top = index * LEGEND_LINE;
      return `<path d="M0 ${top}H30" stroke="${color}" stroke-width="2" stroke-dasharray="${dash}"/><text x="38" y="${top + 4}">${escapeText(title)}</text>`;
    })
    .join("");
}

function styleOf(index: number): { readonly color: string; readonly dash: string } {
  return STYLES[index % STYLES.length] ?? { color: "#000000", dash: "" };
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
