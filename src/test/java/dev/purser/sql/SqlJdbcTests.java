package dev.purser.sql;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

/** Trino's own JDBC driver, as DBeaver, DataGrip and Tableau use it. */
class SqlJdbcTests extends SqlService {
    @Test
    void tablesAndColumnsAreBrowsed() throws Exception {
        try (Connection connection = connect(keyFor("analyst", "['" + dataset + "']"), "")) {
            DatabaseMetaData about = connection.getMetaData();

            assertThat(all(about.getCatalogs())).containsExactly("purser");
            assertThat(all(about.getSchemas())).containsExactly("main|purser");
            assertThat(all(about.getTableTypes())).containsExactly("TABLE");
            try (ResultSet tables = about.getTables("purser", "ma%", "d%", new String[] {"TABLE", "VIEW"})) {
                assertThat(tables.next()).isTrue();
                assertThat(tables.getString("TABLE_NAME")).isEqualTo(dataset);
                assertThat(tables.next()).isFalse();
            }
            try (ResultSet columns = about.getColumns(null, null, dataset, "%")) {
                assertThat(columns.next()).isTrue();
                assertThat(columns.getString("COLUMN_NAME")).isEqualTo("age");
                assertThat(columns.getInt("DATA_TYPE")).isEqualTo(java.sql.Types.BIGINT);
                assertThat(columns.getString("REMARKS")).startsWith("0 to 125");
                assertThat(columns.next()).isTrue();
                assertThat(columns.getString("TYPE_NAME")).isEqualTo("decimal(38,2)");
            }
            assertThat(all(about.getPrimaryKeys("purser", "main", dataset))).isEmpty();
            assertThat(all(about.getImportedKeys("purser", "main", dataset))).isEmpty();
            assertThat(all(about.getProcedures(null, null, null))).isEmpty();
            assertThat(all(about.getTypeInfo())).isNotEmpty();
        }
    }

    @Test
    void aStatementReturnsTypedValues() throws Exception {
        try (Connection connection = connect(key(), "epsilon:100");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT sex, count(*) n, avg(age), sum(hours) FROM " + dataset
                        + " GROUP BY sex ORDER BY n DESC")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString("sex")).isEqualTo("Female");
            assertThat(rows.getDouble("n")).isCloseTo(5, offset(0.5));
            // The noise of the sum has the scale 2.1, and the noise of the mean about 0.4. So both are off by more less
            // than once in 100,000 runs. The mean and the sum of all rows are further off, 32.5 and 181.25.
            assertThat(rows.getDouble(3)).isCloseTo(40, offset(5.0));
            assertThat(rows.getDouble(4)).isCloseTo(151.25, offset(25.0));
        }
    }

    @Test
    void aPreparedStatementHasItsParametersInTheirPlaces() throws Exception {
        try (Connection connection = connect(key(), "epsilon:100");
                PreparedStatement statement = connection.prepareStatement(
                        "SELECT count(*) FROM " + dataset + " WHERE sex = ? AND age > ? AND hours BETWEEN ? AND ?")) {
            statement.setString(1, "Female");
            statement.setInt(2, 30);
            statement.setBigDecimal(3, new java.math.BigDecimal("30.25"));
            statement.setDouble(4, 50);
            assertThat(all(statement.executeQuery())).containsExactly("5");
            statement.setString(1, "Male' OR sex = 'Female");
            assertThatThrownBy(statement::executeQuery)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("categories");
        }
        assertThat(entries(dataset)).isEqualTo(2);
    }

    @Test
    void aSessionIsSetAndAStatementIsCancelled() throws Exception {
        try (Connection connection = connect(key(), "");
                Statement statement = connection.createStatement()) {
            String count = "SELECT count(*) FROM " + dataset;
            assertThatThrownBy(() -> statement.executeQuery(count)).hasMessageContaining("SET SESSION epsilon");
            statement.execute("SET SESSION epsilon = '100'");
            assertThat(all(statement.executeQuery(count))).containsExactly("8");
            ResultSet again = statement.executeQuery(count);
            statement.cancel();
            again.close();
            assertThat(all(statement.executeQuery(count))).containsExactly("8");
            assertThat(connection.isValid(5)).isTrue();
        }
        assertThat(spent(dataset)).isEqualTo("100");
    }

    @Test
    void aWrongKeyIsRefused() {
        assertThatThrownBy(() -> connect("purser_wrong", "").createStatement().executeQuery("SELECT 1"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("Authentication failed");
    }
}
