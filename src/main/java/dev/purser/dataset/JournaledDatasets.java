package dev.purser.dataset;

import dev.purser.digest.Sha256;
import dev.purser.journal.CanonicalBytes;
import dev.purser.journal.Chain;
import dev.purser.journal.JournaledRow;
import dev.purser.journal.JournaledRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What the journal records of datasets: every version of a dataset and of a block that is loaded, its registration with
 * the accountant of its account once, and the account of all rows that were ever put. Registrations have entries of
 * their own, because they may be long and lists do without them.
 */
@Configuration(proxyBeanMethods = false)
class JournaledDatasets {
    private static final String DATASETS = DatasetTable.COLUMNS + "WHERE d.account = ?";

    private static final String BLOCKS =
            LoadedBlocks.COLUMNS + "JOIN dataset d ON d.id = b.dataset_id WHERE d.account = ?";

    /** A registration, and the accountant that its account has. */
    static final String REGISTRATION = """
            SELECT d.id, d.registration, a.accountant FROM dataset d JOIN account a ON a.account = d.account
            """;

    private static final String REGISTRATIONS = REGISTRATION + "WHERE d.account = ?";

    private static final String FINGERPRINTS = "SELECT fingerprint, account FROM fingerprint WHERE account = ?";

    /** The chain has one owner, the empty text. */
    private static final String FINGERPRINT_KEY = "SELECT position, check_value FROM used_fingerprint_key WHERE ? = ''";

    /** @param row {@link DatasetTable#COLUMNS}, as they are stored */
    static JournaledRow dataset(ResultSet row) throws SQLException {
        return new JournaledRow(
                datasetOf(row.getString(1)),
                new CanonicalBytes()
                        .text(row.getString(2))
                        .text(row.getString(3))
                        .text(row.getString(4))
                        .text(row.getString(5))
                        .text(row.getString(6))
                        .text(row.getString(7))
                        .bytes(row.getBytes(8)));
    }

    /** The object of a dataset. */
    static String datasetOf(String id) {
        return "dataset " + id;
    }

    /** @param row {@link LoadedBlocks#COLUMNS}, as they are stored */
    static JournaledRow block(ResultSet row) throws SQLException {
        return new JournaledRow(
                blockOf(row.getString(1), row.getInt(2)),
                new CanonicalBytes()
                        .text(row.getString(3))
                        .text(row.getString(4))
                        .bytes(row.getBytes(5)));
    }

    /** The object of a block. */
    static String blockOf(String id, int block) {
        return RowsPart.of(id, block).toString();
    }

    /** @param row {@link #REGISTRATION} */
    static JournaledRow registration(ResultSet row) throws SQLException {
        return registration(row.getString(1), row.getBytes(2), row.getString(3));
    }

    /** @param accountant of its account: nothing else records it */
    static JournaledRow registration(String id, byte[] registration, String accountant) {
        return new JournaledRow(
                "registration of dataset " + id,
                new CanonicalBytes().bytes(Sha256.of(registration)).text(accountant));
    }

    static JournaledRow fingerprint(String hex, String account) {
        return new JournaledRow("fingerprint " + hex, new CanonicalBytes().text(account));
    }

    static JournaledRow fingerprintKey(long position, String checkValue) {
        return new JournaledRow("fingerprint key " + position, new CanonicalBytes().text(checkValue));
    }

    @Bean
    JournaledRows registeredDatasets() {
        return new JournaledRows("datasets", Chain.Kind.ACCOUNT, DATASETS, JournaledDatasets::dataset);
    }

    @Bean
    JournaledRows loadedBlocks() {
        return new JournaledRows("blocks", Chain.Kind.ACCOUNT, BLOCKS, JournaledDatasets::block);
    }

    @Bean
    JournaledRows registrations() {
        return new JournaledRows("registrations", Chain.Kind.ACCOUNT, REGISTRATIONS, JournaledDatasets::registration);
    }

    @Bean
    JournaledRows ownedFingerprints() {
        return new JournaledRows(
                "fingerprints",
                Chain.Kind.ACCOUNT,
                FINGERPRINTS,
                row -> fingerprint(row.getString(1), row.getString(2)));
    }

    @Bean
    JournaledRows usedFingerprintKeys() {
        return new JournaledRows(
                "fingerprint keys",
                Chain.Kind.ACCESS,
                FINGERPRINT_KEY,
                row -> fingerprintKey(row.getLong(1), row.getString(2)));
    }
}
