package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.privacy.PrivacyAmount;
import java.util.List;
import java.util.Optional;

/** A service without synopses. */
public enum NoOffers implements FreeOffers {
    INSTANCE;

    @Override
    public Optional<Bought> of(Dataset dataset) {
        return Optional.empty();
    }

    @Override
    public Optional<FreeFrom> answering(String principal, Dataset dataset, QuestionRequest question) {
        return Optional.empty();
    }

    @Override
    public Optional<Cheaper> cheaper(Dataset dataset, List<Wanted> plan, PrivacyAmount charge) {
        return Optional.empty();
    }
}
