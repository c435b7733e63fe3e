/** Says in words what a guarantee means. */
import { below, isMore, minus, plus, rhoOf, spoken } from './amounts.js';

const ABOUT = {
  'add-or-remove-one': (who) => `whether ${who} is in the data`,
  'replace-one': (who) => `which of two things ${who} says`,
};

/** Whom a dataset protects: a row, or all rows of one unit. */
export function unit(privacyUnit, blocks) {
  const rows = privacyUnit.type === 'row'
    ? 'one row'
    : `one ${privacyUnit.column} with at most ${privacyUnit.maxRows} ${privacyUnit.maxRows === 1 ? 'row' : 'rows'}`;
  return blocks ? `${rows} of one ${block(blocks)}` : rows;
}

const block = ({ width, column }) => (['day', 'week', 'month'].includes(width) ? width : `block of ${column}`);

export function protection(dataset) {
  return `Protects ${unit(dataset.privacyUnit, dataset.blocks)}: `
    + (dataset.neighboringRelation === 'add-or-remove-one'
      ? 'its presence stays hidden, and so does the number of rows.'
      : 'what it says stays hidden. The number of units is public.');
}

/** What a guess of 50 : 50 about one person becomes at most: e^epsilon against 1. */
export function odds(epsilon) {
  const doubt = 100 / (1 + Math.exp(Number(epsilon)));
  const rest = doubt < 1e-6 ? '0' : doubt < 1 ? below(doubt, 2) : String(Math.floor(doubt));
  return `${doubt < 1e-6 ? 'almost ' : ''}${minus('100', rest)}\u00a0:\u00a0${rest}`;
}

/**
 * What such a guess becomes at most under zcdp, except with probability delta. The loss of an answer is above
 * rho + 2·√(rho·ln(2/delta)) with probability at most delta/2, by Markov's inequality at the best order (the proof of
 * lemma 3.5 in Bun and Steinke 2016), and as rarely below the negative of that.
 */
const concentrated = (rho, delta) => odds(Number(rho) + 2 * Math.sqrt(rho * Math.log(2 / delta)));

const EVEN = 'guess of 50\u00a0:\u00a050';
const exception = ({ budget: { delta } }) => `, except with probability ${delta}`;

/** How far one answer with this epsilon can move a guess about somebody. With a delta there are no such odds. */
export function sensible(dataset, delta) {
  const isConcentrated = dataset.accountant === 'zcdp';
  const [usual, much] = isConcentrated ? ['0.5', '1'] : ['1', '3'];
  const most = (epsilon) => (isConcentrated ? concentrated(rhoOf(epsilon), dataset.budget.delta) : odds(epsilon));
  return `For one answer, epsilon from 0.01 to ${usual} is usual, and above ${much} it hides little.`
    + (delta !== '0' ? '' : ` It moves a ${EVEN} to at most ${['0.01', '0.1', '0.5', '1', '3']
      .filter((epsilon) => !isMore(epsilon, much)).map((epsilon) => `${most(epsilon)} at ${epsilon}`).join(', ')}${
      isConcentrated ? exception(dataset) : ''}.`);
}

/**
 * The guarantee of one answer, and of all answers so far together with it. Answers without a delta are pure, and so are
 * all of them together.
 *
 * @param charge of the answer
 * @param spent before it, of the dataset, or of the block with the most spent
 */
export function guarantee(dataset, charge, spent) {
  const who = unit(dataset.privacyUnit, dataset.blocks);
  const moves = `A ${EVEN} about ${ABOUT[dataset.neighboringRelation](who)} moves to at most`;
  if (charge.rho) {
    return `${moves} ${concentrated(charge.rho, dataset.budget.delta)} through this answer${exception(dataset)}. Its `
      + `rho is ${charge.rho}, and all answers so far together have rho `
      + `${plus(spent.rho, charge.rho)}. The whole budget is ${spoken(dataset.budget)}: differential privacy with `
      + `epsilon ${dataset.budget.epsilon} at delta ${dataset.budget.delta}.${perBlock(dataset)}`;
  }
  const delta = plus(spent.delta, charge.delta);
  const epsilon = plus(spent.epsilon, charge.epsilon);
  if (delta === '0') {
    return `${moves} ${odds(charge.epsilon)} through this answer, and to at most ${odds(epsilon)} through all answers `
      + `so far together. This holds whoever reads them and whatever else they know.${perBlock(dataset)}`;
  }
  return `For ${who}, this answer is differentially private with epsilon ${charge.epsilon} at delta ${charge.delta}. `
    + `All answers so far together have epsilon ${epsilon} at delta ${delta}.${perBlock(dataset)}`;
}

/** What all answers so far can reveal, and what all answers within the budget can reveal. */
export function whole(dataset, spent, limit) {
  const who = unit(dataset.privacyUnit, dataset.blocks);
  return dataset.accountant === 'pure'
    ? `A guess of 50\u00a0:\u00a050 about ${ABOUT[dataset.neighboringRelation](who)} has moved to at most `
      + `${odds(spent.epsilon)} through all answers so far. The whole budget allows ${odds(limit.epsilon)}.`
      + perBlock(dataset)
    : `All answers so far together are differentially private with epsilon ${spent.epsilon} at delta `
      + `${limit.delta}, for ${who}. The whole budget allows epsilon ${limit.epsilon}.${perBlock(dataset)}`;
}

/** What all answers together can reveal within a limit. */
export function allowed(dataset, limit) {
  const who = unit(dataset.privacyUnit, dataset.blocks);
  return dataset.accountant === 'pure'
    ? `All answers together can move a guess of 50\u00a0:\u00a050 about ${ABOUT[dataset.neighboringRelation](who)} to `
      + `at most ${odds(limit.epsilon)}.${perBlock(dataset)}`
    : `All answers together are differentially private with epsilon ${limit.epsilon} at delta ${limit.delta}, for `
      + `${who}.${perBlock(dataset)}`;
}

/** The blocks of a question, or a run of equal ones. */
export const window = ({ from, to }) => (from === to ? from : `${from} to ${to}`);

function perBlock(dataset) {
  return dataset.blocks
    ? ` This is for each ${block(dataset.blocks)} by itself: whoever has rows in several can lose more.`
    : '';
}

/** Whether a dataset's rows belong to an account that another registration of them has to share. */
export const owes = ({ state, budget: { spent } }) => state === 'ready'
  || Object.values(spent).some((amount) => Number(amount) > 0);

export const ROLES = {
  administrator: 'may do everything',
  custodian: 'registers datasets, uploads rows and sets budgets, and asks no questions',
  analyst: 'asks questions about the datasets that are granted',
  viewer: 'reads what costs nothing',
  auditor: 'reads ledgers',
  collector: 'sends reports to collections',
  operator: 'reads health and metrics',
};

/** What a key may do, and until when. */
export function key(self) {
  const grants = self.datasets.includes('*') ? 'all datasets' : self.datasets.length === 0
    ? 'no datasets' : `the datasets ${self.datasets.join(', ')}`;
  const until = self.expiresAt === null ? 'It does not expire.' : `It expires on ${moment(self.expiresAt)}.`;
  return `You are ${self.name}. The role ${self.role} ${ROLES[self.role]}. The key is granted ${grants}. ${until}`;
}

/** An instant, as this browser's clock shows it. */
export const moment = (instant) =>
  new Date(instant).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export const STATES = {
  registered: 'waits for its rows', loading: 'rows arrive', ready: 'ready',
  failed: 'the upload failed: send the rows again, or register again',
  'not-ready': 'not ready',
};

/** What a dataset waits for. With blocks, each block waits by itself. */
export const state = (dataset) => (dataset.blocks && dataset.state === 'ready'
  ? 'divided into blocks' : STATES[dataset.state]);

const beginning = (letters, most) => `${letters.slice(0, most).join('')}…`;
const ending = (letters, most) => `…${letters.slice(letters.length - most).join('')}`;

function fitted(text, fits, part) {
  const letters = Array.from(text);
  let most = letters.length - 1;
  while (most > 0 && !fits(part(letters, most))) {
    most--;
  }
  return fits(text) ? text : part(letters, most);
}

/** Labels cut to fit, all at the same side, so that different labels stay different. Otherwise they get numbers. */
export function cut(labels, fits) {
  const differ = new Set(labels).size;
  return [beginning, ending].map((part) => labels.map((label) => fitted(label, fits, part)))
    .find((found) => new Set(found).size === differ)
    ?? labels.map((label, i) => fitted(`${i + 1}: ${label}`, fits, beginning));
}
