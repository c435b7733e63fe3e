package dev.purser.tables;

import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TableNotReadExceptionTests {
    @Test
    void itsReasonIsLoggedAndOfOtherFailuresNoMessage() {
        assertThat(TableNotReadException.loggable(new TableNotReadException("out of time")))
                .isEqualTo("out of time");
        assertThat(TableNotReadException.loggable(new UnfitConnectionException("w", "it is too old")))
                .isEqualTo("The connection w is not used: it is too old.");
        assertThat(TableNotReadException.loggable(new SQLException("invalid input: 4711", "22P02")))
                .isEqualTo("java.sql.SQLException, SQLSTATE 22P02");
        for (String state : new String[] {null, "", "4711x", "471142", "47 11"}) {
            assertThat(TableNotReadException.loggable(new SQLException("4711", state)))
                    .isEqualTo("java.sql.SQLException");
        }
        assertThat(TableNotReadException.loggable(new IOException("4711"))).isEqualTo("java.io.IOException");
    }
}
