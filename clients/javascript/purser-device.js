/**
 * Randomizes a value on the device that owns it, before it is sent to a collection of a Purser server. For any two
 * values and any set of reports, the probabilities of a report in that set differ by a factor of at most e^epsilon.
 * This bounds what any reader of the report learns, the collector included.
 *
 * The guarantee is for one report. The epsilons of all reports of one device add up; {@link EpsilonCounter} counts
 * them. Nothing is promised to a device that repeats a report with fresh noise without counting it, and no
 * amplification by shuffling is claimed.
 *
 * Reports are drawn in integers of any size from the system's cryptographic random source. The only floating-point
 * steps are the place of a value in its public range, and a check of an epsilon; no draw depends on their rounding.
 * docs/devices.md describes every part below by the same name and version.
 *
 * @module purser-device
 */

/**
 * @typedef {{ n: bigint, d: bigint }} Rational n/d, at least 0
 * @typedef {Record<string, any>} Constants of a protocol document: integers, and rationals as "n/d"
 * @typedef {Record<string, any>} Report as the collection takes it, here without its reportId
 * @typedef {{ part?: number, parts?: number[], level?: number, levels?: number[], category?: number }} Place of a
 *     value: what a randomizer reads, in integers
 * @typedef {{
 *   nanos: bigint,
 *   place: (value: unknown, level?: number | number[]) => Place,
 *   draw: (place: Place, bits: RandomBits) => Report,
 * }} Randomizer with the epsilon of one whole report in units of 1e-9, rounded up
 * @typedef {{
 *   id: string,
 *   range?: { lower: number, upper: number } | null,
 *   dimensions?: number,
 *   categories?: string[] | null,
 *   model?: "linear" | "logistic",
 *   features?: number,
 *   parameters?: number[],
 *   guarantee: { epsilon: string },
 *   device: {
 *     randomizer: string,
 *     version: number,
 *     constants: Constants,
 *     testVectors: { value: Place, randomness: string, report: Report }[],
 *   },
 * }} ProtocolDocument the reply to GET /v1/collections/{id} or to GET /v1/trainings/{id}; other members are not read
 * @typedef {{ getItem(key: string): string | null, setItem(key: string, text: string): void }} SyncStorage such as
 *     localStorage: durable, and done when the call returns
 */

// ---------------------------------------------------------------------------------------------------------------------
// What a program calls
// ---------------------------------------------------------------------------------------------------------------------

/**
 * Documents that have passed, each with a copy that is used in its place: a later change of the document has no effect.
 *
 * @type {WeakMap<ProtocolDocument, { copy: ProtocolDocument, randomizer: Randomizer }>}
 */
const verified = new WeakMap();

/**
 * Checks that this module and the document mean the same randomizer: every test vector gives its report, bit for bit.
 * Checks also that the randomizer's epsilon, recomputed here from the constants, is not above the epsilon that the
 * document states, and that range, dimensions, categories and divisions fit the constants, so that every value has a
 * place.
 *
 * @param {ProtocolDocument} document
 * @throws {Error} on any difference
 */
export function verify(document) {
    const copy = structuredClone(document);
    const { constants, testVectors } = copy.device;
    const title = `${copy.device.randomizer}/${copy.device.version}`;
    const randomizerOf = RANDOMIZERS[title];
    if (randomizerOf === undefined) {
        throw new Error(`this device does not know the randomizer ${title}`);
    }
    check(typeof copy.id === "string", "an id as text");
    const randomizer = randomizerOf(constants, copy);
    if (randomizer.nanos > nanosOf(copy.guarantee.epsilon)) {
        throw new Error(`the constants give an epsilon of ${decimal(randomizer.nanos)}, above the stated one`);
    }
    if (!Array.isArray(testVectors) || testVectors.length === 0) {
        throw new Error("the document has no test vectors");
    }
    testVectors.forEach((vector, index) => {
        const bytes = bytesOf(vector.randomness);
        const drawn = randomizer.draw(vector.value, new RandomBits(bytes));
        if (canonical(drawn) !== canonical(vector.report)) {
            throw new Error(`test vector ${index} gives another report: ${canonical(drawn)}`);
        }
        if (!bytes.next().done) {
            throw new Error(`test vector ${index} needs less randomness than it has`);
        }
    });
    verified.set(document, { copy, randomizer });
}

/** @param {ProtocolDocument} document */
function verifiedOf(document) {
    const passed = verified.get(document);
    if (passed === undefined) {
        throw new Error("a document is used after verify(document) only");
    }
    return passed;
}

/**
 * Draws a fresh report. A device that may be asked again uses {@link EpsilonCounter#report} instead.
 *
 * Every value gives a report, because silence would reveal that a value is outside of what the server asked for. A
 * value that is no number counts as the middle of the range. A category that is not listed counts as the last one.
 *
 * @param {ProtocolDocument} document that {@link verify} has passed
 * @param {number | number[] | string} value a number, which is clamped to the range; as many numbers as dimensions, or
 *     as a training has parameters; or the name of a category
 * @param {{ level?: number | number[] }} [options] the privacy level, from 1, or the level of each coordinate.
 *     Multilevel Laplace makes it public and requires it: choose it without looking at the value. Elsewhere it is
 *     private, is moved into the document's levels, and is by default the level of the value's division, or 1 without
 *     divisions.
 * @returns {Report & { reportId?: string }} without a reportId for a training: a ticket takes its place
 */
export function report(document, value, options = {}) {
    const { copy, randomizer } = verifiedOf(document);
    const drawn = randomizer.draw(randomizer.place(value, options.level), new RandomBits(freshBytes()));
    return copy.features === undefined ? { reportId: crypto.randomUUID(), ...drawn } : drawn;
}

/**
 * The gradient of a device's own loss at the parameters of a training, ready to be reported: each coordinate clipped to
 * [-1, 1].
 *
 * @param {ProtocolDocument} document of a training, that {@link verify} has passed
 * @param {number[]} features as many as the document says, each clamped to [-1, 1]; a missing feature counts as 0
 * @param {number} target of [-1, 1], or 0 or 1 of a logistic model
 * @returns {number[]} one number for each feature, then the number of the intercept
 */
export function gradient(document, features, target) {
    const { model, features: count, parameters } = verifiedOf(document).copy;
    check(["linear", "logistic"].includes(model) && parameters?.length === count + 1, "a model and its parameters");
    const inputs = Array.from({ length: count }, (_, j) => clamped(features?.[j], -1, 1, 0)).concat(1);
    const product = inputs.reduce((sum, input, j) => sum + input * parameters[j], 0);
    const aim = clamped(target, -1, 1, 0);
    const slope = model === "linear" ? 2 * (product - aim) : 1 / (1 + Math.exp(-product)) - aim;
    return inputs.map((input) => clamped(slope * input, -1, 1, 0));
}

/**
 * Sends reports to their collection. A report that was received before is not counted again, so a failed call can be
 * repeated with the same reports.
 *
 * @param {string} url of the server, without a slash at its end
 * @param {string} key of a collector
 * @param {string} id of the collection or training
 * @param {Report[]} reports with a ticket each, if to a training
 * @param {number} [round] of a training
 * @returns {Promise<{ accepted: number, duplicates: number, unused?: number }>}
 * @throws {Error} if the server refused the reports: it then took none of them
 */
export async function send(url, key, id, reports, round) {
    const kind = round === undefined ? "collections" : "trainings";
    const response = await fetch(`${url}/v1/${kind}/${encodeURIComponent(id)}/reports`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify({ round, reports }),
    });
    if (!response.ok) {
        throw new Error(`the reports were refused with ${response.status}: ${await response.text()}`);
    }
    return response.json();
}

/**
 * Adds up the epsilons of all collections and trainings that this device answers, and refuses a report beyond a
 * ceiling. The counter knows a collection by its id. Asked again for the same id, it gives the stored report,
 * whatever the value is.
 *
 * A report is stored before it is returned. If the device stops in between, the stored report is what it sends later.
 * If it cannot be stored, the call fails and nothing was spent. The counter forgets what its storage forgets.
 */
export class EpsilonCounter {
    static #KEY = "purser-device";

    #ceiling;
    #storage;

    /**
     * @param {string} ceiling of the sum of epsilons, a decimal such as "2.5"
     * @param {SyncStorage} storage used by one counter at a time
     */
    constructor(ceiling, storage) {
        this.#ceiling = nanosOf(ceiling);
        this.#storage = storage;
    }

    /** The sum of the epsilons of all collections answered so far, a decimal. */
    get spent() {
        return decimal(sumOfNanos(this.#answers()));
    }

    /**
     * The report to a collection: the stored one, or a fresh one that is charged and stored.
     *
     * @param {ProtocolDocument} document
     * @param {number | number[] | string} value
     * @param {{ level?: number | number[] }} [options]
     * @returns {Report & { reportId?: string }}
     * @throws {RangeError} if the sum of the epsilons of this report and of all before it is above the ceiling
     */
    report(document, value, options) {
        const { id, guarantee } = verifiedOf(document).copy;
        const answers = this.#answers();
        const earlier = answers.find(({ collection }) => collection === id);
        if (earlier !== undefined) {
            return earlier.report;
        }
        const answer = { collection: id, epsilon: guarantee.epsilon };
        const all = sumOfNanos([...answers, answer]);
        if (all > this.#ceiling) {
            throw new RangeError(`with this report, epsilon ${decimal(all)} would pass ${decimal(this.#ceiling)}`);
        }
        const fresh = report(document, value, options);
        this.#storage.setItem(EpsilonCounter.#KEY, JSON.stringify([...answers, { ...answer, report: fresh }]));
        return fresh;
    }

    #answers() {
        return JSON.parse(this.#storage.getItem(EpsilonCounter.#KEY) ?? "[]");
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The randomizers, by name and version
// ---------------------------------------------------------------------------------------------------------------------

/**
 * From constants to a randomizer. Constants come from a server that the device does not trust. Each randomizer checks
 * the constants on which its epsilon depends, and that every value has a place. Other constants change the accuracy
 * only.
 *
 * @type {Record<string, (constants: Constants, document: ProtocolDocument) => Randomizer>}
 */
const RANDOMIZERS = {
    "grr/1": (constants, document) =>
        oneCategory(constants, document, (own, count, epsilon, bits) => ({
            category: document.categories[Number(randomizedResponse(own, count, epsilon, bits))],
        })),
    "oue/1": (constants, document) => oneCategory(constants, document, unaryEncoding),
    "olh/1": (constants, document) => oneCategory(constants, document, localHashing(constants)),
    "hadamard/1": (constants, document) => oneCategory(constants, document, hadamardResponse(constants)),
    "harmony/1": (constants, document) => sampledCoordinates(constants, document, signs(constants), ([only]) => only),
    "piecewise/1": (constants, document) =>
        sampledCoordinates(constants, document, points(constants), (coordinates) => ({ coordinates })),
    "hybrid/1": (constants, document) =>
        sampledCoordinates(constants, document, signsOrPoints(constants), (coordinates) => ({ coordinates })),
    "laplace/1": (constants, document) => {
        const { nanos, draw } = noisyValues(constants.width, constants.scale);
        const { partOf } = numbers(constants, document);
        return {
            nanos,
            place: (value) => ({ part: partOf(value) }),
            draw: ({ part }, bits) => ({ noisy: draw(part, bits) }),
        };
    },
    "multilevel-laplace/1": (constants, document) => {
        if (constants.divisions) {
            throw new RangeError("a public level that follows from the value would reveal it");
        }
        const levels = constants.levels.map(({ scale }) => noisyValues(constants.width, scale));
        const { partOf } = numbers(constants, document);
        return {
            nanos: levels.map(({ nanos }) => nanos).reduce((most, nanos) => (nanos > most ? nanos : most)),
            place: (value, level) => ({ part: partOf(value), level }),
            draw: ({ level, part }, bits) => ({ level, noisy: ofLevel(levels, level).draw(part, bits) }),
        };
    },
    "hiera/1": leveledNumber,
    "lhp/1": leveledNumber,
    "hiera-coordinate/1": leveledCoordinate,
};

/** A category, by its index. Its epsilon does not depend on what the category is hashed to, or on the matrix. */
function oneCategory(constants, { categories, range }, draw) {
    const count = integer(constants.categories, 2n);
    const epsilon = rational(constants.epsilon);
    check(
        Array.isArray(categories) &&
            categories.length === Number(count) &&
            categories.every((each) => typeof each === "string") &&
            new Set(categories).size === categories.length &&
            !range,
        `${count} different categories, and no range`,
    );
    return {
        nanos: nanosUp(epsilon),
        // The last category stands for all categories that are not listed.
        place: (value) => ({ category: (categories.indexOf(value) + categories.length) % categories.length }),
        draw: ({ category }, bits) => draw(integer(category, 0n, count - 1n), count, epsilon, bits),
    };
}

/** oue/1: a bit for each category. The own category's bit is fair. Each other bit is 1 with 1/(e^epsilon + 1). */
function unaryEncoding(own, count, epsilon, bits) {
    const ones = Array.from({ length: Number(count) }, () => logisticBernoulli(epsilon, bits));
    // The own bit was drawn like the others and is replaced, so that the draws and their number do not depend on it.
    ones[Number(own)] = bits.next(1) === 1n;
    const digits = ones.map((one) => (one ? "1" : "0")).join("");
    return { bits: digits.replace(/.{1,4}/g, (four) => Number.parseInt(four.padEnd(4, "0"), 2).toString(16)) };
}

/** olh/1: a random hash function, and the own category's hash by randomized response. */
function localHashing(constants) {
    const prime = integer(Number(constants.prime), 2n);
    const values = integer(constants.values, 2n);
    return (own, _, epsilon, bits) => {
        const multiplier = uniformInteger(prime, bits);
        const shift = uniformInteger(prime, bits);
        const hash = (((multiplier * own + shift) % prime) * values) / prime;
        const value = randomizedResponse(hash, values, epsilon, bits);
        return { multiplier: Number(multiplier), shift: Number(shift), value: Number(value) };
    };
}

/** hadamard/1: a random row of a Hadamard matrix, and the own column's entry in it as one sign. */
function hadamardResponse(constants) {
    const size = integer(constants.size, 2n);
    return (own, _, epsilon, bits) => {
        const row = uniformInteger(size, bits);
        const common = (row & (own + 1n)).toString(2).replaceAll("0", "").length;
        return { row: Number(row), sign: harmony(1 - (common % 2), 1n, epsilon, bits) };
    };
}

/** sampled-coordinates/1: the only number, or some of several, each at the same epsilon. */
function sampledCoordinates(constants, document, draw, join) {
    const { dimensions, partOf } = numbers(constants, document);
    const sampled = integer(constants.sampled ?? 1, 1n, dimensions);
    const { n, d } = rational(constants.epsilon);
    return {
        nanos: nanosUp({ n: n * sampled, d }),
        place: (value) =>
            dimensions === 1n
                ? { part: partOf(value) }
                : { parts: Array.from({ length: Number(dimensions) }, (_, j) => partOf(value?.[j])) },
        draw({ part, parts, levels }, bits) {
            if (dimensions === 1n) {
                return draw({ part }, bits);
            }
            const subset = uniformSubset(sampled, dimensions, bits);
            return join(subset.map((j) => ({ coordinate: j, ...draw({ part: parts[j], level: levels?.[j] }, bits) })));
        },
    };
}

/** harmony/1: a number as one sign. */
function signs(constants) {
    const width = integer(constants.width, 1n);
    const epsilon = rational(constants.epsilon);
    return ({ part }, bits) => ({ sign: harmony(part, width, epsilon, bits) });
}

/** piecewise/1: a number as one of many points. Each point of a band is e^epsilon times as probable as the others. */
function points(constants) {
    const width = integer(constants.width, 1n);
    const epsilon = rational(constants.epsilon);
    const count = integer(constants.points, 2n);
    // A band that passed the last point would be wider for some values than for others, and lose more than epsilon.
    const band = integer(constants.band, 1n, count - 1n);
    return ({ part }, bits) => {
        const start = roundedAtRandom(part, width, count - band, bits);
        while (true) {
            const candidate = uniformInteger(count, bits);
            const accepted = exponentialBernoulli(epsilon, bits);
            if (accepted || (candidate >= start && candidate < start + band)) {
                return { point: Number(candidate) };
            }
        }
    };
}

/** hybrid/1: a sign with probability exp(-signExponent), else a point. The choice does not depend on the value. */
function signsOrPoints(constants) {
    const exponent = rational(constants.signExponent);
    const sign = signs(constants);
    if (exponent.n === 0n) {
        return sign;
    }
    const point = points(constants);
    return (place, bits) => (exponentialBernoulli(exponent, bits) ? sign(place, bits) : point(place, bits));
}

/** laplace/1: a number plus noise, in grid steps above the lower end of the range. Its epsilon is width/scale. */
function noisyValues(wholeWidth, scaleText) {
    const width = integer(wholeWidth, 1n);
    const scale = rational(scaleText);
    if (scale.n === 0n) {
        throw new RangeError("noise of scale 0 hides nothing");
    }
    return {
        nanos: nanosUp({ n: width * scale.d, d: scale.n }),
        draw: (part, bits) => Number(within(part, width) + discreteLaplace(scale, bits)),
    };
}

/** leveled-response/1: a private level at the epsilon of that level, and a sign at the epsilon of the level drawn. */
function leveledResponse(constants) {
    const width = integer(constants.width, 1n);
    const levels = constants.levels.map(({ levelEpsilon, signEpsilon }) => ({
        own: rational(levelEpsilon),
        sign: rational(signEpsilon),
    }));
    const count = integer(levels.length, 2n);
    return {
        nanos: leveledLossNanos(levels),
        /** The level of a device, moved into the existing levels; the first level if the device has none. */
        levelOf: (level) => Math.trunc(clamped(level, 1, levels.length, 1)),
        // The test vectors of coordinates have no level, and mean the first.
        draw({ level = 1, part }, bits) {
            const { own } = ofLevel(levels, level);
            const drawn = randomizedResponse(BigInt(level - 1), count, own, bits);
            return { level: Number(drawn) + 1, sign: harmony(part, width, levels[Number(drawn)].sign, bits) };
        },
    };
}

/** hiera/1 and lhp/1 of one number. Its level is by default the level of its division. */
function leveledNumber(constants, document) {
    const { nanos, draw, levelOf } = leveledResponse(constants);
    const { partOf } = numbers(constants, document);
    const ofDivision = divisionsOf(constants);
    const place = (part, level) => ({ part, level: levelOf(level ?? ofDivision(part)) });
    return { nanos, place: (value, level) => place(partOf(value), level), draw };
}

/** hiera-coordinate/1: one of several numbers by hiera/1. Each number has a level of its own. */
function leveledCoordinate(constants, document) {
    check(constants.dimensions > 1 && constants.sampled === 1, "one sampled coordinate of several");
    const { nanos, draw, levelOf } = leveledResponse(constants);
    const one = sampledCoordinates(constants, document, draw, ([only]) => only);
    return {
        nanos,
        place(value, level) {
            const { parts } = one.place(value);
            return { parts, levels: parts.map((_, j) => levelOf(Array.isArray(level) ? level[j] : level)) };
        },
        draw: one.draw,
    };
}

/** The largest log ratio of a report's probabilities, over all levels and values of two devices. */
function leveledLossNanos(levels) {
    const own = levels.map((level) => Number(level.own.n) / Number(level.own.d));
    const sign = levels.map((level) => Number(level.sign.n) / Number(level.sign.d));
    const logTotal = own.map((epsilon) => epsilon + Math.log1p((levels.length - 1) * Math.exp(-epsilon)));
    let loss = 0;
    for (const one of own.keys()) {
        for (const other of own.keys()) {
            for (const drawn of own.keys()) {
                const ofLevels = (one === drawn ? own[one] : 0) - (other === drawn ? own[other] : 0);
                loss = Math.max(loss, sign[drawn] + ofLevels + logTotal[other] - logTotal[one]);
            }
        }
    }
    // The double is off by less than a hundredth of a nano-epsilon, which must not make a stated loss look too small.
    return BigInt(Math.ceil(loss * 1e9 - 0.01));
}

function ofLevel(levels, level) {
    if (!Number.isInteger(level) || level < 1 || level > levels.length) {
        throw new RangeError(`options.level must be a level, from 1 to ${levels.length}`);
    }
    return levels[level - 1];
}

// ---------------------------------------------------------------------------------------------------------------------
// Their parts
// ---------------------------------------------------------------------------------------------------------------------

/** Harmony: rounds the value to -1 or 1 at random, with the value as expectation, and keeps that sign or not. */
function harmony(part, width, epsilon, bits) {
    const rounded = roundedAtRandom(part, width, 1n, bits);
    return randomizedResponse(rounded, 2n, epsilon, bits) === 1n ? 1 : -1;
}

/** randomized-response/1: of the integers below count, the truth is e^epsilon times as probable as any other. */
function randomizedResponse(truth, count, epsilon, bits) {
    while (true) {
        const candidate = uniformInteger(count, bits);
        // The truth gets a coin toss too, so that the draws and their number do not depend on it.
        const accepted = exponentialBernoulli(epsilon, bits);
        if (accepted || candidate === truth) {
            return candidate;
        }
    }
}

/** stochastic-rounding/1: steps * part / width, rounded to one of the integers around it, with exact expectation. */
function roundedAtRandom(part, width, steps, bits) {
    const product = within(part, width) * steps;
    const above = uniformInteger(width, bits) < product % width;
    return product / width + (above ? 1n : 0n);
}

/** uniform-subset/1: some of the integers below a number, in ascending order (Floyd's algorithm). */
function uniformSubset(size, below, bits) {
    const subset = new Set();
    for (let last = below - size; last < below; last++) {
        const candidate = uniformInteger(last + 1n, bits);
        subset.add(subset.has(candidate) ? last : candidate);
    }
    return [...subset].map(Number).sort((one, other) => one - other);
}

/** discrete-laplace/1: an integer x with probability proportional to exp(-|x| / scale). */
function discreteLaplace(scale, bits) {
    while (true) {
        const magnitude = exponentialFloor(scale, bits);
        const negative = bits.next(1) === 1n;
        // Without -0 refused, zero would count twice.
        if (!negative || magnitude !== 0n) {
            return negative ? -magnitude : magnitude;
        }
    }
}

/** exponential-bernoulli/1: true with probability exp(-exponent). */
function exponentialBernoulli({ n, d }, bits) {
    return n === 0n || exponentialFloor({ n: d, d: n }, bits) > 0n;
}

/** logistic-bernoulli/1: true with probability 1 / (exp(exponent) + 1). */
function logisticBernoulli(exponent, bits) {
    while (true) {
        if (bits.next(1) === 0n) {
            return false;
        }
        if (exponentialBernoulli(exponent, bits)) {
            return true;
        }
    }
}

/**
 * exponential-floor/1: the integer part of X * multiple for a real X with density exp(-x), which is geometric. X is
 * v + U. The uniform U is kept with probability exp(-U), and v counts the draws that were not kept (von Neumann 1951).
 */
function exponentialFloor(multiple, bits) {
    for (let v = 0n; ; v++) {
        const u = new LazyUniform(bits);
        let kept = true;
        let last = u;
        let next = new LazyUniform(bits);
        while (next.isBelow(last)) {
            kept = !kept;
            last = next;
            next = new LazyUniform(bits);
        }
        if (kept) {
            return u.floorOfMultiple(v, multiple);
        }
    }
}

/** lazy-uniform/1: a uniform real number of [0, 1). Only the binary places that decide are drawn. */
class LazyUniform {
    static #PLACES_AT_A_TIME = 62;

    #bits;
    #digits = 0n;
    #places = 0n;

    /** @param {RandomBits} bits */
    constructor(bits) {
        this.#bits = bits;
        this.#extend();
    }

    #extend() {
        const places = LazyUniform.#PLACES_AT_A_TIME;
        this.#digits = (this.#digits << BigInt(places)) | this.#bits.next(places);
        this.#places += BigInt(places);
    }

    /** @param {LazyUniform} other */
    isBelow(other) {
        while (true) {
            while (this.#places < other.#places) {
                this.#extend();
            }
            while (other.#places < this.#places) {
                other.#extend();
            }
            if (this.#digits !== other.#digits) {
                return this.#digits < other.#digits;
            }
            this.#extend();
        }
    }

    /** floor((v + this) * n / d) */
    floorOfMultiple(v, { n, d }) {
        while (true) {
            // The number lies in [low, low + n) / unit.
            const low = ((v << this.#places) + this.#digits) * n;
            const unit = d << this.#places;
            if ((low % unit) + n <= unit) {
                return low / unit;
            }
            this.#extend();
        }
    }
}

/** uniform-integer/1: an integer of [0, bound). */
function uniformInteger(bound, bits) {
    if (bound === 1n) {
        return 0n;
    }
    const count = (bound - 1n).toString(2).length;
    while (true) {
        const candidate = bits.next(count);
        if (candidate < bound) {
            return candidate;
        }
    }
}

/** random-bits/1: a string of bits, read from the left. */
class RandomBits {
    #bytes;
    #read = 0n;
    #size = 0;

    /** @param {Iterator<number>} bytes */
    constructor(bytes) {
        this.#bytes = bytes;
    }

    /**
     * @param {number} count
     * @returns {bigint} the next bits as an unsigned integer, the first one the most significant
     */
    next(count) {
        while (this.#size < count) {
            const { value, done } = this.#bytes.next();
            if (done) {
                throw new Error("the randomness ends before the report is drawn");
            }
            this.#read = (this.#read << 8n) | BigInt(value);
            this.#size += 8;
        }
        this.#size -= count;
        const next = this.#read >> BigInt(this.#size);
        this.#read = BigInt.asUintN(this.#size, this.#read);
        return next;
    }
}

/** Bytes of the system's cryptographic random source. */
function* freshBytes() {
    const buffer = new Uint8Array(512);
    while (true) {
        yield* crypto.getRandomValues(buffer);
    }
}

/** The bytes of a test vector. */
function* bytesOf(hex) {
    for (let at = 0; at < hex.length; at += 2) {
        yield Number.parseInt(hex.slice(at, at + 2).padEnd(2, "0"), 16);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Values and numbers
// ---------------------------------------------------------------------------------------------------------------------

/** The limit of the server's own ranges. Far beyond this limit, the length of a range would be infinite. */
const MOST = 1e15;

/** How many numbers a value has, and the place of a number in grid steps above the lower end of its public range. */
function numbers({ width, dimensions = 1 }, document) {
    const { lower, upper } = rangeOf(document, dimensions);
    const middle = Math.floor(width / 2);
    return {
        dimensions: integer(dimensions, 1n),
        partOf: (value) =>
            typeof value === "number"
                ? clamped(Math.round(((value - lower) / (upper - lower)) * width), 0, width, middle)
                : middle,
    };
}

/** The range of a collection's numbers, or of the coordinates of a training's gradient. */
function rangeOf({ range, categories, features, dimensions }, stated) {
    check(!categories, "no categories");
    if (features !== undefined) {
        check(integer(features, 1n) + 1n === BigInt(stated) && !range, "a dimension more than features, and no range");
        return { lower: -1, upper: 1 };
    }
    check((dimensions ?? stated) === stated, `${stated} dimensions, as its constants say`);
    const { lower, upper } = range ?? {};
    check(
        [lower, upper].every(Number.isFinite) && -MOST <= lower && lower < upper && upper <= MOST,
        `a range from a lower to an upper number, within ±${MOST}`,
    );
    return range;
}

/** From a part to its level, the first without divisions. Divisions are the levels' limits, up or down. */
function divisionsOf({ width, levels, divisions }) {
    if (!divisions) {
        return () => 1;
    }
    const up = divisions[0] === 0;
    const ends = up ? divisions : [...divisions].reverse();
    check(
        ends.length === levels.length + 1 &&
            ends[0] === 0 &&
            ends.at(-1) === width &&
            ends.every((end, i) => i === 0 || (Number.isSafeInteger(end) && ends[i - 1] <= end)),
        `divisions from 0 to ${width} or back, one more than levels`,
    );
    return (part) => 1 + divisions.slice(1, -1).filter((end) => (up ? end <= part : end > part)).length;
}

/** A value that is no number counts as the middle value. */
function clamped(value, least, most, middle) {
    return typeof value !== "number" || Number.isNaN(value) ? middle : Math.min(Math.max(value, least), most);
}

/** Whether the structure of the document leaves no value without a report. */
function check(holds, needed) {
    if (!holds) {
        throw new RangeError(`the document needs ${needed}`);
    }
}

/** @returns {bigint} */
function integer(value, least, most = value) {
    if (!Number.isSafeInteger(value) || value < least || value > most) {
        throw new RangeError(`the document has ${value} where it needs an integer from ${least}`);
    }
    return BigInt(value);
}

function within(part, width) {
    return integer(part, 0n, width);
}

/** @returns {Rational} of text such as "1/3" */
function rational(text) {
    const [, n, d] = /^(\d{1,50})\/([1-9]\d{0,49})$/.exec(text) ?? [];
    if (d === undefined) {
        throw new RangeError(`the document has ${text} where it needs a fraction n/d`);
    }
    return { n: BigInt(n), d: BigInt(d) };
}

const NANOS_PER_UNIT = 1_000_000_000n;

/** An epsilon in units of 1e-9, rounded up. */
function nanosUp({ n, d }) {
    return (n * NANOS_PER_UNIT + d - 1n) / d;
}

/** @returns {bigint} the exact number of nano-epsilon of a plain decimal */
function nanosOf(epsilon) {
    const [, whole, fraction = ""] = /^(0|[1-9]\d{0,6})(?:\.(\d{1,9}))?$/.exec(epsilon) ?? [];
    if (whole === undefined) {
        throw new RangeError("an epsilon must be a decimal with at most 9 fraction digits, as text");
    }
    return BigInt(whole + fraction.padEnd(9, "0"));
}

function sumOfNanos(answers) {
    return answers.reduce((sum, { epsilon }) => sum + nanosOf(epsilon), 0n);
}

/** A number of nano-epsilon as a plain decimal. */
function decimal(nanos) {
    const digits = nanos.toString().padStart(10, "0");
    return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, "");
}

/** JSON with sorted keys, so that equal values have equal texts. */
function canonical(value) {
    const sorted = (_, each) =>
        each !== null && typeof each === "object" && !Array.isArray(each)
            ? Object.fromEntries(Object.entries(each).sort())
            : each;
    return JSON.stringify(value, sorted);
}
