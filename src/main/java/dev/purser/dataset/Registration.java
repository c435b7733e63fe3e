package dev.purser.dataset;

import dev.purser.accounting.Accountant;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyUnit;
import java.util.List;
import java.util.Optional;

/**
 * The declaration of a custodian that registers a dataset. The sent bytes are stored, and {@link RegistrationReader}
 * reads them each time, so there is only one form of it.
 *
 * @param budget the limit's epsilon and delta as declared; {@link Accountant#limit} converts them to the account's
 *     limit
 * @param source where the rows are
 * @param declaredPublic the custodian states that the rows are public or synthetic
 * @param declaredOtherPeople the custodian states that equal rows of another account are about other people
 * @param blocks how the rows are divided, each part with a budget of its own; empty if they are not
 * @param sharesAccountWith the dataset whose ledger account this one uses, for rows that are in both
 */
public record Registration(
        String id,
        Optional<String> title,
        List<Column> columns,
        PrivacyUnit privacyUnit,
        NeighboringRelation neighboringRelation,
        long maxRows,
        PrivacyAmount budget,
        Accountant accountant,
        Source source,
        boolean declaredPublic,
        boolean declaredOtherPeople,
        Optional<BlockDivision> blocks,
        Optional<String> sharesAccountWith) {
    /**
     * The same registration with some of its blocks alone. Its {@code maxRows} are those of all these blocks together.
     */
    Registration part(BlockWindow window) {
        return new Registration(
                id,
                title,
                columns,
                privacyUnit,
                neighboringRelation,
                maxRows * window.size(),
                budget,
                accountant,
                source,
                declaredPublic,
                declaredOtherPeople,
                blocks.map(division -> division.part(window)),
                sharesAccountWith);
    }
}
