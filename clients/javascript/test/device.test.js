import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mock, test } from "node:test";
import { EpsilonCounter, gradient, report, send, verify } from "../purser-device.js";

const SOURCE = readFileSync(new URL("../purser-device.js", import.meta.url), "utf8");
const DOCUMENTS = readFileSync(new URL("documents.json", import.meta.url), "utf8");

/** A fresh copy of a document, changed. */
function documentOf(id, change = () => {}) {
    const document = JSON.parse(DOCUMENTS).find((each) => each.id === id);
    change(document);
    return document;
}

function verifiedDocument(id, change) {
    const document = documentOf(id, change);
    verify(document);
    return document;
}

const IDS = JSON.parse(DOCUMENTS).map(({ id }) => id);

/** A value whose place is that of a test vector. */
function valueAt(document, { part, parts, category }) {
    const number = (each) => (2 * each) / document.device.constants.width - 1;
    return parts ? parts.map(number) : category === undefined ? number(part) : document.categories[category];
}

for (const id of IDS) {
    test(`${id}: all test vectors pass`, () => verify(documentOf(id)));

    test(`${id}: a report is drawn from crypto.getRandomValues alone`, () => {
        const document = verifiedDocument(id);
        let known;
        mock.method(Math, "random", () => assert.fail("Math.random was called"));
        mock.method(crypto, "getRandomValues", (bytes) => {
            bytes.set(known.subarray(0, bytes.length));
            known = known.subarray(bytes.length);
            return bytes;
        });
        for (const vector of document.device.testVectors) {
            known = Buffer.from(vector.randomness, "hex");
            const { reportId, ...drawn } = report(document, valueAt(document, vector.value), vector.value);
            assert.match(reportId ?? "", document.features ? /^$/ : /^[0-9a-f-]{36}$/);
            assert.deepEqual(drawn, vector.report);
        }
        mock.restoreAll();
    });

    test(`${id}: an epsilon that is stated too small by a nano-epsilon is refused`, () => {
        const document = documentOf(id, (changed) => {
            const [whole, fraction = ""] = changed.guarantee.epsilon.split(".");
            const nanos = (BigInt(whole + fraction.padEnd(9, "0")) - 1n).toString().padStart(10, "0");
            changed.guarantee.epsilon = `${nanos.slice(0, -9)}.${nanos.slice(-9)}`;
        });
        assert.throws(() => verify(document), /above the stated one/);
    });

    test(`${id}: a document is refused if it was not verified, or verified and sent anew`, () => {
        const value = valueAt(documentOf(id), documentOf(id).device.testVectors[0].value);
        verify(documentOf(id));
        assert.throws(() => report(documentOf(id), value, { level: 1 }), /after verify/);
    });
}

test("a vector with another report, or with too much or too little randomness, is refused", () => {
    const changed = (change) => documentOf("harmony", ({ device }) => change(device.testVectors.at(-1)));
    assert.throws(() => verify(changed((vector) => (vector.report.sign *= -1))), /another report/);
    assert.throws(() => verify(changed((vector) => (vector.randomness += "00"))), /less randomness/);
    assert.throws(
        () => verify(changed((vector) => (vector.randomness = vector.randomness.slice(0, -2)))),
        /randomness ends/,
    );
});

test("a document without test vectors, or with an unknown randomizer or version, is refused", () => {
    assert.throws(() => verify(documentOf("harmony", ({ device }) => (device.testVectors = []))), /no test vectors/);
    assert.throws(() => verify(documentOf("harmony", ({ device }) => (device.version = 2))), /harmony\/2/);
    assert.throws(() => verify(documentOf("harmony", ({ device }) => (device.randomizer = "valueOf"))), /valueOf\/1/);
});

test("constants are refused if the epsilon does not follow from them", () => {
    const withConstant = (id, name, value) =>
        documentOf(id, ({ device }) => (device.constants[name] = value));
    for (const band of [0, 65_536, -1, 1.5, "100"]) {
        assert.throws(() => verify(withConstant("piecewise", "band", band)), RangeError);
    }
    assert.throws(() => verify(withConstant("laplace", "scale", "0/1")), /hides nothing/);
    for (const text of ["65536/0", "-65536/1", "65536", 65_536]) {
        assert.throws(() => verify(withConstant("laplace", "scale", text)), RangeError);
    }
    assert.throws(() => verify(withConstant("harmony", "width", 0)), RangeError);
    assert.throws(() => verify(withConstant("multilevel-laplace", "divisions", [0, 9, 65_536])), /would reveal it/);
    assert.throws(() => verify(withConstant("piecewise-several", "sampled", 4)), RangeError);
});

test("a document that is changed after it has passed changes nothing", () => {
    const document = verifiedDocument("harmony");
    document.device.constants.epsilon = "100/1";
    document.guarantee.epsilon = "0";
    document.range.upper = 0;
    const signs = Array.from({ length: 100 }, () => report(document, 1).sign);
    // Of 100 signs at epsilon 1, all are kept with probability 0.731^100 = 2.5e-14.
    assert.ok(signs.includes(-1));
    const counter = new EpsilonCounter("1", memory());
    counter.report(document, 1);
    assert.equal(counter.spent, "1");
});

test("a number is clamped to its range and rounded half up to the grid", () => {
    // Of noise of this scale, all but e^-1000 is zero.
    const document = {
        id: "grid",
        range: { lower: 10, upper: 14 },
        guarantee: { epsilon: "8000" },
        device: {
            randomizer: "laplace",
            version: 1,
            constants: { width: 8, scale: "1/1000" },
            testVectors: [{ value: { part: 1 }, randomness: `${"00".repeat(15)}10`, report: { noisy: 1 } }],
        },
    };
    verify(document);
    const places = [-1e308, 9, 10, 10.24, 10.25, 10.7, 12, 13.74, 13.75, 14, 1e308];
    const noisy = places.map((value) => report(document, value).noisy);
    assert.deepEqual(noisy, [0, 0, 0, 0, 1, 1, 4, 7, 8, 8, 8]);
});

/** Of noise of this scale, all but e^-1000 is zero: the report is the value's place. */
const exactly = (document) =>
    Object.assign(document, {
        guarantee: { epsilon: "9999999" },
        device: {
            ...document.device,
            randomizer: "laplace",
            constants: { width: 8, scale: "1/1000" },
            testVectors: [{ value: { part: 1 }, randomness: `${"00".repeat(15)}10`, report: { noisy: 1 } }],
        },
    });

test("every value gives a report, and what is outside of everything counts as a public one", () => {
    const place = (value) => report(verifiedDocument("laplace", exactly), value).noisy;
    assert.deepEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY].map(place), [0, 8]);
    for (const value of [Number.NaN, "1", undefined, null, true, 1n, {}, [1], Symbol("1")]) {
        assert.equal(place(value), 4);
        for (const id of IDS) {
            assert.ok(report(verifiedDocument(id), value, { level: 1 }));
        }
    }
    // The own category is drawn with probability 0.40 and each other category with 0.15: 500 draws leave no doubt.
    const mostFrequent = (value) => {
        const drawn = Array.from({ length: 500 }, () => report(verified, value).category);
        const count = (category) => drawn.filter((each) => each === category).length;
        return verified.categories.toSorted((one, other) => count(other) - count(one))[0];
    };
    const verified = verifiedDocument("grr");
    for (const value of ["psychiatry", "", "Surgery", 3, null, "__proto__", "length"]) {
        assert.equal(mostFrequent(value), "other");
    }
    assert.equal(mostFrequent("surgery"), "surgery");
});

test("a document is refused if a value would have no place in it", () => {
    const refused = (id, change, needed) => assert.throws(() => verify(documentOf(id, change)), needed);
    for (const [lower, upper] of [
        [5, 5], [6, 5], [-1e308, 1e308], [0, 1e308], [-1e16, 0], ["-1", "1"], [null, 1], [0, undefined],
        [1, 1 + Number.EPSILON / 2],
    ]) {
        for (const id of IDS.filter((each) => documentOf(each).range)) {
            refused(id, (document) => (document.range = { lower, upper }), /needs a range/);
        }
    }
    for (const id of IDS.filter((each) => documentOf(each).range)) {
        refused(id, (document) => delete document.range, /needs a range/);
        refused(id, (document) => (document.categories = ["a", "b"]), /needs no categories/);
        refused(id, (document) => (document.dimensions = 7), /needs [13] dimensions/);
    }
    for (const id of ["grr", "oue", "olh", "hadamard"]) {
        for (const change of [
            ({ categories }) => categories.pop(),
            ({ categories }) => categories.shift(),
            ({ categories }) => categories.push("more"),
            ({ categories }) => (categories[0] = categories[1]),
            ({ categories }) => (categories[0] = 7),
            (document) => delete document.categories,
            (document) => (document.categories = "abcde"),
            (document) => (document.range = { lower: 0, upper: 1 }),
        ]) {
            refused(id, change, /needs 5 different categories/);
        }
    }
    const { levels, width } = documentOf("hiera").device.constants;
    const even = [...levels, 0].map((_, i) => Math.round((i * width) / levels.length));
    for (const divisions of [
        [...even, width], even.slice(0, -1), even.with(0, 1), even.with(-1, width + 1), even.with(1, width),
        even.with(1, 0.5), even.with(1, "9"), [], Array(6).fill(0),
    ]) {
        refused("hiera", ({ device }) => (device.constants.divisions = divisions), /needs divisions/);
    }
    verifiedDocument("hiera", ({ device }) => (device.constants.divisions = even));
    refused("hiera-coordinate-several", (document) => (document.features = 3), /dimension more than features/);
    refused("hiera-coordinate-several", ({ device }) => (device.constants.sampled = 2), /one sampled coordinate/);
    refused("harmony", (document) => delete document.id, /needs an id/);
});

test("a gradient is reported without an id, at the level of each coordinate", () => {
    const document = verifiedDocument("hiera-coordinate-several");
    const levelsOf = (options) => {
        const counts = [0, 1, 2].map(() => [0, 0, 0]);
        for (let i = 0; i < 900; i++) {
            const { coordinate, level, sign, ...rest } = report(document, [1, Number.NaN, -1], options);
            assert.deepEqual([rest, Math.abs(sign)], [{}, 1]);
            counts[coordinate][level - 1]++;
        }
        return counts.map((each) => 1 + each.indexOf(Math.max(...each)));
    };
    // The own level, at an epsilon of 3 and 2, is drawn with probability 0.91 and 0.79: 300 draws leave no doubt.
    assert.deepEqual(levelsOf(), [1, 1, 1]);
    assert.deepEqual(levelsOf({ level: 2 }), [2, 2, 2]);
    assert.deepEqual(levelsOf({ level: [2, 1, -5] }), [2, 1, 1]);
});

test("a training's gradient is that of its model, clipped", () => {
    const training = (model, parameters) =>
        verifiedDocument("hiera-coordinate-several", (document) => Object.assign(document, { model, parameters }));
    const near = (drawn, expected) => drawn.forEach((each, j) => assert.ok(Math.abs(each - expected[j]) < 1e-12));
    // x·b = 0.5·0.4 - 0.25·0.8 + 0.1 = 0.1.
    near(gradient(training("linear", [0.4, 0.8, 0.1]), [0.5, -0.25], 0.3), [-0.2, 0.1, -0.4]);
    near(gradient(training("linear", [0.4, 0.8, 0.1]), [0.5, -0.25], -1), [1, -0.55, 1]);
    const logistic = 1 / (1 + Math.exp(-0.1)) - 1;
    near(gradient(training("logistic", [0.4, 0.8, 0.1]), [0.5, -0.25], 1), [logistic / 2, -logistic / 4, logistic]);
    assert.deepEqual(gradient(training("linear", [0, 0, Number.NaN]), [9], "x"), [0, 0, 0]);
    for (const document of [training("linear", [0]), training("tree", [0, 0, 0]), verifiedDocument("harmony")]) {
        assert.throws(() => gradient(document, [0, 0], 0), /needs a model/);
    }
});

test("a level is taken from the device, or from the divisions of a private one", () => {
    for (const level of [undefined, 0, 3, 1.5]) {
        assert.throws(() => report(verifiedDocument("multilevel-laplace"), 0, { level }), /options.level must be/);
    }
    assert.equal(report(verifiedDocument("multilevel-laplace"), 0, { level: 2 }).level, 2);

    const mostFrequent = (divisions, value, options) => {
        const document = verifiedDocument("hiera", ({ device }) => (device.constants.divisions = divisions));
        const counts = [0, 0, 0, 0, 0];
        for (let i = 0; i < 200; i++) {
            counts[report(document, value, options).level - 1]++;
        }
        return 1 + counts.indexOf(Math.max(...counts));
    };
    // At levels 1 and 2 the own level is drawn with probability 0.97 and 0.93, so that 200 draws leave no doubt.
    const up = [0, 13_107, 26_214, 39_322, 52_429, 65_536];
    assert.equal(mostFrequent(up, -1), 1);
    assert.equal(mostFrequent(up, (2 * 13_106) / 65_536 - 1), 1);
    assert.equal(mostFrequent(up, (2 * 13_107) / 65_536 - 1), 2);
    const down = up.toReversed();
    assert.equal(mostFrequent(down, 1), 1);
    assert.equal(mostFrequent(down, (2 * 52_429) / 65_536 - 1), 1);
    assert.equal(mostFrequent(down, (2 * 52_428) / 65_536 - 1), 2);
    assert.equal(mostFrequent(up, 1, { level: 1 }), 1);
    assert.equal(mostFrequent(undefined, 1), 1);
    // A private level that the document does not have gives a report too.
    for (const [level, own] of [[0, 1], [-7, 1], [2.5, 2], [Number.NaN, 1], ["2", 1], [null, 1]]) {
        assert.equal(mostFrequent(undefined, 1, { level }), own);
    }
});

// --- Statistics ------------------------------------------------------------------------------------------------------

const REPORTS = 4_000;

/** A mean of reports is within 5.4 standard errors of its expectation, except in one of 1.5e7 runs. */
function assertMean(samples, expected) {
    const mean = samples.reduce((sum, each) => sum + each, 0) / samples.length;
    const square = samples.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (samples.length - 1);
    const allowed = 5.4 * Math.sqrt(square / samples.length);
    assert.ok(Math.abs(mean - expected) <= allowed, `${mean} is not ${expected} within ${allowed}`);
}

const fraction = (text) => text.split("/").reduce((n, d) => n / d);
const logistic = (epsilon) => 1 / (1 + Math.exp(-epsilon));
const meanMagnitude = (scale) => 1 / Math.sinh(1 / fraction(scale));

/** The mean of a point: all points with weight e^-epsilon, and the points of the band with the rest. */
function meanPoint({ points, band, epsilon }, v) {
    const outside = Math.exp(-fraction(epsilon));
    const start = ((v + 1) / 2) * (points - band);
    const total = band + (points - band) * outside;
    return ((outside * points * (points - 1)) / 2 + (1 - outside) * band * (start + (band - 1) / 2)) / total;
}

/** By document: the value that is reported, and the means of its reports. */
const MEANS = {
    harmony: [0.5, ({ epsilon }, reports) => [[reports.map(({ sign }) => sign), Math.tanh(fraction(epsilon) / 2) / 2]]],
    piecewise: [0.5, (constants, reports) => [[reports.map(({ point }) => point), meanPoint(constants, 0.5)]]],
    hybrid: [
        0.5,
        (constants, reports) => {
            const signs = reports.filter(({ sign }) => sign !== undefined);
            const points = reports.filter(({ point }) => point !== undefined);
            return [
                [reports.map(({ sign }) => (sign === undefined ? 0 : 1)), Math.exp(-fraction(constants.signExponent))],
                [signs.map(({ sign }) => sign), Math.tanh(fraction(constants.epsilon) / 2) / 2],
                [points.map(({ point }) => point), meanPoint(constants, 0.5)],
            ];
        },
    ],
    laplace: [
        0.5,
        ({ scale }, reports) => [
            [reports.map(({ noisy }) => noisy), 49_152],
            [reports.map(({ noisy }) => Math.abs(noisy - 49_152)), meanMagnitude(scale)],
        ],
    ],
    "multilevel-laplace": [
        0.5,
        ({ levels }, reports) => [
            [reports.map(({ noisy }) => Math.abs(noisy - 49_152)), meanMagnitude(levels[1].scale)],
        ],
        { level: 2 },
    ],
    hiera: [
        0.5,
        ({ levels }, reports) => {
            const own = Math.exp(fraction(levels[2].levelEpsilon));
            const signs = reports.filter(({ level }) => level === 3).map(({ sign }) => sign);
            return [
                [reports.map(({ level }) => (level === 3 ? 1 : 0)), own / (own + levels.length - 1)],
                [signs, Math.tanh(fraction(levels[2].signEpsilon) / 2) / 2],
            ];
        },
        { level: 3 },
    ],
    "harmony-several": [
        [-1, 0.5, 1],
        ({ epsilon }, reports) =>
            [-1, 0.5, 1].map((v, coordinate) => [
                reports.map((each) => (each.coordinate === coordinate ? each.sign : 0)),
                (v * Math.tanh(fraction(epsilon) / 2)) / 3,
            ]),
    ],
    "piecewise-several": [[-1, 0.5, 1], (constants, reports) => ofCoordinates(constants, reports, 1)],
    "hybrid-several": [
        [-1, 0.5, 1],
        (constants, reports) => ofCoordinates(constants, reports, 1 - Math.exp(-fraction(constants.signExponent))),
    ],
    "hiera-coordinate-several": [
        [-1, 0.5, 1],
        ({ levels }, reports) => {
            const own = Math.exp(fraction(levels[0].levelEpsilon));
            const signs = reports.filter(({ coordinate, level }) => coordinate === 1 && level === 1);
            return [
                [reports.map(({ coordinate }) => coordinate), 1],
                [reports.map(({ level }) => (level === 1 ? 1 : 0)), own / (own + levels.length - 1)],
                [signs.map(({ sign }) => sign), Math.tanh(fraction(levels[0].signEpsilon) / 2) / 2],
            ];
        },
    ],
    lhp: [
        0.5,
        ({ levels }, reports) => {
            const own = Math.exp(fraction(levels[0].levelEpsilon));
            const signs = reports.filter(({ level }) => level === 2).map(({ sign }) => sign);
            return [
                [reports.map(({ level }) => (level === 1 ? 1 : 0)), own / (own + levels.length - 1)],
                [signs, Math.tanh(fraction(levels[1].signEpsilon) / 2) / 2],
            ];
        },
        { level: 1 },
    ],
    grr: [
        "surgery",
        ({ categories, epsilon }, reports) => {
            const own = Math.exp(fraction(epsilon));
            return [
                [reports.map(({ category }) => (category === "surgery" ? 1 : 0)), own / (own + categories - 1)],
                [reports.map(({ category }) => (category === "other" ? 1 : 0)), 1 / (own + categories - 1)],
            ];
        },
    ],
    oue: [
        "surgery",
        ({ epsilon }, reports) => {
            const bit = (category) => reports.map(({ bits }) => (Number.parseInt(bits, 16) >> (7 - category)) & 1);
            return [
                [bit(3), 0.5],
                [bit(0), logistic(-fraction(epsilon))],
                [bit(4), logistic(-fraction(epsilon))],
                [bit(5), 0],
            ];
        },
    ],
    olh: [
        "surgery",
        ({ values, prime, epsilon }, reports) => {
            const own = Math.exp(fraction(epsilon));
            const supports = (category) =>
                reports.map(({ multiplier, shift, value }) =>
                    Math.floor((((multiplier * category + shift) % prime) * values) / prime) === value ? 1 : 0,
                );
            // Another category has the same hash with a probability of 1/values, up to 1e-9.
            return [
                [supports(3), own / (own + values - 1)],
                [supports(0), 1 / values],
            ];
        },
    ],
    hadamard: [
        "surgery",
        ({ size, epsilon }, reports) => {
            const entry = (row, column) => (-1) ** (row & column).toString(2).replaceAll("0", "").length;
            return [
                [reports.map(({ row, sign }) => sign * entry(row, 4)), Math.tanh(fraction(epsilon) / 2)],
                [reports.map(({ row, sign }) => sign * entry(row, 1)), 0],
                [reports.map(({ row }) => row), (size - 1) / 2],
            ];
        },
    ],
};

/** Two of three coordinates are drawn; a share of each is reported as points. */
function ofCoordinates(constants, reports, share) {
    return [-1, 0.5, 1].flatMap((v, coordinate) => {
        const all = reports.flatMap(({ coordinates }) => coordinates);
        const drawn = all.filter((each) => each.coordinate === coordinate);
        const points = drawn.filter(({ point }) => point !== undefined).map(({ point }) => point);
        const indicators = Array.from({ length: reports.length }, (_, at) => (at < points.length ? 1 : 0));
        return [
            [indicators, (2 / 3) * share],
            [points, meanPoint(constants, v)],
        ];
    });
}

for (const id of IDS) {
    test(`${id}: ${REPORTS} reports have the means of their distribution, and an id each`, () => {
        const document = verifiedDocument(id);
        const [value, meansOf, options] = MEANS[id];
        const reports = Array.from({ length: REPORTS }, () => report(document, value, options));
        for (const [samples, expected] of meansOf(document.device.constants, reports)) {
            assertMean(samples, expected);
        }
        assert.equal(new Set(reports.map(({ reportId }) => reportId)).size, document.features ? 1 : REPORTS);
    });
}

// --- The counter -----------------------------------------------------------------------------------------------------

function memory() {
    const items = new Map();
    return { getItem: (key) => items.get(key) ?? null, setItem: (key, text) => items.set(key, text) };
}

const named = (id, epsilon) =>
    verifiedDocument("harmony", (document) => Object.assign(document, { id, guarantee: { epsilon } }));

test("the counter adds epsilons exactly and refuses one nano-epsilon too many", () => {
    const counter = new EpsilonCounter("3.300000003", memory());
    assert.equal(counter.spent, "0");
    counter.report(named("a", "1.1"), 1);
    counter.report(named("b", "1.100000001"), 1);
    assert.throws(() => counter.report(named("c", "1.100000003"), 1), /3.300000004 would pass 3.300000003/);
    assert.equal(counter.spent, "2.200000001");
    counter.report(named("c", "1.100000002"), 1);
    assert.equal(counter.spent, "3.300000003");
});

test("the counter gives the stored report again, also after a restart and at the ceiling, and charges it once", () => {
    const storage = memory();
    const first = new EpsilonCounter("1", storage).report(named("a", "1"), 1);
    for (let i = 0; i < 50; i++) {
        assert.deepEqual(new EpsilonCounter("1", storage).report(named("a", "1"), -1), first);
    }
    assert.equal(new EpsilonCounter("1", storage).spent, "1");
});

test("the counter counts a training", () => {
    const counter = new EpsilonCounter("6.2", memory());
    counter.report(named("a", "1"), 1);
    const training = verifiedDocument("hiera-coordinate-several", (document) => (document.guarantee.epsilon = "5.2"));
    const first = counter.report(training, [1, 0, 1]);
    assert.deepEqual(counter.report(training, [0, 0, 0]), first);
    assert.equal(counter.spent, "6.2");
    assert.throws(() => counter.report(named("b", "1"), 1), /7.2 would pass 6.2/);
});

test("the counter tells collections apart whatever they are called", () => {
    const counter = new EpsilonCounter("10", memory());
    const ids = ["__proto__", "constructor", "a", "A", ""];
    const reports = ids.map((id) => counter.report(named(id, "1"), 1).reportId);
    assert.equal(new Set(reports).size, ids.length);
    assert.equal(counter.spent, "5");
});

test("a report that cannot be stored is not given, and costs nothing", () => {
    const storage = memory();
    const counter = new EpsilonCounter("1", storage);
    mock.method(storage, "setItem", () => {
        throw new Error("full");
    });
    assert.throws(() => counter.report(named("a", "1"), 1), /full/);
    mock.restoreAll();
    assert.equal(counter.spent, "0");
    counter.report(named("a", "1"), 1);
    assert.equal(counter.spent, "1");
});

test("a storage that cannot be read stops the counter", () => {
    const storage = memory();
    storage.setItem("purser-device", "[{");
    assert.throws(() => new EpsilonCounter("1", storage).report(named("a", "1"), 1), SyntaxError);
});

test("an epsilon that is not a plain decimal is refused", () => {
    for (const epsilon of ["-1", "1e3", "0.0000000001", "", " 1", "01", "1.", undefined, "99999999"]) {
        assert.throws(() => new EpsilonCounter(epsilon, memory()), RangeError);
        assert.throws(() => named("a", epsilon), RangeError);
    }
});

// --- The rest --------------------------------------------------------------------------------------------------------

test("reports are sent as one batch, and a refusal is thrown", async () => {
    const calls = [];
    const replies = [
        new Response('{"accepted":1,"duplicates":0}', { status: 200 }),
        new Response('{"detail":"closed"}', { status: 409 }),
        new Response('{"accepted":1,"duplicates":0,"unused":0}', { status: 200 }),
    ];
    mock.method(globalThis, "fetch", async (...call) => {
        calls.push(call);
        return replies.shift();
    });
    const reports = [{ reportId: "r", sign: 1 }];
    assert.deepEqual(await send("http://server", "key", "a/b", reports), { accepted: 1, duplicates: 0 });
    await assert.rejects(send("http://server", "key", "a/b", reports), /409: {"detail":"closed"}/);
    await send("http://server", "key", "t", [{ ticket: "r", coordinate: 0, sign: 1 }], 3);
    mock.restoreAll();
    const [url, { method, headers, body }] = calls[0];
    assert.equal(url, "http://server/v1/collections/a%2Fb/reports");
    assert.equal(method, "POST");
    assert.deepEqual(headers, { Authorization: "Bearer key", "Content-Type": "application/json" });
    assert.deepEqual(JSON.parse(body), { reports });
    assert.equal(calls[2][0], "http://server/v1/trainings/t/reports");
    assert.deepEqual(JSON.parse(calls[2][1].body), { round: 3, reports: [{ ticket: "r", coordinate: 0, sign: 1 }] });
});

test("the source has no Math.random and depends on nothing", () => {
    assert.doesNotMatch(SOURCE, /Math\s*\.\s*random|\bimport\b|\brequire\b/);
});
