package dev.purser.ledger;

import dev.purser.store.StartupRefusal;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ForfeitureTests extends OneAccountLedger {
    @Test
    void refusesWhileAnotherInstanceWrites() {
        Account account = open.database.read(connection ->
                new SqlBooks(connection).account(OpenLedger.ACCOUNT).orElseThrow());
        Books losing = (Books) Proxy.newProxyInstance(
                Books.class.getClassLoader(),
                new Class<?>[] {Books.class},
                (proxy, method, arguments) -> method.getName().equals("append") ? false : Optional.of(account));
        Forfeiture forfeiture = new Forfeiture(losing, new LastBlocks(Map.of()));

        assertThatThrownBy(() -> forfeiture.charge(OpenLedger.ACCOUNT, Instant.EPOCH))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("was changed while it was being accepted");
    }
}
