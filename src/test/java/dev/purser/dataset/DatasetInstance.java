package dev.purser.dataset;

import dev.purser.json.JsonDocument;
import dev.purser.ledger.BudgetLedger;
import dev.purser.store.Database;
import dev.purser.tables.TableConnections;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Map;

import static dev.purser.Records.with;
import static dev.purser.json.JsonText.quoted;

/** The dataset services of one instance, on a ledger and a folder that other instances may share. */
public final class DatasetInstance {
    private static final String ACCOUNT = "account-of-the-inserted";

    private final Database database;
    private final FingerprintKeys keys;
    private final DatasetFiles files;
    private final DatasetCatalog catalog;
    private final DatasetRegistrar registrar;
    private final DatasetLoading loading;
    private final DatasetDeletion deletion;
    private boolean hasInserted;

    /** @param rows the folder of all rows */
    public DatasetInstance(Database database, Path rows, InstanceId id, FingerprintSecret secret) throws IOException {
        this(database, rows, id, new FingerprintKeys(() -> List.of(secret), database));
    }

    /** @param rows the folder of all rows */
    DatasetInstance(Database database, Path rows, InstanceId id, FingerprintKeys keys) throws IOException {
        this.database = database;
        this.keys = keys;
        files = new DatasetFiles(rows, id);
        Fingerprints fingerprints = new Fingerprints(keys);
        TableSources tables = new TableSources(new TableConnections(Map.of()));
        BudgetLedger ledger = new BudgetLedger(database, Clock.systemUTC(), new SecureRandom());
        DatasetTable table = new DatasetTable(ledger, Clock.systemUTC());
        catalog = new DatasetCatalog(database, table, files, tables);
        registrar = new DatasetRegistrar(database, table, ledger, fingerprints, tables, Clock.systemUTC());
        loading = new DatasetLoading(database, files, fingerprints, id);
        deletion = new DatasetDeletion(database, catalog, files, event -> loading.end((DatasetDeleted) event));
    }

    public FingerprintKeys keys() {
        return keys;
    }

    public DatasetFiles files() {
        return files;
    }

    public DatasetCatalog catalog() {
        return catalog;
    }

    public DatasetRegistrar registrar() {
        return registrar;
    }

    public DatasetLoading loading() {
        return loading;
    }

    public DatasetDeletion deletion() {
        return deletion;
    }

    /**
     * Registers a dataset with one column {@code n} from 0 to 9, and at most 9 rows.
     *
     * @param changes more members in single quotes, each starting with a comma
     */
    public Dataset register(String id, String custodian, String changes) {
        String members = quoted(changes);
        byte[] body = """
                {"id":"%s","columns":[{"name":"n","type":"integer","lower":0,"upper":9}],"privacyUnit":{"type":"row"},\
                "neighboringRelation":"add-or-remove-one","maxRows":9,\
                "budget":{"epsilon":"1"}%s}""".formatted(id, members).getBytes(StandardCharsets.UTF_8);
        return registrar.register(JsonDocument.parse(body).read(RegistrationReader::read), body, custodian);
    }

    /**
     * Inserts a dataset with any columns, under one account for all such datasets. It can be loaded but not looked up,
     * because its registration is not stored.
     */
    public Dataset insert(Dataset dataset) {
        if (!hasInserted) {
            register(ACCOUNT, dataset.custodian(), "");
            hasInserted = true;
        }
        database.write(Database.NO_ACCOUNT, transaction -> {
            DatasetTable.insert(
                    transaction,
                    dataset.registration(),
                    new byte[0],
                    ACCOUNT,
                    dataset.custodian(),
                    dataset.registeredAt(),
                    DatasetState.REGISTERED);
            return dataset.id();
        });
        return with(dataset, "account", ACCOUNT, "state", DatasetState.REGISTERED, "rowsDigest", null);
    }

    public DatasetState state(String id) {
        return DatasetState.ofLabel(database.read(connection ->
                        connection.first("SELECT state FROM dataset WHERE id = ?", row -> row.getString(1), id))
                .orElseThrow());
    }
}
