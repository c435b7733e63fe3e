package dev.purser.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The migration from version 1 of the tables to a version 2, which is made here. */
abstract class MigrationsContract {
    @TempDir
    Path folder;

    abstract DataSource source();

    abstract String dialect();

    private void migrateToTwo() throws Exception {
        Path two = Files.createDirectories(folder.resolve("two"));
        Files.writeString(
                two.resolve("V2__notes.sql"),
                "CREATE TABLE note (note ${text} NOT NULL PRIMARY KEY)${strict};\n"
                        + "CREATE TRIGGER note_stays BEFORE ${removal} ON note\n"
                        + "    ${refuse}'a note is never removed')${end};\n");
        Migrations.run(source(), dialect(), "classpath:db/migration/common", "filesystem:" + two);
    }

    @Test
    void versionOneBecomesVersionTwoAndIsThenRefusedByTheReleaseOfVersionOne() throws Exception {
        Migrations.run(source(), dialect());
        execute("INSERT INTO used_fingerprint_key VALUES (1, '" + "a".repeat(64) + "')");

        migrateToTwo();
        migrateToTwo();

        execute("INSERT INTO note VALUES ('one')");
        assertThat(count("used_fingerprint_key")).isEqualTo(1);
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> execute("DELETE FROM note"))
                .withMessageContaining("a note is never removed");
        assertThatExceptionOfType(StartupRefusal.class)
                .isThrownBy(() -> Migrations.run(source(), dialect()))
                .withMessageContaining("at version 2 (notes), and it reads up to version 1.3 (refusals)");
    }

    /** The builds before the first release made the tables like this: from other texts, under versions 1 to 18. */
    @Test
    void tablesOfAnUnknownFormatAreRefusedAndNotChanged() throws Exception {
        Migrations.run(source(), dialect());
        execute("UPDATE flyway_schema_history SET version = '18', description = 'entries of allotments'"
                + " WHERE version = '1.3'");
        long before = count("flyway_schema_history");

        assertThatExceptionOfType(StartupRefusal.class)
                .isThrownBy(() -> Migrations.run(source(), dialect()))
                .withMessageContaining("at version 18 (entries of allotments)");

        assertThat(count("flyway_schema_history")).isEqualTo(before);
    }

    /** A build between two releases made the tables like this: the same version, from another text. */
    @Test
    void otherTablesOfTheSameVersionAreRefusedAsSuch() throws Exception {
        Migrations.run(source(), dialect());
        execute("UPDATE flyway_schema_history SET checksum = 1 WHERE version = '1.1'");

        assertThatExceptionOfType(StartupRefusal.class)
                .isThrownBy(() -> Migrations.run(source(), dialect()))
                .withMessageContaining("another build made them, whose version 1.3 (refusals) is not the one of this");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long count(String table) throws SQLException {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
            row.next();
            return row.getLong(1);
        }
    }
}
