package dev.purser.dataset;

import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyUnit;
import java.util.List;
import java.util.Optional;

/**
 * What a custodian declares when registering a dataset. It is kept as the bytes that were sent and read by the same {@link
 * RegistrationReader} ever after, so there is one description of it and not two.
 *
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
        String accountant,
        boolean declaredPublic,
        Optional<String> sharesAccountWith) {}
