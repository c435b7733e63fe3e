package dev.purser.upload;

import dev.purser.problem.ProblemException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class InvalidDataTests {
    private final InvalidData errors = new InvalidData();

    @Test
    void listsTheFirstOfEachColumnAndRuleBeforeRepetitions() {
        for (long line = 2; line < 1002; line++) {
            errors.add(line, "age", "not an integer");
            errors.add(line, line < 500 ? null : "sex", "not an integer");
        }
        assertThat(errors.listed()).hasSize(100);
        assertThat(errors.listed().subList(0, 5))
                .containsExactly(
                        new DataError(2L, "age", "not an integer"),
                        new DataError(2L, null, "not an integer"),
                        new DataError(500L, "sex", "not an integer"),
                        new DataError(3L, "age", "not an integer"),
                        new DataError(3L, null, "not an integer"));
        assertThat(errors.more()).isEqualTo(1900);
    }

    @Test
    void countsWhatItDoesNotList() {
        for (int i = 0; i < 1_000_000; i++) {
            errors.add(7L, "c" + i % 500, "rule " + i);
        }
        assertThat(errors.isFull()).isTrue();
        assertThat(errors.listed())
                .extracting(DataError::detail)
                .isEqualTo(IntStream.range(0, 100).mapToObj(i -> "rule " + i).toList());
        assertThat(errors.more()).isEqualTo(999_900);
    }

    @Test
    void refusesWithAllThatIsListed() {
        assertThatCode(errors::throwIfAny).doesNotThrowAnyException();
        errors.add(null, null, "the file is odd");
        ProblemException one = catchThrowableOfType(ProblemException.class, errors::throwIfAny);
        assertThat(one.detail()).isEqualTo("the file is odd");
        assertThat(one.members()).containsOnlyKeys("errors", "moreErrors").containsEntry("moreErrors", 0L);
        errors.add(3L, "age", "not an integer");
        ProblemException two = catchThrowableOfType(ProblemException.class, errors::throwIfAny);
        assertThat(two.detail()).isEqualTo("the file is odd (the first of 2 errors; see errors)");
        assertThat(two.members().get("errors"))
                .isEqualTo(List.of(
                        new DataError(null, null, "the file is odd"), new DataError(3L, "age", "not an integer")));
    }

    @Test
    void saysWhereInOneSentence() {
        assertThat(new DataError(3L, "age", "wrong").sentence()).isEqualTo("line 3, column age: wrong");
        assertThat(new DataError(3L, null, "wrong").sentence()).isEqualTo("line 3: wrong");
        assertThat(new DataError(null, "age", "wrong").sentence()).isEqualTo("column age: wrong");
    }
}
