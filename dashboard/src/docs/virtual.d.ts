/** Generated from the theme by `vite.config.ts`. */
declare module "virtual:theme.css";

/** Generated from `docs/` by `build/guides.ts`. */
declare module "virtual:guides" {
  export const guides: readonly import("./guide.ts").Guide[];
}
