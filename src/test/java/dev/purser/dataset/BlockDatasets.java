package dev.purser.dataset;

import dev.purser.json.JsonDocument;
import dev.purser.privacy.NeighboringRelation;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

import static dev.purser.json.JsonText.quoted;

/** Datasets with blocks as a test needs them. */
public final class BlockDatasets {
    private BlockDatasets() {}

    /** A dataset that is divided by a column {@code n} from 0 to 999 into ten blocks. */
    public static Dataset byHundreds(ReadyBlocks ready) {
        return of(quoted("[{'name':'n','type':'integer','lower':0,'upper':999,'missing':0}]"), """
                {"column":"n","width":100}""", ready);
    }

    /** A dataset whose privacy unit is the row, with add-or-remove-one. */
    public static Dataset of(String columns, String blocks, ReadyBlocks ready) {
        return of(columns, NeighboringRelation.ADD_OR_REMOVE_ONE, blocks, ready);
    }

    /** A dataset whose privacy unit is the row, if such a registration is accepted. */
    public static Dataset of(String columns, NeighboringRelation relation, String blocks, ReadyBlocks ready) {
        String body = """
                {"id":"meters","columns":%s,"privacyUnit":{"type":"row"},"neighboringRelation":"%s",
                "maxRows":1000,"budget":{"epsilon":"1"},"blocks":%s}""".formatted(columns, relation.label(), blocks);
        Registration registration =
                JsonDocument.parse(body.getBytes(StandardCharsets.UTF_8)).read(RegistrationReader::read);
        return new Dataset(
                registration,
                "0".repeat(64),
                "meters",
                DatasetState.READY,
                "custodian",
                Instant.EPOCH,
                null,
                ready,
                Map.of());
    }
}
