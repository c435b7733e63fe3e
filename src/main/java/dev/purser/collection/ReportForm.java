package dev.purser.collection;

import dev.purser.json.ObjectReader;
import dev.purser.local.CategoryBits;
import dev.purser.local.CoordinateReport;
import dev.purser.local.HadamardSign;
import dev.purser.local.HashedCategory;
import dev.purser.local.LeveledNoise;
import dev.purser.local.LeveledSign;
import dev.purser.local.OptimizedLocalHashing;
import dev.purser.local.Piecewise;
import dev.purser.local.Point;
import dev.purser.local.Sign;
import dev.purser.local.SignOrPoint;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a report is written in JSON. What lies outside the protocol's alphabet is refused where it is read.
 *
 * @param <R> the report
 */
interface ReportForm<R> {
    /** Reads the fields of a report, without its id; empty if a field broke a rule. */
    Optional<R> read(ObjectReader in);

    /** The fields of a report, as {@link #read} takes them. */
    Map<String, Object> write(R report);

    /** {@code "sign"}: -1 or 1. */
    ReportForm<Sign> SIGN = new ReportForm<>() {
        @Override
        public Optional<Sign> read(ObjectReader in) {
            return in.required("sign").integer(-1, 1).flatMap(sent -> {
                if (sent == 0) {
                    in.refuse("sign", "sign must be -1 or 1, was 0");
                    return Optional.empty();
                }
                return Optional.of(sent < 0 ? Sign.MINUS : Sign.PLUS);
            });
        }

        @Override
        public Map<String, Object> write(Sign report) {
            return Map.of("sign", report.factor());
        }
    };

    /** {@code "point"}: an index. */
    ReportForm<Point> POINT = new ReportForm<>() {
        @Override
        public Optional<Point> read(ObjectReader in) {
            return in.required("point").integer(0, Piecewise.POINTS - 1L).map(index -> new Point(index.intValue()));
        }

        @Override
        public Map<String, Object> write(Point report) {
            return Map.of("point", report.index());
        }
    };

    /** {@code "sign"} or {@code "point"}. */
    ReportForm<SignOrPoint> SIGN_OR_POINT = new ReportForm<>() {
        @Override
        public Optional<SignOrPoint> read(ObjectReader in) {
            return in.exactlyOne("sign", "point")
                    .flatMap(name -> name.equals("sign")
                            ? SIGN.read(in).map(sign -> sign)
                            : POINT.read(in).map(point -> point));
        }

        @Override
        public Map<String, Object> write(SignOrPoint report) {
            return switch (report) {
                case Sign sign -> SIGN.write(sign);
                case Point point -> POINT.write(point);
            };
        }
    };

    /** {@code "level"}, from 1, and {@code "sign"}. */
    static ReportForm<LeveledSign> leveledSign(int levels) {
        return new ReportForm<>() {
            @Override
            public Optional<LeveledSign> read(ObjectReader in) {
                Optional<Long> level = in.required("level").integer(1, levels);
                return SIGN.read(in).flatMap(sign -> level.map(sent -> new LeveledSign(sent.intValue(), sign)));
            }

            @Override
            public Map<String, Object> write(LeveledSign report) {
                return Map.of("level", report.level(), "sign", report.sign().factor());
            }
        };
    }

    /** {@code "noisy"}: grid steps above the range's lower bound. */
    static ReportForm<BigInteger> noisy(long least, long most) {
        return new ReportForm<>() {
            @Override
            public Optional<BigInteger> read(ObjectReader in) {
                return in.required("noisy").integer(least, most).map(BigInteger::valueOf);
            }

            @Override
            public Map<String, Object> write(BigInteger report) {
                return Map.of("noisy", report);
            }
        };
    }

    /** {@code "level"}, from 1, and {@code "noisy"}. */
    static ReportForm<LeveledNoise> leveledNoise(int levels, long least, long most) {
        ReportForm<BigInteger> noisy = noisy(least, most);
        return new ReportForm<>() {
            @Override
            public Optional<LeveledNoise> read(ObjectReader in) {
                Optional<Long> level = in.required("level").integer(1, levels);
                return noisy.read(in).flatMap(steps -> level.map(sent -> new LeveledNoise(sent.intValue(), steps)));
            }

            @Override
            public Map<String, Object> write(LeveledNoise report) {
                return Map.of("level", report.level(), "noisy", report.steps());
            }
        };
    }

    /** {@code "category"}: one of the public ones. */
    static ReportForm<Integer> category(List<String> categories) {
        Map<String, Integer> indexes = new HashMap<>();
        for (int index = 0; index < categories.size(); index++) {
            indexes.put(categories.get(index), index);
        }
        return new ReportForm<>() {
            @Override
            public Optional<Integer> read(ObjectReader in) {
                return in.required("category")
                        .string("a category of the collection", text -> Optional.ofNullable(indexes.get(text)));
            }

            @Override
            public Map<String, Object> write(Integer report) {
                return Map.of("category", categories.get(report));
            }
        };
    }

    /** {@code "bits"}: hexadecimal digits; the first bit is that of the first category. */
    static ReportForm<CategoryBits> bits(int categories) {
        int digits = (categories + 3) / 4;
        Pattern form = Pattern.compile("[0-9a-f]{" + digits + "}");
        return new ReportForm<>() {
            @Override
            public Optional<CategoryBits> read(ObjectReader in) {
                return in.required("bits")
                        .string(digits + " hexadecimal digits, with zeros after the last category", this::parsed);
            }

            private Optional<CategoryBits> parsed(String text) {
                if (!form.matcher(text).matches()) {
                    return Optional.empty();
                }
                BitSet ones = new BitSet(categories);
                for (int bit = 0; bit < 4 * digits; bit++) {
                    ones.set(bit, (Character.digit(text.charAt(bit / 4), 16) >> 3 - bit % 4 & 1) == 1);
                }
                return ones.length() <= categories ? Optional.of(new CategoryBits(ones)) : Optional.empty();
            }

            @Override
            public Map<String, Object> write(CategoryBits report) {
                BitSet ones = report.ones();
                StringBuilder text = new StringBuilder();
                for (int digit = 0; digit < digits; digit++) {
                    int value = 0;
                    for (int bit = 4 * digit; bit < 4 * digit + 4; bit++) {
                        value = 2 * value + (ones.get(bit) ? 1 : 0);
                    }
                    text.append(Character.forDigit(value, 16));
                }
                return Map.of("bits", text.toString());
            }
        };
    }

    /** {@code "multiplier"}, {@code "shift"} and {@code "value"}. */
    static ReportForm<HashedCategory> hashed(int values) {
        return new ReportForm<>() {
            @Override
            public Optional<HashedCategory> read(ObjectReader in) {
                Optional<Long> multiplier = in.required("multiplier").integer(0, OptimizedLocalHashing.PRIME - 1L);
                Optional<Long> shift = in.required("shift").integer(0, OptimizedLocalHashing.PRIME - 1L);
                Optional<Long> value = in.required("value").integer(0, values - 1L);
                return multiplier.flatMap(a -> shift.flatMap(
                        b -> value.map(hash -> new HashedCategory(a.intValue(), b.intValue(), hash.intValue()))));
            }

            @Override
            public Map<String, Object> write(HashedCategory report) {
                return Map.of("multiplier", report.multiplier(), "shift", report.shift(), "value", report.value());
            }
        };
    }

    /** {@code "row"} and {@code "sign"}. */
    static ReportForm<HadamardSign> rowSign(int rows) {
        return new ReportForm<>() {
            @Override
            public Optional<HadamardSign> read(ObjectReader in) {
                Optional<Long> row = in.required("row").integer(0, rows - 1L);
                return SIGN.read(in).flatMap(sign -> row.map(sent -> new HadamardSign(sent.intValue(), sign)));
            }

            @Override
            public Map<String, Object> write(HadamardSign report) {
                return Map.of("row", report.row(), "sign", report.sign().factor());
            }
        };
    }

    /**
     * One coordinate as {@code "coordinate"} beside its report's fields, or several as {@code "coordinates"}. Without
     * dimensions there is no coordinate.
     *
     * @param dimensions d, how many coordinates a value has
     * @param sampled k, how many of them a report has
     * @param isList whether a report lists its coordinates even if it has one
     */
    static <R> ReportForm<List<CoordinateReport<R>>> coordinates(
            int dimensions, int sampled, boolean isList, ReportForm<R> each) {
        return new ReportForm<>() {
            @Override
            public Optional<List<CoordinateReport<R>>> read(ObjectReader in) {
                if (!isList || dimensions == 1) {
                    return one(in).map(List::of);
                }
                return in.required("coordinates")
                        .objects(sampled, sampled, coordinate -> {
                            Optional<CoordinateReport<R>> report = one(coordinate);
                            return coordinate.complete(report::orElseThrow);
                        })
                        .filter(reports -> {
                            boolean ascend = true;
                            for (int i = 1; i < reports.size(); i++) {
                                ascend &= reports.get(i - 1).coordinate()
                                        < reports.get(i).coordinate();
                            }
                            if (!ascend) {
                                in.refuse("coordinates", "coordinates must ascend, each at most once");
                            }
                            return ascend;
                        });
            }

            private Optional<CoordinateReport<R>> one(ObjectReader in) {
                Optional<Long> coordinate = dimensions == 1
                        ? Optional.of(0L)
                        : in.required("coordinate").integer(0, dimensions - 1L);
                return each.read(in)
                        .flatMap(report -> coordinate.map(sent -> new CoordinateReport<>(sent.intValue(), report)));
            }

            @Override
            public Map<String, Object> write(List<CoordinateReport<R>> reports) {
                if (dimensions == 1) {
                    return each.write(reports.getFirst().report());
                }
                List<Map<String, Object>> all = new ArrayList<>();
                for (CoordinateReport<R> report : reports) {
                    Map<String, Object> fields = new HashMap<>(each.write(report.report()));
                    fields.put("coordinate", report.coordinate());
                    all.add(fields);
                }
                return isList ? Map.of("coordinates", all) : all.getFirst();
            }
        };
    }
}
