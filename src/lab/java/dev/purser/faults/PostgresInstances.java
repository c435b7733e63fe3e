package dev.purser.faults;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * One or more services with a PostgreSQL ledger, which may have a synchronous standby. They share one folder of rows.
 */
final class PostgresInstances implements Topology {
    private static final String FINGERPRINT_KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

    private final boolean hasStandby;
    private final String database;
    private final Map<String, String> settings = new HashMap<>();
    private final List<ServiceUnderTest> services = new ArrayList<>();
    private final List<PostgresServer> servers = new ArrayList<>();
    private PostgresServer primary;
    private PostgresServer standby;

    PostgresInstances(Path jar, int port, Path work, int instances, boolean hasStandby, Belongings belongings)
            throws IOException {
        this.hasStandby = hasStandby;
        this.primary = PostgresServer.startOwn("log_min_messages = error");
        servers.add(primary);
        belongings.add(this::putAway);
        LedgerSettings ledger = primary.newDatabase();
        this.database = ledger.user();
        settings.put("PURSER_LEDGER_USER", ledger.user());
        settings.put("PURSER_LEDGER_PASSWORD", ledger.password());
        settings.put("PURSER_LEDGER_SYNCHRONOUS_STANDBY", String.valueOf(hasStandby));
        settings.put("PURSER_DATA", work.resolve("rows").toString());
        settings.put("PURSER_LEDGER_JOURNAL_KEY", ledger.journalKey().text());
        settings.put("PURSER_FINGERPRINT_KEY", FINGERPRINT_KEY);
        for (int i = 0; i < instances; i++) {
            ServiceUnderTest service = new ServiceUnderTest(
                    jar, work.resolve("home" + i), work.resolve("service" + i + ".log"), port + i, settings);
            services.add(service);
        }
        healStore();
    }

    @Override
    public String name() {
        return "PostgreSQL, " + services.size() + (services.size() == 1 ? " instance" : " instances")
                + (hasStandby ? ", synchronous standby" : "");
    }

    @Override
    public List<ServiceUnderTest> services() {
        return services;
    }

    @Override
    public StoredBooks books() throws SQLException {
        LedgerSettings ledger = primary.settings(database);
        return new StoredBooks(DriverManager.getConnection(ledger.url(), ledger.user(), ledger.password()));
    }

    @Override
    public List<Nemesis> nemeses() {
        List<Nemesis> all = new ArrayList<>(List.of(new Nemesis.Kill(), new Nemesis.Pause(), new Stop()));
        if (hasStandby) {
            all.add(new Failover());
        }
        return all;
    }

    /** After a failover, the new primary gets a standby of its own. */
    @Override
    public void healStore() throws IOException {
        if (hasStandby && standby == null) {
            standby = primary.standby();
            servers.add(standby);
        }
        settings.put("PURSER_LEDGER_URL", primary.settings(database).url());
    }

    /** The database is stopped hard and started again, twice. The services reconnect by themselves. */
    private final class Stop implements Nemesis {
        @Override
        public String name() {
            return "postgres-stop";
        }

        @Override
        public int strike(Battle battle, RandomGenerator random) throws IOException, InterruptedException {
            for (int i = 0; i < 2; i++) {
                Thread.sleep(random.nextInt(200, 1_500));
                primary.stopImmediately();
                primary.start();
            }
            Thread.sleep(random.nextInt(200, 1_500));
            return 2;
        }
    }

    /** The primary is gone for good, and the standby takes its place. */
    private final class Failover implements Nemesis {
        @Override
        public String name() {
            return "postgres-failover";
        }

        @Override
        public int strike(Battle battle, RandomGenerator random) throws IOException, InterruptedException {
            Thread.sleep(random.nextInt(200, 2_000));
            PostgresServer gone = primary;
            // On one machine a standby is never far behind. So it receives nothing for a while, and nothing may be
            // acknowledged.
            standby.leavePrimary();
            Thread.sleep(random.nextInt(300, 800));
            gone.stopImmediately();
            standby.promote();
            primary = standby;
            standby = null;
            Thread.sleep(random.nextInt(50, 500));
            servers.remove(gone);
            gone.close();
            return 1;
        }
    }

    /** The tables are lost with the server. The findings and the witness's log say what broke. */
    @Override
    public void end(Path kept) throws InterruptedException {
        putAway();
    }

    private synchronized void putAway() throws InterruptedException {
        for (ServiceUnderTest service : services) {
            service.kill();
        }
        servers.forEach(PostgresServer::close);
        servers.clear();
    }
}
