package dev.purser.sql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Random statements: known statements with words removed, doubled, swapped, or taken from another statement. */
final class SqlFuzz {
    private final Random random;
    private final List<List<String>> statements = new ArrayList<>();

    SqlFuzz(long seed, List<List<String>> statements) {
        random = new Random(seed);
        for (List<String> each : statements) {
            each.forEach(sql -> this.statements.add(List.of(sql.split("(?<=[ (),'])|(?=[(),'])"))));
        }
    }

    String next() {
        List<String> words = new ArrayList<>(one());
        for (int changes = random.nextInt(4); changes >= 0 && !words.isEmpty(); changes--) {
            int at = random.nextInt(words.size());
            switch (random.nextInt(5)) {
                case 0 -> words.remove(at);
                case 1 -> words.add(at, words.get(at));
                case 2 -> Collections.swap(words, at, random.nextInt(words.size()));
                case 3 -> {
                    List<String> other = one();
                    words.set(at, other.get(random.nextInt(other.size())));
                }
                default -> words.set(at, words.get(at) + (char) (32 + random.nextInt(95)));
            }
        }
        return String.join("", words);
    }

    private List<String> one() {
        return statements.get(random.nextInt(statements.size()));
    }
}
