package dev.purser.ledger.proof;

import dev.purser.journal.Head;
import dev.purser.journal.JournalCheck;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.LastBlocks;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationArguments;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The ledger of the running service, with the system's clock, a secure random source, and an anchor in the home. */
@Configuration(proxyBeanMethods = false)
class LedgerConfiguration {
    /**
     * Depends on the open database, which holds the home's lock: no other process can create a key at the same time.
     */
    @Bean
    SigningKeys signingKeys(SigningSettings settings, PurserHome home, @SuppressWarnings("unused") Database database) {
        return SigningKeys.of(home, settings.signingKey().text());
    }

    @Bean
    BudgetLedger budgetLedger(
            Database database,
            PurserHome home,
            SigningKeys keys,
            MeterRegistry meters,
            JournalCheck journal,
            @Value(BudgetLedger.ACCEPTING) boolean accept,
            ApplicationArguments arguments) {
        if (accept) {
            LedgerGuard.accept(
                    database,
                    confirmedIn(home, database, keys),
                    lastBlocks(arguments),
                    Anchor.anew(home, database.key()),
                    Clock.systemUTC(),
                    journal);
        }
        // A ledger inside the home cannot be older than the home. Only a ledger in a separate database can.
        boolean mayBeginAnew = !Files.exists(home.path().resolve("ledger.db"));
        LedgerGuard.open(database, Anchor.read(home, database.key()), mayBeginAnew, journal);
        return new BudgetLedger(database, Clock.systemUTC(), new SecureRandom(), meters);
    }

    /** The last blocks that the operator states with the command. */
    private static LastBlocks lastBlocks(ApplicationArguments arguments) {
        List<String> stated = arguments.getOptionValues("last-block");
        return new LastBlocks(
                stated == null
                        ? Map.of()
                        : stated.stream()
                                .map(each -> each.split("=", 2))
                                .collect(Collectors.toMap(each -> each[0], each -> each[1])));
    }

    private static @Nullable Map<String, Head> confirmedIn(PurserHome home, Database database, SigningKeys keys) {
        try {
            Anchor anchor = Anchor.read(home, database.key());
            return anchor.wasFound() ? anchor.heads() : null;
        } catch (StartupRefusal unreadable) {
            return null;
        }
    }

    @Bean
    Receipts receipts(Database database, SigningKeys keys) {
        return new Receipts(database, keys, Clock.systemUTC());
    }
}
