package dev.purser.settings;

import dev.purser.access.AccessSettings;
import dev.purser.query.ReleaseSettings;
import dev.purser.store.StoreSettings;
import dev.purser.tables.ConnectionSettings;
import dev.purser.tables.TableSettings;
import dev.purser.upload.UploadSettings;
import java.net.InetAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Logs which protections are on. It covers the protections that a setting can switch. */
@Component
final class Protections {
    private static final Logger LOG = LoggerFactory.getLogger("dev.purser");

    private final ServerProperties server;
    private final AccessSettings access;
    private final ReleaseSettings release;
    private final UploadSettings upload;
    private final StoreSettings store;
    private final TableSettings tables;

    Protections(
            ServerProperties server,
            AccessSettings access,
            ReleaseSettings release,
            UploadSettings upload,
            StoreSettings store,
            TableSettings tables) {
        this.server = server;
        this.access = access;
        this.release = release;
        this.upload = upload;
        this.store = store;
        this.tables = tables;
    }

    @EventListener(ApplicationReadyEvent.class)
    void print() {
        InetAddress address = server.getAddress();
        line(address != null && address.isLoopbackAddress(), "only this machine can connect", "server.address");
        line(
                access.web().allowedOrigins().isEmpty(),
                "pages of other sites are kept out",
                "purser.web.allowed-origins");
        line(release.quantised(), "answers leave at whole numbers of quanta", "purser.release.quantised");
        line(!upload.sandbox().isBlank(), "Parquet is read in a sandbox", "purser.upload.sandbox");
        if (!store.ledger().isEmbedded()) {
            line(
                    store.ledger().synchronousStandby(),
                    "commits wait for a standby",
                    "purser.ledger.synchronous-standby");
        }
        tables.connections()
                .forEach((name, connection) -> line(
                        connection.tls() == ConnectionSettings.Tls.VERIFY,
                        "the connection " + name + " is encrypted to a verified server",
                        "purser.connections." + name + ".tls"));
    }

    private static void line(boolean on, String protection, String setting) {
        LOG.info("Protection {}: {} ({})", on ? "on" : "off", protection, setting);
    }
}
