package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.DatasetsForTests;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class BucketRequestTests {
    private static final Column.Numeric N = DatasetsForTests.integer("n", 0, 100);
    private static final Column.Numeric OTHER = DatasetsForTests.integer("other", 0, 100);

    private static GroupKey key(long... edges) {
        return new GroupKey(N, edges);
    }

    @Test
    void aKeyHasOneGroupFewerThanEdges() {
        assertThat(key(3, 4).groups()).isEqualTo(1);
        assertThat(key(Long.MIN_VALUE, 0, 4, Long.MAX_VALUE).groups()).isEqualTo(3);
    }

    @Test
    void aKeyRefusesEdgesThatMakeNoGroup() {
        assertThatIllegalArgumentException().isThrownBy(() -> key());
        assertThatIllegalArgumentException().isThrownBy(() -> key(1));
        assertThatIllegalArgumentException().isThrownBy(() -> key(1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> key(1, 3, 2));
    }

    @Test
    void keysAreEqualByContentThatNobodyCanChange() {
        long[] edges = {1, 2};
        GroupKey key = key(edges);
        edges[0] = 0;
        key.edges()[1] = 9;
        assertThat(key).isEqualTo(key(1, 2)).hasSameHashCodeAs(key(1, 2));
        assertThat(key).isNotEqualTo(key(1, 3)).isNotEqualTo(new GroupKey(OTHER, new long[] {1, 2}));
    }

    @Test
    void aRequestHasAGroupForEachCombination() {
        assertThat(BucketRequest.of(N, Filter.ALL_ROWS, 1, 2).groups()).isEqualTo(1);
        assertThat(request(false, key(0, 1, 2, 3), key(5, 7, 9)).groups()).isEqualTo(6);
        long[] many = java.util.stream.LongStream.range(0, 50_001).toArray();
        assertThatExceptionOfType(ArithmeticException.class)
                .isThrownBy(() -> request(false, key(many), key(many)).groups());
    }

    private static BucketRequest request(boolean squares, GroupKey... keys) {
        return new BucketRequest(N, Filter.ALL_ROWS, List.of(keys), new long[] {4}, squares);
    }

    @Test
    void requestsAreEqualByContent() {
        assertThat(request(true, key(1, 2))).isEqualTo(request(true, key(1, 2)));
        assertThat(request(true, key(1, 2))).hasSameHashCodeAs(request(true, key(1, 2)));
        assertThat(request(true, key(1, 2))).isNotEqualTo(request(false, key(1, 2)));
        assertThat(request(true, key(1, 2))).isNotEqualTo(request(true, key(1, 3)));
        assertThat(request(false)).isEqualTo(BucketRequest.of(N, Filter.ALL_ROWS, 4));
    }

    @Test
    void aRowCountHasNoEdgesAndNoSquares() {
        assertThatIllegalArgumentException().isThrownBy(() -> BucketRequest.of(null, Filter.ALL_ROWS, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BucketRequest(null, Filter.ALL_ROWS, List.of(), new long[0], true));
    }
}
