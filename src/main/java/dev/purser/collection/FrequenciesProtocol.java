package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.local.Frequencies;
import dev.purser.local.LocalRandomizers;
import dev.purser.privacy.Epsilon;
import java.util.List;

/** Stands for the protocol of categories whose estimates have the least variance. */
final class FrequenciesProtocol extends CategoriesProtocol {
    FrequenciesProtocol() {
        super("frequencies", List.of());
    }

    @Override
    String listed() {
        return "or " + super.listed() + " for that of least variance; the reply names it";
    }

    @Override
    List<Field<?>> fields() {
        return List.of(EPSILON, CATEGORIES, MAX_REPORT_BITS);
    }

    @Override
    Protocol<?> protocol(Epsilon epsilon, List<String> categories, int maxReportBits) {
        Class<?> chosen = Frequencies.ofLeastVariance(epsilon, categories.size(), maxReportBits)
                .getClass();
        String name = LocalRandomizers.ALL.stream()
                .filter(listing -> listing.type() == chosen)
                .map(LocalRandomizers.Listing::name)
                .findFirst()
                .orElseThrow();
        return Protocols.only(CategoriesProtocol.class)
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseThrow()
                .protocol(epsilon, categories, maxReportBits);
    }
}
