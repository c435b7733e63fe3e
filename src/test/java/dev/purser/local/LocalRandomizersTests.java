package dev.purser.local;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;

class LocalRandomizersTests {
    static final List<LocalRandomizers.Listing> ALL = LocalRandomizers.ALL;

    @ParameterizedTest
    @FieldSource("ALL")
    void haveAProofNoteBesideTheirClass(LocalRandomizers.Listing listing) {
        String folder = listing.type().getPackageName().replace('.', '/');
        Path note = Path.of("src/main/java", folder, listing.type().getSimpleName() + ".md");
        assertThat(note)
                .isNotEmptyFile()
                .content()
                .contains("**Claim.**", "**Preconditions.**", "**Argument.**", "**Unbiased.**", "**Variance.**");
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void haveAnAuditOfTheClassThatIsListed(LocalRandomizers.Listing listing) {
        assertThat(LocalAuditStatisticalTests.AUDITS).containsKey(listing.name());
        assertThat(Objects.requireNonNull(LocalAuditStatisticalTests.AUDITS.get(listing.name()))
                        .get())
                .isNotEmpty()
                .allSatisfy(audited -> assertThat(audited.audit().randomizer()).isExactlyInstanceOf(listing.type()));
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void sayWhatTheyClaimAndWhereTheyComeFrom(LocalRandomizers.Listing listing) {
        assertThat(listing.type()).isAssignableTo(LocalRandomizer.class);
        assertThat(List.of(listing.claim(), listing.reference())).noneMatch(String::isBlank);
    }

    @Test
    void areListedOnceEachAndAllAuditsAreOfListedOnes() {
        assertThat(ALL.stream().map(LocalRandomizers.Listing::name))
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(LocalAuditStatisticalTests.AUDITS.keySet());
    }
}
