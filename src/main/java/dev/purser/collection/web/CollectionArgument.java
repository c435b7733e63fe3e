package dev.purser.collection.web;

import dev.purser.access.Principal;
import dev.purser.collection.CollectionFor;
import dev.purser.collection.StoredCollection;
import dev.purser.collection.VisibleCollections;
import dev.purser.http.HandlerArguments;
import dev.purser.http.TypedArgument;
import io.swagger.v3.oas.models.Operation;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Objects;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;

/** The collection or training of a path. It comes after the principal who wants it. */
@Component
final class CollectionArgument extends TypedArgument<StoredCollection> {
    private final VisibleCollections visible;

    CollectionArgument(VisibleCollections visible) {
        super(StoredCollection.class);
        this.visible = visible;
    }

    @Override
    protected StoredCollection of(HttpServletRequest request, HttpServletResponse response, MethodParameter parameter) {
        Principal principal = HandlerArguments.of(request).get(Principal.class);
        String id = inPath(request, "id");
        CollectionFor wanted = Objects.requireNonNull(parameter.getParameterAnnotation(CollectionFor.class));
        return switch (wanted.value()) {
            case READING -> visible.require(principal, wanted.kind(), id);
            case CLOSING -> visible.requireOwn(principal, wanted.kind(), id);
            case DELETING -> visible.requireOwnEvenDeleted(principal, wanted.kind(), id);
        };
    }

    @Override
    protected void describe(Operation operation, MethodParameter parameter) {
        describeInPath(operation, "id");
    }
}
