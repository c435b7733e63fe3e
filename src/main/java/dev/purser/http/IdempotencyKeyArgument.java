package dev.purser.http;

import dev.purser.openapi.Schemas;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;

/** The key of a request that spends. Every response states it, so that a request without a key can be repeated. */
@Component
final class IdempotencyKeyArgument extends TypedArgument<IdempotencyKey> {
    private static final String HEADER = IdempotencyKey.HEADER;
    private static final Pattern VISIBLE_ASCII = Pattern.compile("[\\x21-\\x7e]{1,255}");
    private static final int RANDOM_BYTES = 16;

    private final SecureRandom random = new SecureRandom();

    IdempotencyKeyArgument() {
        super(IdempotencyKey.class);
    }

    @Override
    protected IdempotencyKey of(HttpServletRequest request, HttpServletResponse response, MethodParameter parameter) {
        String said = response.getHeader(HEADER);
        String key = said == null ? sent(request) : said;
        response.setHeader(HEADER, key);
        return new IdempotencyKey(key);
    }

    @Override
    protected void describe(Operation operation, MethodParameter parameter) {
        Parameter declared = Objects.requireNonNull(parameter.getParameterAnnotation(Parameter.class));
        operation.addParametersItem(new HeaderParameter()
                .name(HEADER)
                .description(declared.description())
                .schema(Schemas.typed("string")));
        operation
                .getResponses()
                .forEach((status, response) -> response.addHeaderObject(
                        HEADER,
                        new Header()
                                .description("The request's key, or the one made for it.")
                                .schema(Schemas.typed("string"))));
    }

    private String sent(HttpServletRequest request) {
        List<String> sent = Collections.list(request.getHeaders(HEADER));
        if (sent.isEmpty()) {
            byte[] bytes = new byte[RANDOM_BYTES];
            random.nextBytes(bytes);
            return HexFormat.of().formatHex(bytes);
        }
        if (sent.size() > 1 || !VISIBLE_ASCII.matcher(sent.getFirst()).matches()) {
            throw ProblemException.validation(
                    Violation.ofHeader(HEADER, HEADER + " must be sent once, as 1 to 255 visible ASCII characters"));
        }
        return sent.getFirst();
    }
}
