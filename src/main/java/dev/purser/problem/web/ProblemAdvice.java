package dev.purser.problem.web;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.coyote.BadRequestException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.TypeMismatchException;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.BindException;
import org.springframework.validation.FieldError;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MissingRequestHeaderException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.context.request.async.AsyncRequestTimeoutException;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.multipart.MaxUploadSizeExceededException;

/**
 * Renders every refusal and every failure as HTTP. An exception of the framework becomes the problem type with the same
 * meaning. Any other exception becomes an internal error without details.
 */
@RestControllerAdvice
final class ProblemAdvice {
    private final ProblemWriter writer;

    ProblemAdvice(ProblemWriter writer) {
        this.writer = writer;
    }

    @ExceptionHandler(Throwable.class)
    void render(Throwable failure, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!isOfLostClient(failure)) {
            writer.write(problemOf(failure), request, response);
        }
    }

    /** Whether the client has disconnected. Code that writes a reply may wrap this failure. */
    private static boolean isOfLostClient(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof AsyncRequestNotUsableException || cause instanceof ClientAbortException) {
                return true;
            }
        }
        return false;
    }

    private static ProblemException problemOf(Throwable failure) {
        return switch (failure) {
            case ProblemException problem -> problem;
            case HttpRequestMethodNotSupportedException method -> methodNotAllowed(method);
            case HttpMediaTypeNotSupportedException mediaType -> unsupportedMediaType(mediaType);
            case HttpMediaTypeNotAcceptableException accept -> notAcceptable(accept);
            case MissingServletRequestParameterException missing ->
                ofParameter(missing.getParameterName(), missing.getParameterName() + " is required");
            case MissingRequestHeaderException missing ->
                ProblemException.validation(
                        Violation.ofHeader(missing.getHeaderName(), missing.getHeaderName() + " is required"));
            case MethodArgumentTypeMismatchException mismatch -> mistyped(mismatch);
            case HandlerMethodValidationException invalid -> invalid(invalid);
            case BindException invalid -> invalid(invalid);
            case HttpMessageNotReadableException unreadable -> ofUnreadable(unreadable);
            case MaxUploadSizeExceededException tooLarge ->
                ProblemException.of(
                        ProblemType.PAYLOAD_TOO_LARGE,
                        tooLarge.getMaxUploadSize() < 0
                                ? "the body is too large"
                                : "the body must have at most " + DataSize.ofBytes(tooLarge.getMaxUploadSize()));
            case AsyncRequestTimeoutException _ ->
                ProblemException.of(ProblemType.TEMPORARILY_UNAVAILABLE, "the answer took too long");
            case AccessDeniedException _ -> ProblemException.of(ProblemType.FORBIDDEN, "The key does not permit this");
            case AuthenticationException _ -> unauthorized();
            // This also happens in an operation, because a header field is examined when it is read.
            case RequestRejectedException _ ->
                ProblemException.of(
                        ProblemType.MALFORMED_REQUEST, "the path or a header field has a form that is refused here");
            case SocketTimeoutException _ ->
                ProblemException.of(ProblemType.REQUEST_TIMEOUT, "the body did not arrive in time");
            case InvalidParameterException _ -> malformedParameters();
            case BadRequestException _, EOFException _ ->
                ProblemException.of(
                        ProblemType.MALFORMED_REQUEST, "the body does not match its framing headers, or ended early");
            case ErrorResponse response -> ofStatus(response.getStatusCode().value(), failure);
            default -> InternalErrors.of(failure);
        };
    }

    /** The problem of a query string that cannot be decoded, or has too many parameters. */
    static ProblemException malformedParameters() {
        return ProblemException.of(
                ProblemType.MALFORMED_REQUEST,
                "the query string must have at most 100 parameters, each with a name, in UTF-8 and percent-encoded");
    }

    /** The problem for a status alone. */
    static ProblemException ofStatus(int status, Throwable failure) {
        return switch (status) {
            case 400 ->
                ProblemException.of(
                        ProblemType.MALFORMED_REQUEST, "the request is not well-formed HTTP, or ended early");
            case 401 -> unauthorized();
            case 403 -> ProblemException.of(ProblemType.FORBIDDEN, "The key does not permit this");
            case 404 -> ProblemException.of(ProblemType.NOT_FOUND, "There is nothing at this address");
            case 405 ->
                // The connector refuses TRACE, and lists methods that only other addresses have.
                ProblemException.of(
                                ProblemType.METHOD_NOT_ALLOWED,
                                "the method is not allowed here; ask with OPTIONS which ones are")
                        .offering("OPTIONS");
            case 406 -> ProblemException.of(ProblemType.NOT_ACCEPTABLE, "no offered media type is acceptable");
            case 408 -> ProblemException.of(ProblemType.REQUEST_TIMEOUT, "the request did not arrive in time");
            case 413 -> ProblemException.of(ProblemType.PAYLOAD_TOO_LARGE, "the body is too large");
            case 415 -> ProblemException.of(ProblemType.UNSUPPORTED_MEDIA_TYPE, "the media type is not supported here");
            case 429 -> ProblemException.of(ProblemType.TOO_MANY_REQUESTS, "too many requests");
            case 431 ->
                ProblemException.of(
                        ProblemType.HEADER_TOO_LARGE,
                        "request line and header fields must have at most 16384 bytes together");
            case 501, 505 ->
                ProblemException.of(
                        ProblemType.MALFORMED_REQUEST,
                        "the request uses a version, method or transfer coding of HTTP that is not supported");
            case 503 -> ProblemException.of(ProblemType.TEMPORARILY_UNAVAILABLE, "the service cannot answer right now");
            default ->
                status >= 400 && status < 500
                        ? ProblemException.of(ProblemType.MALFORMED_REQUEST, "the request cannot be understood")
                        : InternalErrors.of(failure);
        };
    }

    private static ProblemException unauthorized() {
        return ProblemException.of(
                ProblemType.UNAUTHORIZED, "Send a valid key in the header Authorization: Bearer <key>");
    }

    private static ProblemException methodNotAllowed(HttpRequestMethodNotSupportedException failure) {
        Set<String> methods = new TreeSet<>();
        if (failure.getSupportedMethods() != null) {
            methods.addAll(Arrays.asList(failure.getSupportedMethods()));
            methods.add("OPTIONS");
        }
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        String allowed = String.join(", ", methods);
        String detail = allowed.isEmpty() ? "no method is allowed here" : "the method must be one of " + allowed;
        return ProblemException.of(ProblemType.METHOD_NOT_ALLOWED, detail).offering(allowed);
    }

    private static ProblemException unsupportedMediaType(HttpMediaTypeNotSupportedException failure) {
        String supported = list(failure.getSupportedMediaTypes());
        return ProblemException.of(
                        ProblemType.UNSUPPORTED_MEDIA_TYPE,
                        supported.isEmpty()
                                ? "the media type is not supported here"
                                : "Content-Type must be " + supported)
                .offering(supported);
    }

    private static ProblemException notAcceptable(HttpMediaTypeNotAcceptableException failure) {
        String offered = list(failure.getSupportedMediaTypes());
        return ProblemException.of(
                ProblemType.NOT_ACCEPTABLE,
                offered.isEmpty() ? "the Accept header cannot be understood" : "Accept must admit " + offered);
    }

    private static String list(List<MediaType> types) {
        return types.stream().map(MediaType::toString).distinct().collect(Collectors.joining(", "));
    }

    /** An ill-formed identifier in the path names no existing resource. */
    private static ProblemException mistyped(MethodArgumentTypeMismatchException failure) {
        if (failure.getParameter().hasParameterAnnotation(PathVariable.class)) {
            return ofStatus(404, failure);
        }
        String detail = failure.getName() + " must be " + expected(failure);
        return failure.getParameter().hasParameterAnnotation(RequestHeader.class)
                ? ProblemException.validation(Violation.ofHeader(failure.getName(), detail))
                : ofParameter(failure.getName(), detail);
    }

    private static String expected(TypeMismatchException failure) {
        Class<?> type = failure.getRequiredType();
        if (type == null) {
            return "of another form";
        }
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(Object::toString)
                            .collect(Collectors.joining(", "));
        }
        if (type == Instant.class) {
            return "an instant in UTC as in RFC 3339, such as 2026-01-31T12:00:00Z";
        }
        return type == Integer.class || type == int.class || type == Long.class || type == long.class
                ? "an integer"
                : "a " + type.getSimpleName();
    }

    private static ProblemException invalid(HandlerMethodValidationException failure) {
        return ProblemException.validation(failure.getParameterValidationResults().stream()
                .flatMap(result -> result.getResolvableErrors().stream()
                        .map(error -> violation(result, error.getDefaultMessage())))
                .limit(100)
                .toList());
    }

    private static Violation violation(ParameterValidationResult result, @Nullable String message) {
        MethodParameter parameter = result.getMethodParameter();
        String name = Objects.requireNonNullElse(parameter.getParameterName(), "parameter");
        return Violation.ofParameter(name, name + " " + Objects.requireNonNullElse(message, "breaks a rule"));
    }

    private static ProblemException invalid(BindException failure) {
        return ProblemException.validation(failure.getAllErrors().stream()
                .map(error -> error instanceof FieldError field ? field.getField() : error.getObjectName())
                .distinct()
                .limit(100)
                .map(name -> Violation.ofParameter(name, name + " breaks a rule"))
                .toList());
    }

    private static ProblemException ofUnreadable(HttpMessageNotReadableException failure) {
        return failure.getCause() instanceof SocketTimeoutException timeout
                ? problemOf(timeout)
                : ProblemException.of(ProblemType.MALFORMED_REQUEST, "the body is not well-formed");
    }

    private static ProblemException ofParameter(String name, String detail) {
        return ProblemException.validation(Violation.ofParameter(name, detail));
    }
}
