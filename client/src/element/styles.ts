/**
 * The styles. Colours follow the page's `color-scheme`; colours, corners and the list's height are variables. The build
 * minifies them.
 */
export const STYLES = `
:host {
  --_accent: var(--opzoek-accent, light-dark(#1c5d99, #8cc1f5));
  --_text: var(--opzoek-text, light-dark(#1b1f24, #e9ecef));
  --_muted: var(--opzoek-muted, light-dark(#59636e, #a5aeb8));
  --_background: var(--opzoek-background, light-dark(#fff, #1d2125));
  --_active: var(--opzoek-active, light-dark(#e8f1fa, #2b3947));
  --_border: var(--opzoek-border, light-dark(#7d8791, #78828c));
  --_danger: var(--opzoek-danger, light-dark(#b3261e, #ffb4ab));
  --_radius: var(--opzoek-radius, .5rem);
  display: block;
  color: var(--_text);
  font-size: 1rem;
  line-height: 1.4;
}
:host([hidden]) { display: none }
* { box-sizing: border-box }
[part=field] {
  display: flex;
  align-items: center;
  min-height: 2.75rem;
  padding-inline: .75rem;
  gap: .5rem;
  border: 1px solid var(--_border);
  border-radius: var(--_radius);
  background: var(--_background);
}
[part=field]:focus-within { outline: 2px solid var(--_accent); outline-offset: 1px; border-color: var(--_accent) }
:host(:state(invalid)) [part=field] { border-color: var(--_danger) }
:host(:disabled) [part=field] { opacity: .6 }
input {
  flex: 1;
  min-width: 0;
  padding: .5rem 0;
  border: 0;
  outline: 0;
  background: none;
  color: inherit;
  font: inherit;
}
::placeholder { color: var(--_muted) }
[part=number], [part=note], small { color: var(--_muted); font-size: .875rem }
button {
  flex: none;
  width: 1.75rem;
  height: 1.75rem;
  padding: 0;
  border: 0;
  border-radius: 50%;
  background: none;
  color: var(--_muted);
  font: 1.25rem/1 sans-serif;
  cursor: pointer;
}
button:hover { background: var(--_active) }
[part=spinner] {
  flex: none;
  width: 1rem;
  height: 1rem;
  border: 2px solid var(--_muted);
  border-top-color: transparent;
  border-radius: 50%;
  animation: turn .8s linear infinite;
}
@keyframes turn { to { rotate: 1turn } }
[part=message] { margin-block-start: .375rem; color: var(--_danger); font-size: .875rem }
[part=message]:empty, [part=note]:empty, ul:empty, [part=number]:empty, [hidden] { display: none }
[popover] {
  position: fixed;
  inset: auto;
  margin: 0;
  padding: .25rem;
  border: 1px solid var(--_border);
  border-radius: var(--_radius);
  background: var(--_background);
  color: inherit;
  box-shadow: 0 8px 28px #0000002e;
}
[popover]:popover-open { display: flex; flex-direction: column }
[part=note] { padding: .5rem .625rem }
ul { margin: 0; padding: 0; list-style: none; overflow: auto; overscroll-behavior: contain }
li {
  display: flex;
  flex-direction: column;
  padding: .5rem .625rem;
  border-radius: calc(var(--_radius) - 3px);
  cursor: pointer;
  overflow-wrap: anywhere;
}
li:hover, li[aria-selected=true] { background: var(--_active) }
li[aria-selected=true] { box-shadow: inset 2px 0 var(--_accent) }
small { display: flex; flex-wrap: wrap; column-gap: .75rem }
[part=status] { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@media (prefers-reduced-motion: reduce) { [part=spinner] { animation-duration: 4s } }
@media (forced-colors: active) {
  li[aria-selected=true] { forced-color-adjust: none; background: Highlight; color: HighlightText; box-shadow: none }
  li[aria-selected=true] small { color: inherit }
}
`;
