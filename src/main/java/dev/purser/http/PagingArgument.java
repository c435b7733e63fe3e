package dev.purser.http;

import dev.purser.openapi.Schemas;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import dev.purser.store.Order;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.QueryParameter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;

/** Reads the parameters of a list. */
@Component
final class PagingArgument extends TypedArgument<Paging> {
    PagingArgument() {
        super(Paging.class);
    }

    @Override
    protected Paging of(HttpServletRequest request, HttpServletResponse response, MethodParameter parameter) {
        String limit = request.getParameter("limit");
        String order = request.getParameter("order");
        String after = request.getParameter("after");
        return new Paging(
                after == null ? "" : after,
                limit == null || limit.isEmpty() ? Paging.BY_DEFAULT : limit(limit),
                order == null || order.isEmpty() ? usual(parameter) : order(order));
    }

    private static Order usual(MethodParameter parameter) {
        return parameter.hasParameterAnnotation(NewestFirst.class) ? Order.DESC : Order.ASC;
    }

    @Override
    protected void describe(Operation operation, MethodParameter parameter) {
        operation
                .addParametersItem(parameter("after", Page.AFTER, Schemas.withDefault("string", "")))
                .addParametersItem(parameter(
                        "limit",
                        null,
                        Schemas.withDefault("integer", Paging.BY_DEFAULT)
                                .format("int32")
                                .minimum(BigDecimal.ONE)
                                .maximum(BigDecimal.valueOf(Paging.MOST))))
                .addParametersItem(parameter(
                        "order",
                        null,
                        Schemas.withDefault("string", usual(parameter).toString())
                                .description("`desc` begins with the newest items where a list is ordered by time.")
                                ._enum(Arrays.stream(Order.values())
                                        .<Object>map(Order::toString)
                                        .toList())));
    }

    private static Parameter parameter(String name, @Nullable String description, Schema<?> schema) {
        return new QueryParameter()
                .name(name)
                .description(description)
                .required(false)
                .schema(schema);
    }

    private static int limit(String sent) {
        int limit;
        try {
            limit = Integer.parseInt(sent);
        } catch (NumberFormatException isNone) {
            throw refused("limit", "an integer");
        }
        if (limit < 1) {
            throw refused("limit", "greater than or equal to 1");
        }
        if (limit > Paging.MOST) {
            throw refused("limit", "less than or equal to " + Paging.MOST);
        }
        return limit;
    }

    private static Order order(String sent) {
        return Arrays.stream(Order.values())
                .filter(each -> each.toString().equalsIgnoreCase(sent))
                .findFirst()
                .orElseThrow(() -> refused(
                        "order",
                        "one of "
                                + Arrays.stream(Order.values())
                                        .map(Order::toString)
                                        .collect(Collectors.joining(", "))));
    }

    private static ProblemException refused(String name, String rule) {
        return ProblemException.validation(Violation.ofParameter(name, name + " must be " + rule));
    }
}
