/** What the build makes of the theme (`vite.config.ts`). */
declare module "virtual:theme.css";
