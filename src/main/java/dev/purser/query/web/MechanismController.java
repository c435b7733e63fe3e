package dev.purser.query.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Role;
import dev.purser.json.Order;
import dev.purser.json.Page;
import dev.purser.json.Pages;
import dev.purser.mechanism.Mechanisms;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Questions")
class MechanismController {
    private final Pages pages;

    MechanismController(Pages pages) {
        this.pages = pages;
    }

    @GetMapping(path = "/v1/mechanisms", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST, Role.COLLECTOR, Role.AUDITOR, Role.OPERATOR})
    @Operation(
            operationId = "listMechanisms",
            summary = "Lists everything that can release data, and what is not served and why")
    MechanismCatalogue list(
            @Parameter(description = Page.AFTER) @RequestParam(defaultValue = "") String after,
            @RequestParam(defaultValue = "100") @Min(1) @Max(1000) int limit,
            @RequestParam(defaultValue = "asc") Order order) {
        return MechanismCatalogue.of(pages.of(
                limit,
                limit + 1,
                (@Nullable Long last, int count) ->
                        places(order, last == null ? order.afterSequence(after) : last, count),
                place -> MechanismCatalogue.Item.of(Mechanisms.ALL.get(Math.toIntExact(place - 1))),
                String::valueOf));
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
