/** Line drawings on a grid of 24, drawn for this page. They only accompany words, so screen readers skip them. */
const DRAWINGS = {
  home: "M4 11.5 12 5l8 6.5M6 10v9h12v-9M10 19v-5h4v5",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20 20",
  key: "M8 17a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM11 11l8-6M16 7.5l2 2.5",
  chart: "M5 20V11M12 20V4M19 20v-6",
  plan: "M4 8l8-4 8 4-8 4-8-4ZM4 12l8 4 8-4M4 16l8 4 8-4",
  pulse: "M3 12h4l3-7 4 14 3-7h4",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5v-5M9 19.5v-5",
  tower: "M12 3l8 3v6c0 5-3.5 7.5-8 9-4.5-1.5-8-4-8-9V6l8-3ZM9 12l2 2 4-4",
  book: "M5 5.5C7 4.5 10 4.5 12 6c2-1.5 5-1.5 7-.5V19c-2-1-5-1-7 .5-2-1.5-5-1.5-7-.5ZM12 6v13.5",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4",
  moon: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z",
  out: "M10 5H5v14h5M14 8l4 4-4 4M18 12H9",
  edit: "M5 19l1-4L16.5 4.5l3 3L9 18l-4 1ZM14.5 6.5l3 3",
  bell: "M6 16.5h12l-1.5-2V10a4.5 4.5 0 0 0-9 0v4.5ZM10.5 19.5h3M12 5.5V4",
  list: "M9 6h11M9 12h11M9 18h11M4.5 6h.1M4.5 12h.1M4.5 18h.1",
  copy: "M9 9h10v11H9ZM15 9V4H5v11h4",
  check: "M5 12.5 10 17.5 19 7",
  cross: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  unknown: "M9 9.2a3 3 0 1 1 4.2 2.9c-.8.4-1.2 1-1.2 1.9M12 17.3v.2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z",
  warning: "M12 4 2.5 20h19ZM12 10v4.5M12 17.3v.2",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5.5M12 7.8v.2",
  download: "M12 4v11M7.5 11 12 15.5 16.5 11M5 20h14",
  upload: "M12 16V5M7.5 9 12 4.5 16.5 9M5 20h14",
} as const;

export type IconName = keyof typeof DRAWINGS;

export function Icon({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={DRAWINGS[name]} />
    </svg>
  );
}
