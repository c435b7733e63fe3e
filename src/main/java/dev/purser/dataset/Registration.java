package dev.purser.dataset;

import dev.purser.accounting.Accountant;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyUnit;
import java.util.List;
import java.util.Optional;

/**
 * What a custodian declares when registering a dataset. It is kept as the bytes that were sent and read by the same {@link
 * RegistrationReader} ever after, so there is one description of it and not two.
 *
 * @param budget the limit's epsilon and delta as declared; {@link Accountant#limit} makes the account's limit of them
 * @param source where the rows are
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
        Optional<String> sharesAccountWith) {}
