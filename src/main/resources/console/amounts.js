/**
 * Privacy amounts are exact decimals. They are read, added and compared as integers, never as binary fractions.
 */
const DIGITS = 18;

/** Whether what is typed is an amount, so that it can be compared and said in words. */
export const isAmount = (typed) => /^\d{1,7}(\.\d{1,18})?$/.test(typed);

/** A decimal such as "0.1", or a number such as 1e-7, in units of 1e-18. */
export function exact(stated) {
  const [, sign, whole, fraction, power] = /^(-?)(\d*)\.?(\d*)(?:e([-+]?\d+))?$/.exec(String(stated));
  const shift = DIGITS + Number(power ?? 0) - fraction.length;
  const digits = BigInt(sign + whole + fraction);
  return shift < 0 ? digits / 10n ** BigInt(-shift) : digits * 10n ** BigInt(shift);
}

/** The decimal with as few digits as it needs. */
export function decimal(units) {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(DIGITS + 1, '0');
  const fraction = digits.slice(-DIGITS).replace(/0+$/, '');
  return sign + digits.slice(0, -DIGITS) + (fraction === '' ? '' : '.' + fraction);
}

export const plus = (a, b) => decimal(exact(a) + exact(b));
export const minus = (a, b) => decimal(exact(a) - exact(b));
export const isMore = (a, b) => exact(a) > exact(b);

/** How much of the whole a part is, 0 to 1, to draw it. */
export function share(part, whole) {
  const all = exact(whole);
  return all === 0n ? 0 : Number((exact(part) * 10_000n) / all) / 10_000;
}

/** An amount as a person reads it; under zcdp the comparison is on rho. */
export function spoken(amount) {
  const delta = amount.delta && amount.delta !== '0' ? `, delta ${amount.delta}` : '';
  return `epsilon ${amount.epsilon}${delta}${amount.rho ? ` (rho ${amount.rho})` : ''}`;
}

/** The member that decides whether a charge fits. */
export const deciding = (amount) => amount.rho ?? amount.epsilon;

/** A probability in percent, with all its digits. */
export const percent = (probability) => `${decimal(100n * exact(probability))} %`;
export const confidence = (beta) => percent(minus('1', beta));

/** A number with few digits, for labels; never for amounts. A date stays as it is. */
export function rounded(value, digits = 4) {
  const number = Number(value ?? NaN);
  if (!Number.isFinite(number)) {
    return typeof value === 'string' ? value : '–';
  }
  return Number.isInteger(number)
    ? number.toLocaleString('en')
    : Number(number.toPrecision(digits)).toLocaleString('en', { maximumSignificantDigits: digits });
}
