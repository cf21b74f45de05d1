// What tests ask of a page in the browser. Colours are taken as the browser computed them.
const numbers = (colour) => colour.match(/[\d.]+(e-?\d+)?/g).map(Number);
const rgb = (colour) => {
  // rgb(…) from 0 to 255, color(srgb …) from 0 to 1
  const [r, g, b, alpha = 1] = numbers(colour.replace("color(srgb", "("));
  const scale = colour.startsWith("color") ? 255 : 1;
  return { channels: [r * scale, g * scale, b * scale], alpha };
};
const luminance = (channels) => {
  const [r, g, b] = channels
    .map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const over = (top, alpha, below) => top.map((c, i) => alpha * c + (1 - alpha) * below[i]);
const behind = (node) => {
  if (!node) return [255, 255, 255];
  const { channels, alpha } = rgb(getComputedStyle(node).backgroundColor);
  return alpha === 1 ? channels : over(channels, alpha, behind(node.parentElement));
};
// Within a picture the letters stand on the last filled shape that was drawn below their middle.
const beneath = (node) => {
  const box = node.getBoundingClientRect();
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  let colour = behind(node.closest("svg").parentElement);
  for (const shape of node.closest("svg").querySelectorAll("path, rect, circle")) {
    if (!(shape.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
    const fill = getComputedStyle(shape).fill;
    if (fill === "none" || shape.closest("defs, clipPath")) continue;
    const at = shape.getBoundingClientRect();
    if (x < at.left || x > at.right || y < at.top || y > at.bottom) continue;
    const { channels, alpha } = rgb(fill);
    const style = getComputedStyle(shape);
    colour = over(channels, alpha * style.fillOpacity * style.opacity, colour);
  }
  return colour;
};
const contrast = (node) => {
  const style = getComputedStyle(node);
  const picture = node.closest("svg");
  const ground = picture ? beneath(node) : behind(node);
  const { channels, alpha } = rgb(picture ? style.fill : style.color);
  const ink = over(channels, alpha, ground);
  const [low, high] = [luminance(ink), luminance(ground)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
const label = (node) =>
  !node || node === document.body
    ? ""
    : `${node.tagName} ${node.id} ${node.getAttribute("aria-label") || node.textContent.trim().slice(0, 60)} ${
        node.getAttribute("href")?.slice(0, 40) ?? ""
      } ${[...document.querySelectorAll(node.tagName)].indexOf(node)}`;
const visible = (node) => node.checkVisibility() && node.getClientRects().length > 0;
const told = (node) => [...node.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
const texts = () =>
  [...document.body.querySelectorAll("*")].filter(
    (n) => told(n) && visible(n) && !n.closest("title, desc, style, script, template"),
  );
const faint = (least) =>
  texts()
    .map((node) => [contrast(node), node])
    .filter(([found]) => !(found >= least))
    .map(([found, node]) => `${found.toFixed(2)} ${label(node)}`);
const scrolls = (node) => {
  for (let box = node; box && box !== document.documentElement; box = box.parentElement) {
    if (/auto|scroll|hidden|clip/.test(getComputedStyle(box).overflowX)) return true;
  }
  return false;
};
const tooWide = () => {
  const width = document.documentElement.clientWidth;
  const found = [...document.body.querySelectorAll("*")]
    .filter((n) => visible(n) && !scrolls(n.parentElement))
    .filter((n) => {
      const { left, right } = n.getBoundingClientRect();
      return right > width + 1 || left < -1;
    })
    .map(label);
  if (document.documentElement.scrollWidth > width) found.push("the page scrolls sideways");
  return found;
};
const NAMED = "a[href], button, input, select, summary, [role=img], [role=region], table, svg";
const named = (node) =>
  node.getAttribute("aria-label") ||
  node.getAttribute("aria-labelledby") ||
  node.closest("[aria-hidden=true]") ||
  (node.tagName === "TABLE" && node.caption) ||
  (node.tagName === "INPUT" && node.labels.length) ||
  (node.closest("svg") && node.querySelector("title")) ||
  (!/^(TABLE|INPUT|SELECT|svg)$/i.test(node.tagName) && node.textContent.trim());
const unnamed = () => [...document.querySelectorAll(NAMED)].filter((n) => !named(n)).map(label);
const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]";
const controls = () =>
  [...document.querySelectorAll(CONTROLS)]
    .filter((n) => visible(n) && !n.disabled && n.tabIndex >= 0)
    .map(label);
const outlined = () => {
  const style = getComputedStyle(document.activeElement);
  return style.outlineStyle !== "none" || style.boxShadow !== "none";
};
// Letters of a picture that reach beyond it, or over other letters of it.
const crossing = () =>
  [...document.querySelectorAll("svg")].filter(visible).flatMap((svg) => {
    const edge = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll("text")].map((t) => [t, t.getBoundingClientRect()]);
    const outside = boxes.filter(
      ([, b]) => b.left < edge.left - 2 || b.right > edge.right + 2 || b.top < edge.top - 2 || b.bottom > edge.bottom + 2,
    );
    const meet = ([, a], [, b]) =>
      a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
    const over = boxes.filter((one, i) => boxes.some((other, j) => j > i && meet(one, other)));
    return [...outside, ...over].map(([node]) => `${svg.getAttribute("aria-labelledby")}: ${node.textContent}`);
  });
