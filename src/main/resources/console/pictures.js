/**
 * Pictures of answers. Each picture draws the released value and the interval around it, and has a title in words. A
 * table is shown beside it.
 */
import { html } from './parts.js';
import { rounded, shown } from './amounts.js';
import { cut } from './words.js';

/** Sizes for a narrow and for a wide screen, in units of about a pixel, so that text keeps its size. */
const [WIDTH, LEFT, MOST_LEFT, RIGHT] = innerWidth < 700 ? [320, 96, 150, 52] : [640, 190, 190, 90];
const EDGE = 36;

const span = (values) => {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return high > low ? [low, high] : [low - 1, high + 1];
};

/** Round numbers along an axis, about five. */
export function ticks(low, high) {
  const raw = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= raw);
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) {
    found.push(Number(at.toPrecision(12)));
  }
  return found;
}

function Axis({ low, high, x, height, label = rounded }) {
  return html`<g class="axis">${ticks(low, high).map((at) => html`<g>
    <line x1=${x(at)} x2=${x(at)} y1="0" y2=${height} />
    <text x=${x(at)} y=${height + 16} text-anchor="middle">${label(at)}</text></g>`)}</g>`;
}

function Picture({ title, height, children }) {
  return html`<svg class="picture" viewBox=${`0 0 ${WIDTH} ${height}`} role="img" aria-label=${title}>
    ${children}</svg>`;
}

/** The size that console.css has for the text of pictures. */
const PIXELS = 13;
const pen = document.createElement('canvas').getContext('2d');

/** Labels that fit beside their bars, and the width that they take. */
function shortened(labels) {
  pen.font = `${PIXELS}px ${getComputedStyle(document.body).fontFamily}`;
  const place = (text) => pen.measureText(text).width + 12;
  const left = Math.min(MOST_LEFT, Math.max(LEFT, ...labels.map(place)));
  return [cut(labels, (text) => place(text) <= left), left];
}

/** The most bars that are drawn. The table beside has all. */
const MOST_BARS = 120;

/**
 * A bar with its interval for each row {label, value, low, high}; line is a threshold to draw, axis what the bars
 * measure.
 */
export function Bars({ title, rows, scale = null, line = null, axis = null }) {
  const drawn = rows.slice(0, MOST_BARS);
  const values = drawn.flatMap((row) => [row.value, row.low, row.high]).concat(line ?? []).filter(Number.isFinite);
  const [low, high] = scale ?? span([0, ...values]);
  const [labels, left] = shortened(drawn.map(({ label }) => String(label)));
  const x = (value) => left + ((Math.min(Math.max(value, low), high) - low) / (high - low)) * (WIDTH - left - RIGHT);
  const texts = drawn.map(shown);
  const each = 28;
  const height = each * drawn.length;
  return html`<div><${Picture} title=${title} height=${height + (axis ? 42 : 24)}>
    ${axis && html`<text x=${(left + WIDTH - RIGHT) / 2} y=${height + 36} text-anchor="middle">${axis}</text>`}
    <${Axis} low=${low} high=${high} x=${x} height=${height} />
    ${drawn.map((row, i) => html`<g transform=${`translate(0 ${i * each})`}>
      <title>${`${row.label}: ${texts[i].value}${Number.isFinite(row.low)
        ? `, from ${texts[i].low} to ${texts[i].high}` : ''}`}</title>
      <text x=${left - 8} y="18" text-anchor="end">${labels[i]}</text>
      ${row.value !== null && html`<rect class=${`bar series-${row.series ?? 0}`} y="5" height="17"
        x=${x(Math.min(0, row.value))} width=${Math.abs(x(row.value) - x(Math.max(low, Math.min(0, high))))} />`}
      ${row.value !== null && html`<${Whisker} low=${x(row.low)} high=${x(row.high)} y="13.5" />`}
      ${row.value === null && Number.isFinite(row.low)
        ? html`<text class="nothing" x=${left + 6} y="18">nothing is known</text>`
        : html`<text x=${Math.max(x(row.high ?? row.value), x(row.value ?? row.high)) + 6} y="18">
            ${texts[i].value}</text>`}
    </g>`)}
    ${line !== null && html`<line class="threshold" x1=${x(line)} x2=${x(line)} y1="0" y2=${height} />`}
  <//>${rows.length > MOST_BARS && html`<p class="quiet">
    The first ${MOST_BARS} of ${rows.length} are drawn.</p>`}</div>`;
}

function Whisker({ low, high, y }) {
  return Number.isFinite(low) && Number.isFinite(high) && html`<g class="whisker">
    <line x1=${low} x2=${high} y1=${y} y2=${y} />
    <line x1=${low} x2=${low} y1=${y - 5} y2=${Number(y) + 5} />
    <line x1=${high} x2=${high} y1=${y - 5} y2=${Number(y) + 5} /></g>`;
}

/** One value with its interval, on the scale of what it can be; dates in milliseconds. */
export function OnScale({ title, low, high, value, from, to, faint = false, isDate = false }) {
  const x = (at) => EDGE + ((Math.min(Math.max(at, low), high) - low) / (high - low)) * (WIDTH - 2 * EDGE);
  return html`<${Picture} title=${title} height=${64}>
    <${Axis} low=${low} high=${high} x=${x} height=${40} label=${isDate ? month : rounded} />
    <rect class=${faint ? 'expected' : 'interval'} y="10" height="20"
      x=${x(from)} width=${Math.max(2, x(to) - x(from))} />
    ${value !== null && html`<line class="value" x1=${x(value)} x2=${x(value)} y1="4" y2="36" />`}
  <//>`;
}

/** Quantiles of numbers or dates as the steps of a cumulative distribution, with the intervals of their values. */
export function Steps({ title, quantiles, low, high }) {
  const height = 220;
  const isDate = typeof quantiles[0].value === 'string';
  const x = (value) => 40 + (((isDate ? new Date(value) : value) - low) / (high - low)) * (WIDTH - 60);
  const y = (share) => height - share * height;
  let path = `M ${x(low)} ${y(0)}`;
  for (const each of quantiles) {
    path += ` H ${x(each.value)} V ${y(each.probability)}`;
  }
  return html`<${Picture} title=${title} height=${height + 30}>
    <${Axis} low=${low} high=${high} x=${x} height=${height} label=${isDate ? month : rounded} />
    ${[0, 0.5, 1].map((share) => html`<text x="4" y=${Math.max(12, y(share))}>${share * 100} %</text>`)}
    <path class="steps" d=${`${path} H ${x(high)} V ${y(1)}`} />
    ${quantiles.map(({ interval, probability }) => html`<${Whisker} y=${y(probability)}
      low=${x(interval.low)} high=${x(interval.high)} />`)}
  <//>`;
}

/** Places for texts near these heights, so far from each other that no two texts overlap. */
export function apart(heights, distance) {
  const order = heights.map((unused, i) => i).sort((one, other) => heights[other] - heights[one]);
  const placed = [];
  let last = Infinity;
  for (const i of order) {
    last = Math.min(heights[i], last - distance);
    placed[i] = last;
  }
  return placed;
}

/** The most analysts with a line: the analysts who spent the most. The table has all. */
const MOST_LINES = 6;

/**
 * What is left of a budget over time: points [{at, left}], at in milliseconds, ascending; and lines [[name, points]] of
 * what each analyst spent.
 */
export function BurnDown({ title, points, lines, limit, unit, forecast = null }) {
  const height = 200;
  const [first, last] = span([points[0].at, points.at(-1).at, forecast?.at ?? points.at(-1).at]);
  const x = (at) => 40 + ((at - first) / (last - first)) * (WIDTH - 60);
  const y = (left) => height - (left / limit) * (height - 8);
  const path = ([{ at, left }, ...others]) =>
    `M ${x(at)} ${y(left)}` + others.map((point) => ` H ${x(point.at)} V ${y(point.left)}`).join('');
  const now = points.at(-1).at;
  const isLate = x(now) > WIDTH / 2;
  const drawn = [...lines].sort(([, one], [, other]) => other.at(-1).left - one.at(-1).left).slice(0, MOST_LINES);
  const names = [['left', points], ...drawn];
  const at = apart(names.map(([, line]) => y(line.at(-1).left) - 6), 15);
  return html`<${Picture} title=${title} height=${height + 66}><g transform="translate(0 18)">
    <text x="4" y="-4">${unit}</text>
    ${ticks(0, limit).map((each) => html`<g class="axis"><line x1="40" x2=${WIDTH - 20} y1=${y(each)} y2=${y(each)} />
      <text x="34" y=${y(each) + 4} text-anchor="end">${rounded(each)}</text></g>`)}
    <path class="steps" d=${path(points)} />
    ${drawn.map(([, line], i) => html`<path class=${`steps line-${1 + (i % 3)}`}
        d=${path([{ at: line[0].at, left: 0 }, ...line, { ...line.at(-1), at: now }])} />`)}
    ${names.map(([name], i) => html`<text class=${`name-${i === 0 ? 0 : 1 + ((i - 1) % 3)}`} y=${at[i]}
      x=${x(now) + (isLate ? -4 : 4)} text-anchor=${isLate ? 'end' : 'start'}>
      ${i === 0 ? name : `${name} spent`}</text>`)}
    ${forecast && html`<line class="threshold" x1=${x(now)} y1=${y(points.at(-1).left)}
      x2=${x(forecast.at)} y2=${y(forecast.left)} />`}
    <text x="40" y=${height + 20}>${day(first)}</text>
    <text x=${WIDTH - 20} y=${height + 20} text-anchor="end">${day(last)}</text>
    <text x=${WIDTH / 2} y=${height + 40} text-anchor="middle">
      time${forecast ? '; dashed: at the present pace' : ''}</text>
  </g><//>`;
}

const month = (at) => new Date(at).toISOString().slice(0, 7);
const day = (at) => new Date(at).toLocaleDateString('en-GB', { dateStyle: 'medium' });
