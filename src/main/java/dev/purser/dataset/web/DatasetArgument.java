package dev.purser.dataset.web;

import dev.purser.access.Principal;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFor;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.http.HandlerArguments;
import dev.purser.http.TypedArgument;
import io.swagger.v3.oas.models.Operation;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Objects;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;

/** The dataset of a path. It comes after the principal who wants it. */
@Component
final class DatasetArgument extends TypedArgument<Dataset> {
    private final VisibleDatasets datasets;

    DatasetArgument(VisibleDatasets datasets) {
        super(Dataset.class);
        this.datasets = datasets;
    }

    @Override
    protected Dataset of(HttpServletRequest request, HttpServletResponse response, MethodParameter parameter) {
        Principal principal = HandlerArguments.of(request).get(Principal.class);
        String id = inPath(request, "id");
        DatasetFor.Use use = Objects.requireNonNull(parameter.getParameterAnnotation(DatasetFor.class))
                .value();
        return switch (use) {
            case READING -> datasets.require(principal, id);
            case ASKING -> datasets.requireReady(principal, id);
            case ACCOUNTING -> datasets.requireEvenDeleted(principal, id);
            case CHANGING -> datasets.requireOwn(principal, id);
            case DELETING -> datasets.requireOwnEvenDeleted(principal, id);
        };
    }

    @Override
    protected void describe(Operation operation, MethodParameter parameter) {
        describeInPath(operation, "id");
    }
}
