package dev.purser.watch;

import dev.purser.access.Principal;
import dev.purser.ledger.StoredAnswer;
import dev.purser.problem.ProblemException;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.catalina.AccessLog;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Times every request ({@code http.server.requests}) and logs one line after its response was sent, except for health
 * checks. The line has the principal, the method and the pattern of the address, the dataset, the status, the duration,
 * the question, and the type of problem. The container calls it for every response, including responses that no code of
 * the service has seen.
 *
 * <p>A refusal has the status of its {@linkplain ProblemException#recordedType recorded type}, which does not depend on
 * rows.
 *
 * <p>The facts about the request are read from its attributes, which are named like their classes: the
 * {@link Principal}, the {@link StoredAnswer} of a question, and the {@link ProblemException} of a refusal.
 *
 * <p>Every request has an id, under which all lines of the log about it can be found. The sender, such as a proxy, may
 * give the id in {@code X-Request-Id}, and the response repeats it. Otherwise the id is random.
 *
 * <p>The line contains no body, no value, no key and no address as it was sent. An id from the address appears only if
 * it has the form of an id, so a client cannot write other text into the log.
 */
final class RequestLog extends ValveBase implements AccessLog {
    private static final Logger LOG = LoggerFactory.getLogger("dev.purser.requests");
    private static final String NONE = "-";
    private static final String HEALTH = "/actuator/health";
    private static final String DATASET = "/v1/datasets/{id}";
    private static final Pattern DATASET_ID = Pattern.compile("[a-z][a-z0-9-]{0,62}");
    private static final Pattern QUESTION_ID = Pattern.compile("[0-9A-Z]{26}");
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE");

    private static final String ID_HEADER = "X-Request-Id";
    private static final Pattern REQUEST_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** The name of a request in the log, and of the attribute that has it. */
    private static final String ID = "http.request.id";

    private final MeterRegistry meters;

    RequestLog(MeterRegistry meters) {
        super(true);
        this.meters = meters;
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        String sent = request.getHeader(ID_HEADER);
        boolean isNamed = sent != null && REQUEST_ID.matcher(sent).matches();
        String id = isNamed ? sent : UUID.randomUUID().toString();
        request.setAttribute(ID, id);
        if (isNamed) {
            response.setHeader(ID_HEADER, id);
        }
        try (MDC.MDCCloseable named = MDC.putCloseable(ID, id)) {
            getNext().invoke(request, response);
        }
    }

    @Override
    public void log(@Nullable Request request, Response response, long nanos) {
        if (request == null) {
            return;
        }
        int status = status(request, response.getStatus());
        String route = route(request);
        // The method is null if the first line of the request could not be read.
        String sent = Objects.requireNonNullElse(request.getMethod(), NONE);
        String method = METHODS.contains(sent) ? sent : NONE;
        meters.timer("http.server.requests", "method", method, "uri", route, "status", String.valueOf(status))
                .record(nanos, TimeUnit.NANOSECONDS);
        if (LOG.isInfoEnabled() && !isHealthCheck(request)) {
            write(request, method, route, status, nanos);
        }
    }

    private static int status(Request request, int sent) {
        return sent >= 400 && request.getAttribute(ProblemException.class.getName()) instanceof ProblemException refusal
                ? refusal.recordedType().status()
                : sent;
    }

    private static void write(Request request, String method, String route, int status, long nanos) {
        String who = Principal.of(request).map(Principal::name).orElse(NONE);
        String dataset = route.startsWith(DATASET) ? variable(request, "id", DATASET_ID) : NONE;
        String query = queryId(request);
        String problem = request.getAttribute(ProblemException.class.getName()) instanceof ProblemException refusal
                ? refusal.recordedType().slug()
                : NONE;
        long millis = nanos / 1_000_000;
        LOG.atInfo()
                .addKeyValue("user.name", who)
                .addKeyValue("http.request.method", method)
                .addKeyValue("http.route", route)
                .addKeyValue("http.response.status_code", status)
                .addKeyValue("event.duration", nanos)
                .addKeyValue(ID, Objects.requireNonNullElse(request.getAttribute(ID), NONE))
                .addKeyValue("purser.dataset", dataset)
                .addKeyValue("purser.query", query)
                .addKeyValue("purser.problem", problem)
                .log("{} {} {} {} {} {}ms {} {}", who, method, route, dataset, status, millis, query, problem);
    }

    private static boolean isHealthCheck(Request request) {
        String path = request.getRequestURI();
        return path != null && (path.equals(HEALTH) || path.startsWith(HEALTH + "/"));
    }

    /** The pattern that an operation is registered with, which contains no value of the address. */
    private static String route(Request request) {
        Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
        if (pattern == null || pattern.equals("/error")) {
            return NONE;
        }
        // A path with a choice of words, as {kind:count|sum}, is shown with the word that was sent.
        String shown = pattern.toString();
        int words = shown.indexOf("{kind:");
        return words < 0 ? shown : shown.substring(0, words) + variable(request, "kind", DATASET_ID);
    }

    private static String queryId(Request request) {
        if (request.getAttribute(StoredAnswer.class.getName()) instanceof StoredAnswer answer) {
            return answer.queryId();
        }
        // This is the id of a question that was charged and not answered.
        return request.getAttribute(ProblemException.class.getName()) instanceof ProblemException refusal
                        && refusal.members().get("queryId") instanceof String charged
                ? charged
                : variable(request, "queryId", QUESTION_ID);
    }

    private static String variable(Request request, String name, Pattern form) {
        return request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> variables
                        && variables.get(name) instanceof String value
                        && form.matcher(value).matches()
                ? value
                : NONE;
    }

    /** Does nothing, because the sender's address is not logged. */
    @Override
    public void setRequestAttributesEnabled(boolean enabled) {}

    @Override
    public boolean getRequestAttributesEnabled() {
        return false;
    }
}
