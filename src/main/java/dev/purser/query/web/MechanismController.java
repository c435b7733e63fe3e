package dev.purser.query.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Role;
import dev.purser.http.Pages;
import dev.purser.http.Paging;
import dev.purser.mechanism.Mechanisms;
import dev.purser.store.Order;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.stream.LongStream;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Questions")
class MechanismController {
    private final Pages pages;

    MechanismController(Pages pages) {
        this.pages = pages;
    }

    @GetMapping(path = "/v1/mechanisms", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST, Role.VIEWER, Role.COLLECTOR, Role.AUDITOR, Role.OPERATOR})
    @Operation(
            operationId = "listMechanisms",
            summary = "Lists everything that can release data, and what is not served and why")
    MechanismCatalogue list(Paging paging) {
        return MechanismCatalogue.of(pages.bySequence(
                paging,
                (after, count) -> places(paging.order(), after, count),
                place -> MechanismCatalogue.Item.of(Mechanisms.ALL.get(Math.toIntExact(place - 1))),
                place -> place));
    }

    /** The places of mechanisms in their list, from 1 on, that come after {@code cursor} in this order. */
    private static List<Long> places(Order order, long cursor, int count) {
        int size = Mechanisms.ALL.size();
        LongStream places = switch (order) {
            case ASC -> LongStream.rangeClosed(1, size).filter(place -> place > cursor);
            case DESC ->
                LongStream.rangeClosed(1, size).map(place -> size + 1 - place).filter(place -> place < cursor);
        };
        return places.limit(count).boxed().toList();
    }
}
