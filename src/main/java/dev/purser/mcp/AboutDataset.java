package dev.purser.mcp;

import dev.purser.access.Principal;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.RegistrationReader;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.problem.ProblemException;
import java.util.Optional;
import java.util.function.BiFunction;

/** The argument that names a dataset. */
final class AboutDataset {
    private static final String DATASET = "dataset";

    static final Field FIELD = Field.required(
                    DATASET, new FieldType.Text(RegistrationReader.ID), "The id of a dataset, from list_datasets.")
            .withExample("visits");

    private AboutDataset() {}

    /**
     * Reads it.
     *
     * @param find how it is looked up: to be read, or to be asked about
     * @throws ProblemException as {@code find}
     */
    static Optional<Dataset> read(ObjectReader in, Principal principal, BiFunction<Principal, String, Dataset> find) {
        return in.required(DATASET)
                .string(RegistrationReader.ID, "the id of a dataset: " + RegistrationReader.ID_FORM)
                .map(id -> find.apply(principal, id));
    }
}
