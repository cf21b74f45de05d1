// What a search in the texts of a page of explanations reads, in processor time of Node:
//
//     node benchmarks/page_search.mjs PAGE.html
//
// Seconds until the first blocks of rows are read, until all are, and for one look through all
// texts, as the script of the page does these (src/summeval/report/data/explanations.js). Texts lie
// in blocks of their own; of a page of an older version the blocks have the explanations too.
import { readFileSync } from "node:fs";

const TOGETHER = 32; // blocks
const page = readFileSync(process.argv[2], "latin1");
const blocks = (kind) =>
  [...page.matchAll(new RegExp(`<script type="text/plain" class="${kind}">([^<]*)</script>`, "g"))].map((m) => m[1]);
const unpack = async (letters) => {
  const plain = atob(letters), bytes = new Uint8Array(plain.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = plain.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
};
const seconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const packed = blocks("texts").length ? blocks("texts") : blocks("rows");
const words = [], start = seconds();
let first = 0;
for (let at = 0; at < packed.length; at += TOGETHER) {
  for (const row of (await Promise.all(packed.slice(at, at + TOGETHER).map(unpack))).flat())
    words.push(`${row.c}\n${row.r.join("\n")}`.toLowerCase());
  first ||= seconds() - start;
}
const all = seconds() - start, before = seconds();
const found = words.filter((text) => text.includes("president")).length;
console.log(`${words.length} rows: first ${first.toFixed(2)} s, all ${all.toFixed(2)} s,`,
  `one look ${(seconds() - before).toFixed(3)} s (${found} found); Node ${process.version}`);
