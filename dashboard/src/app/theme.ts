import {
  Anchor,
  Badge,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
} from "@mantine/core";

/** The accent. White text on shades 6 and 7, and shade 7 on white, have a contrast above 4.5 : 1. */
const sea: MantineColorsTuple = [
  "#eaf6f4",
  "#d4ebe7",
  "#a9d7d0",
  "#7cc3b9",
  "#55b1a5",
  "#2f978b",
  "#17817a",
  "#0b6e69",
  "#085b57",
  "#054844",
];

const dark: MantineColorsTuple = [
  "#e4e8e9",
  "#c2c9cb",
  "#a2acaf",
  "#7d888c",
  "#414a4e",
  "#30383b",
  "#22292b",
  "#151a1c",
  "#101415",
  "#0b0e0f",
];

export const theme = createTheme({
  primaryColor: "sea",
  primaryShade: { light: 7, dark: 6 },
  colors: { sea, dark },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Open Sans", "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  headings: {
    fontWeight: "650",
    sizes: {
      h1: { fontSize: "1.75rem", lineHeight: "1.2" },
      h2: { fontSize: "1.1875rem", lineHeight: "1.35" },
      h3: { fontSize: "1rem", lineHeight: "1.4" },
    },
  },
  radius: { md: "0.625rem" },
  components: {
    // Colour alone does not distinguish a link in a text.
    Anchor: Anchor.extend({ defaultProps: { underline: "always" } }),
    Badge: Badge.extend({ defaultProps: { variant: "light", tt: "none" } }),
  },
});

/** MutedText text, errors and placeholders that stay readable (4.5 : 1) on every surface of the page. */
export const cssVariables: CSSVariablesResolver = () => ({
  // Avoids a single word on the last line.
  variables: { "--mantine-text-wrap": "pretty" },
  light: {
    "--mantine-color-body": "#f6f8f8",
    "--mantine-color-dimmed": "#51595c",
    "--mantine-color-error": "#b42318",
    "--mantine-color-placeholder": "#667075",
    "--surface": "#ffffff",
    "--line": "#dfe5e5",
    "--control-line": "#828c90",
    "--mantine-color-default-border": "#828c90",
    "--mantine-color-text": "#182022",
    "--code": "#f1f5f4",
    "--track": "#eef2f1",
  },
  dark: {
    "--mantine-color-dimmed": "#a9b3b6",
    "--mantine-color-sea-light": "rgba(85, 177, 165, 0.16)",
    "--mantine-color-sea-light-hover": "rgba(85, 177, 165, 0.24)",
    "--mantine-color-sea-light-color": "#a9d7d0",
    "--mantine-color-gray-light": "rgba(255, 255, 255, 0.06)",
    "--mantine-color-red-light": "rgba(255, 107, 92, 0.16)",
    "--mantine-color-yellow-light": "rgba(250, 190, 60, 0.16)",
    "--mantine-color-error": "#ff9d92",
    "--mantine-color-placeholder": "#939ea2",
    "--surface": "#1c2224",
    "--line": "#30383b",
    "--control-line": "#6d787c",
    "--mantine-color-default-border": "#6d787c",
    "--code": "#12171a",
    "--track": "#30383b",
  },
});
