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
 * reads them each time, so a registration has only one form.
 *
 * @param budget the limit's epsilon and delta as declared; {@link Accountant#limit} converts them to the account's
 *     limit
 * @param source where the rows are
 * @param declaredPublic the custodian states that the rows are public or synthetic
 * @param declaredOtherPeople the custodian states that equal rows of another account are about other people
 * @param blocks how the rows are divided into blocks, each with a budget of its own; empty if they are not divided
 * @param sharesAccountWith the dataset whose ledger account this dataset uses, for rows that are in both
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
     * The same registration with these blocks alone. Its {@code maxRows} is the sum of the {@code maxRows} of these
     * blocks.
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
