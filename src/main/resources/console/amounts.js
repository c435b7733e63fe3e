/**
 * Privacy amounts are exact decimals. They are read, added and compared as integers, never as binary fractions.
 */
const DIGITS = 18;

/** Whether the typed text is an amount, so that it can be compared and said in words. */
export const isAmount = (typed) => /^\d{1,7}(\.\d{1,18})?$/.test(typed);

/** A decimal such as "0.1", or a number such as 1e-7, as [units, power]: units times 10 to the power. */
function digits(stated) {
  const [, sign, whole, fraction, power] = /^(-?)(\d*)\.?(\d*)(?:e([-+]?\d+))?$/.exec(String(stated));
  return [BigInt(sign + whole + fraction), Number(power ?? 0) - fraction.length];
}

/** A decimal in units of 1e-18. */
export function exact(stated) {
  const [units, power] = digits(stated);
  const shift = DIGITS + power;
  return shift < 0 ? units / 10n ** BigInt(-shift) : units * 10n ** BigInt(shift);
}

/** The shortest decimal text of an amount. */
export function decimal(units) {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(DIGITS + 1, '0');
  const fraction = digits.slice(-DIGITS).replace(/0+$/, '');
  return sign + digits.slice(0, -DIGITS) + (fraction === '' ? '' : '.' + fraction);
}

export const plus = (a, b) => decimal(exact(a) + exact(b));
export const minus = (a, b) => decimal(exact(a) - exact(b));
export const isMore = (a, b) => exact(a) > exact(b);

/** The share of the whole that a part is, 0 to 1, to draw it. */
export function share(part, whole) {
  const all = exact(whole);
  return all === 0n ? 0 : Number((exact(part) * 10_000n) / all) / 10_000;
}

/** The name of the member that decides whether a charge fits: under zcdp rho, which adds up. */
export const unitOf = (amount) => (amount.rho ? 'rho' : 'epsilon');
export const deciding = (amount) => amount[unitOf(amount)];

/** An amount as a person reads it, in the unit of the amount that it is compared with. */
export function spoken(amount, beside = amount) {
  const delta = !amount.rho && [amount, beside].some((each) => each.delta && each.delta !== '0');
  return `${unitOf(amount)} ${deciding(amount)}${delta ? `, delta ${amount.delta}` : ''}`;
}

/** A limit as it was set: an epsilon and a delta, and the rho that they allow. */
export const spokenLimit = ({ rho, ...limit }) => spoken(limit) + (rho ? ` (rho ${rho})` : '');

/** The rho of one answer with this epsilon and no delta, to twelve digits rounded up: what it will be charged. */
export const rhoOf = (epsilon) => (Math.ceil(epsilon * Math.tanh(epsilon / 2) * 1e12) / 1e12).toFixed(12)
  .replace(/\.?0+$/, '');

/** A probability in percent, with all its digits. */
export const percent = (probability) => `${decimal(100n * exact(probability))} %`;
export const confidence = (beta) => percent(minus('1', beta));

/** Numbers have separators from five digits on: 2014 may be a year or a code. */
const written = (number, most) =>
  new Intl.NumberFormat('en', { useGrouping: 'min2', maximumFractionDigits: Math.max(0, most) }).format(number);

/** The power of ten of the last digit if a number is shown with this many digits; not below what a text can have. */
const lastOf = (number, most) =>
  (number === 0 ? -DIGITS : Math.max(-DIGITS, Math.floor(Math.log10(Math.abs(number))) + 1 - most));

/** A number in whole steps of a power of ten: down for -1, up for 1, to the nearest for 0. */
function stepped(number, power, direction) {
  const [units, last] = digits(number);
  if (last >= power) {
    return written(number, -last);
  }
  const step = 10n ** BigInt(power - last);
  const rest = ((units % step) + step) % step;
  const up = direction === 0 ? 2n * rest >= step : direction > 0 && rest > 0n;
  return written(`${(units - rest) / step + (up ? 1n : 0n)}e${power}`, -power);
}

const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);
const asText = (value) => (typeof value === 'string' ? value : '–');

/** A number with few digits, for labels; never for amounts. A date stays as it is. */
export const rounded = (value, most = 4) => (!isNumber(value) ? asText(value)
  : Number.isInteger(value) ? written(value, 0) : stepped(value, lastOf(value, most), 0));

/** A number rounded down. */
export const below = (value, most) => stepped(value, lastOf(value, most), -1);

/** How far an answer can be off, rounded up, so that the shown bound holds at least as surely. */
export const within = (alpha, most = 4) => (isNumber(alpha) ? stepped(alpha, lastOf(alpha, most), 1) : asText(alpha));

/**
 * A value and the ends of its interval as texts. The ends are rounded outwards, so that the shown interval contains the
 * true one. The number of digits follows the width: each end moves by less than a hundredth of the width.
 */
export function shown({ value, low, high }) {
  const sized = isNumber(low) && isNumber(high) ? lastOf(high - low, 3) : null;
  const text = (number, direction) => (isNumber(number)
    ? stepped(number, sized ?? lastOf(number, 4), direction) : asText(number));
  return { value: text(value, 0), low: text(low, -1), high: text(high, 1) };
}
