package dev.purser.collection;

import dev.purser.collection.Protocol.Example;
import dev.purser.json.Field;
import dev.purser.json.JsonDocument;
import dev.purser.local.LocalRandomizers;
import dev.purser.noise.SeededBits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.collection.CollectionsForTests.DECLARATIONS;
import static org.assertj.core.api.Assertions.assertThat;

class ProtocolsTests {
    static final List<ProtocolKind> ALL = Protocols.ALL;
    static final List<GradientKind> OF_GRADIENTS = Protocols.OF_GRADIENTS;

    private static final JsonMapper JSON = new JsonMapper();

    private static List<Declared> declared(ProtocolKind kind) {
        assertThat(DECLARATIONS).containsKey(kind.name());
        return CollectionsForTests.declarations(kind.name()).stream()
                .map(body -> CollectionsForTests.declared(body).declared())
                .toList();
    }

    private static Protocol<?> ofGradients(GradientKind kind) {
        return JsonDocument.parse(CollectionsForTests.training(kind))
                .read(TrainingDeclaration::read)
                .protocol();
    }

    @Test
    void areListedOnceAndAllDeclarationsAreOfListedOnes() {
        assertThat(ALL.stream().map(ProtocolKind::name))
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(DECLARATIONS.keySet());
        assertThat(ALL.stream().map(Object::getClass)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void haveExamplesWhoseReportsAreReadAsTheyAreWritten(ProtocolKind kind) {
        Set<String> fields = names(kind.reportFields());
        for (Declared declared : declared(kind)) {
            // The reports have the form of the protocol that was chosen.
            assertReadable(declared.protocol(), fields.isEmpty() ? names(Protocols.ALL_REPORT_FIELDS) : fields);
        }
    }

    @ParameterizedTest
    @FieldSource("OF_GRADIENTS")
    void haveExamplesOfGradientsWhoseReportsAreReadAsTheyAreWritten(GradientKind kind) {
        assertReadable(ofGradients(kind), names(kind.gradientFields()));
    }

    private static Set<String> names(List<Field<?>> fields) {
        return fields.stream().map(Field::name).collect(Collectors.toSet());
    }

    private static <R> void assertReadable(Protocol<R> protocol, Set<String> fields) {
        assertThat(protocol.examples()).isNotEmpty();
        for (Example<R> example : protocol.examples()) {
            R report = example.report().apply(new SeededBits(7));
            Map<String, Object> written = protocol.form().write(report);
            assertThat(written.keySet()).isSubsetOf(fields);
            R read = JsonDocument.parse(JSON.writeValueAsBytes(written)).read(in -> {
                Optional<R> sent = protocol.form().read(in);
                return in.complete(sent::orElseThrow);
            });
            assertThat(protocol.form().write(read)).isEqualTo(written);
        }
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void estimateFromTheirSums(ProtocolKind kind) {
        for (Declared declared : declared(kind)) {
            int quantities = declared.range() == null ? declared.categories().size() : declared.dimensions();
            assertEstimates(declared.protocol(), quantities);
        }
    }

    @ParameterizedTest
    @FieldSource("OF_GRADIENTS")
    void estimateGradientsFromTheirSums(GradientKind kind) {
        assertEstimates(ofGradients(kind), 4);
    }

    private static <R> void assertEstimates(Protocol<R> protocol, int quantities) {
        long[] sums = new long[protocol.sums().tallies()];
        for (Example<R> example : protocol.examples()) {
            protocol.sums().add(example.report().apply(new SeededBits(7)), sums, 0);
        }
        Estimate estimate = protocol.estimator().of(sums, protocol.examples().size(), 0.05);
        assertThat(estimate.values()).hasSize(quantities);
        for (int i = 0; i < quantities; i++) {
            assertThat(estimate.lows()[i]).isLessThanOrEqualTo(estimate.values()[i]);
            assertThat(estimate.highs()[i]).isGreaterThanOrEqualTo(estimate.values()[i]);
            assertThat(estimate.variances()[i]).isPositive();
        }
        assertThat(protocol.basis()).isNotBlank();
        assertThat(protocol.constants()).isNotEmpty();
        assertThat(protocol.together()).isBetween(1, Pieces.MAX);
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void runARandomizerThatIsListedAndDescribedToDevices(ProtocolKind kind) throws Exception {
        String devices = Files.readString(Path.of("docs/devices.md"));
        for (Declared declared : declared(kind)) {
            String randomizer = declared.protocol().randomizer();
            assertThat(LocalRandomizers.ALL.stream().map(LocalRandomizers.Listing::name))
                    .contains(randomizer);
            assertThat(devices).contains("`" + randomizer + "`");
        }
    }
}
