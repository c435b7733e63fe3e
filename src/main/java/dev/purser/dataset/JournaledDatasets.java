package dev.purser.dataset;

import dev.purser.digest.Sha256;
import dev.purser.journal.CanonicalBytes;
import dev.purser.journal.Chain;
import dev.purser.journal.DecidingRows;
import dev.purser.journal.JournaledRow;
import dev.purser.journal.JournaledRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static dev.purser.journal.DecidingRows.Column.changing;
import static dev.purser.journal.DecidingRows.Column.fixed;
import static dev.purser.journal.DecidingRows.Column.key;
import static dev.purser.journal.DecidingRows.Form.BYTES;
import static dev.purser.journal.DecidingRows.Form.TEXT;

/**
 * What the journal records of datasets. It records every version of a dataset and of a loaded block, and the account of
 * all rows that were ever recorded. It records a registration once, with the accountant of the account. Registrations
 * have entries of their own, because they may be long and lists do not read them.
 */
@Configuration(proxyBeanMethods = false)
class JournaledDatasets {
    static final DecidingRows<StoredDataset> DATASETS = new DecidingRows<>(
            "dataset",
            "dataset %s",
            row -> new StoredDataset(
                    row.getString(1),
                    row.getString(2),
                    row.getString(3),
                    row.getString(4),
                    Instant.ofEpochMilli(row.getLong(5)),
                    new Standing(row.getString(6), row.getString(7), row.getBytes(8))),
            List.of("registration"),
            List.of(
                    key("id", StoredDataset::id),
                    fixed(TEXT, "title", StoredDataset::title),
                    fixed(TEXT, "account", StoredDataset::account),
                    fixed(TEXT, "custodian", StoredDataset::custodian),
                    fixed(TEXT, "registered_at_millis", StoredDataset::registeredAt),
                    changing(TEXT, "state", each -> each.standing().state()),
                    changing(TEXT, "loaded_by", each -> each.standing().loadedBy()),
                    changing(BYTES, "rows_digest", each -> each.standing().rowsDigest())));

    static final DecidingRows<StoredBlock> BLOCKS = new DecidingRows<>(
            "dataset_block",
            "block %2$s of dataset %1$s",
            row -> new StoredBlock(
                    row.getString(1), row.getInt(2), new Standing(row.getString(3), row.getString(4), row.getBytes(5))),
            List.of(),
            List.of(
                    key("dataset_id", StoredBlock::dataset),
                    key("block", StoredBlock::block),
                    changing(TEXT, "state", each -> each.standing().state()),
                    changing(TEXT, "loaded_by", each -> each.standing().loadedBy()),
                    changing(BYTES, "rows_digest", each -> each.standing().rowsDigest())));

    /** A statement that selects registrations, each with the accountant of its account. */
    static final String REGISTRATION = """
            SELECT d.id, d.registration, a.accountant FROM dataset d JOIN account a ON a.account = d.account
            """;

    private static final String REGISTRATIONS = REGISTRATION + "WHERE d.account = ?";

    static final DecidingRows<OwnedRows> FINGERPRINTS = new DecidingRows<>(
            "fingerprint",
            "fingerprint %s",
            row -> new OwnedRows(row.getString(1), row.getString(2)),
            List.of(),
            List.of(key("fingerprint", OwnedRows::fingerprint), fixed(TEXT, "account", OwnedRows::account)));

    /** The chain has one owner, the empty text. */
    private static final String FINGERPRINT_KEY = "SELECT position, check_value FROM used_fingerprint_key WHERE ? = ''";

    /** @param registeredAt the time of the registration, in whole milliseconds */
    record StoredDataset(
            String id,
            @Nullable String title,
            String account,
            String custodian,
            Instant registeredAt,
            Standing standing) {
        StoredDataset in(Standing now) {
            return new StoredDataset(id, title, account, custodian, registeredAt, now);
        }

        ListedDataset listed() {
            return new ListedDataset(
                    id, title, account, DatasetState.ofLabel(standing.state()), custodian, registeredAt);
        }
    }

    /**
     * @param account the account that questions about these rows are charged to
     */
    record OwnedRows(String fingerprint, String account) {}

    record StoredBlock(String dataset, int block, Standing standing) {}

    /** @param row a row of {@link #REGISTRATION} */
    static JournaledRow registration(ResultSet row) throws SQLException {
        return registration(row.getString(1), row.getBytes(2), row.getString(3));
    }

    /** @param accountant the accountant of its account, which no other entry records */
    static JournaledRow registration(String id, byte[] registration, String accountant) {
        return new JournaledRow(
                "registration of dataset " + id,
                new CanonicalBytes().bytes(Sha256.of(registration)).text(accountant));
    }

    static JournaledRow fingerprintKey(long position, String checkValue) {
        return new JournaledRow("fingerprint key " + position, new CanonicalBytes().text(checkValue));
    }

    @Bean
    JournaledRows registeredDatasets() {
        return DATASETS.journaled("datasets", Chain.Kind.ACCOUNT, "WHERE r.account = ?", JournaledRows.Ending.NONE);
    }

    @Bean
    JournaledRows loadedBlocks() {
        return BLOCKS.journaled(
                "blocks",
                Chain.Kind.ACCOUNT,
                "JOIN dataset d ON d.id = r.dataset_id WHERE d.account = ?",
                JournaledRows.Ending.NONE);
    }

    @Bean
    JournaledRows registrations() {
        return new JournaledRows("registrations", Chain.Kind.ACCOUNT, REGISTRATIONS, JournaledDatasets::registration);
    }

    @Bean
    JournaledRows ownedFingerprints() {
        return FINGERPRINTS.journaled(
                "fingerprints", Chain.Kind.ACCOUNT, "WHERE r.account = ?", JournaledRows.Ending.NONE);
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
