package dev.purser.mechanism;

import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;

class MechanismsTests {
    static final List<Mechanisms.Listing> ALL = Mechanisms.ALL;

    @ParameterizedTest
    @FieldSource("ALL")
    void haveAProofNoteBesideTheirClass(Mechanisms.Listing listing) {
        String folder = listing.type().getPackageName().replace('.', '/');
        Path note = Path.of("src/main/java", folder, listing.type().getSimpleName() + ".md");
        assertThat(note).isNotEmptyFile().content().contains("**Claim.**", "**Preconditions.**", "**Argument.**");
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void haveAuditsOfTheClassThatIsListedUnderTheNameThatAnswersState(Mechanisms.Listing listing) {
        assertThat(AuditCases.SERVED).containsKey(listing.name());
        AuditCases.Served served = Objects.requireNonNull(AuditCases.SERVED.get(listing.name()));
        assertThat(served.under()).isNotEmpty();
        for (Neighborhood neighborhood : served.under()) {
            Mechanism<?> audited = served.made().apply(neighborhood).audit().mechanism();
            assertThat(audited).isExactlyInstanceOf(listing.type());
            assertThat(audited.description().name()).isEqualTo(listing.name());
            assertThat(audited.description().noise()).isEqualTo(listing.noise());
        }
        for (NeighboringRelation relation : NeighboringRelation.values()) {
            assertThat(served.under().stream().anyMatch(neighborhood -> neighborhood.relation() == relation))
                    .as("audited under " + relation)
                    .isEqualTo(listing.relation().contains(relation.label()));
        }
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void sayWhatTheyClaimAndUnderWhat(Mechanisms.Listing listing) {
        assertThat(List.of(listing.claim(), listing.relation(), listing.accuracy(), listing.reference()))
                .noneMatch(String::isBlank);
        assertThat(listing.parameters().getFirst().name()).isEqualTo("epsilon");
    }

    @Test
    void areListedOnceEachAndAllAuditsAreOfListedOnes() {
        assertThat(Mechanisms.ALL.stream().map(Mechanisms.Listing::name))
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(AuditCases.SERVED.keySet());
    }
}
