const EDGE = 8;
const MIN_WIDTH = 288;
const MIN_HEIGHT = 200;
const MAX_HEIGHT = 360;

/**
 * Places the list below its field, or above if there is more room, within the window. It is in the top layer, so
 * nothing clips it.
 */
export function place(popup: HTMLElement, field: HTMLElement): void {
  const { top, bottom, left, right, width } = field.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const wide = Math.min(Math.max(width, MIN_WIDTH), clientWidth - 2 * EDGE);
  const start = field.matches(":dir(rtl)") ? right - wide : left;
  const below = clientHeight - bottom;
  const isAbove = below < MIN_HEIGHT && top > below;
  const { style } = popup;
  style.width = `${wide}px`;
  style.left = `${Math.max(EDGE, Math.min(start, clientWidth - EDGE - wide))}px`;
  style.top = isAbove ? "auto" : `${bottom + 4}px`;
  style.bottom = isAbove ? `${clientHeight - top + 4}px` : "auto";
  style.maxHeight = `${Math.min(MAX_HEIGHT, (isAbove ? top : below) - EDGE - 4)}px`;
}
