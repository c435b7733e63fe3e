package dev.purser.http;

import dev.purser.admission.AdmissionControl;
import dev.purser.admission.Turns;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.MediaType;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Limits how many long replies a principal receives at a time. A reply counts from its making until it is sent, so a
 * client that reads slowly occupies its own turn.
 */
@Configuration(proxyBeanMethods = false)
public class LongReplies implements WebMvcConfigurer {
    private static final String NAME = LongReplies.class.getName();

    private final AdmissionControl admission;

    public LongReplies(AdmissionControl admission) {
        this.admission = admission;
    }

    /** This interceptor comes after all interceptors that refuse a request for its contents. */
    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new HandlerInterceptor() {
                    @Override
                    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
                        if (handler instanceof HandlerMethod method) {
                            begin(request, method);
                        }
                        return true;
                    }
                })
                .order(Ordered.LOWEST_PRECEDENCE);
    }

    private void begin(HttpServletRequest request, HandlerMethod handler) {
        LongReply reply = handler.getMethodAnnotation(LongReply.class);
        GetMapping get = handler.getMethodAnnotation(GetMapping.class);
        if (reply != null) {
            begin(hasLongBody(request) ? AdmissionControl.LARGE_REPLY_BYTES : reply.bytes());
        } else if (takesPaging(handler)) {
            begin(AdmissionControl.REPLY_BYTES);
        } else if (get != null && Arrays.asList(get.produces()).contains(MediaType.TEXT_EVENT_STREAM_VALUE)) {
            beginStream();
        }
    }

    /** Whether the body can be long: many questions have many answers. */
    private static boolean hasLongBody(HttpServletRequest request) {
        return request.getMethod().equals("POST")
                && Long.compareUnsigned(request.getContentLengthLong(), AdmissionControl.SMALL_BYTES) > 0;
    }

    private static boolean takesPaging(HandlerMethod handler) {
        return Arrays.stream(handler.getMethodParameters())
                .anyMatch(parameter -> parameter.getParameterType() == Paging.class);
    }

    /**
     * Waits for the turn of a request whose reply is found to be long. The turn ends with the request. A request with a
     * turn for fewer bytes gets the new turn at once or is refused: waiting, it would hold what it has read.
     *
     * @throws dev.purser.problem.ProblemException {@code temporarily-unavailable} if the wait takes too long
     */
    public void begin(int bytes) {
        Turn turn = turn();
        if (turn.lease == null) {
            turn.take(bytes, admission.replying(principal(), bytes));
        } else if (turn.bytes < bytes) {
            turn.end();
            turn.take(bytes, admission.replyingNow(principal(), bytes));
        }
    }

    private void beginStream() {
        turn().take(0, admission.streaming(principal()));
    }

    private static Turn turn() {
        RequestAttributes request = RequestContextHolder.currentRequestAttributes();
        Object begun = request.getAttribute(NAME, RequestAttributes.SCOPE_REQUEST);
        if (begun instanceof Turn turn) {
            return turn;
        }
        Turn turn = new Turn();
        request.setAttribute(NAME, turn, RequestAttributes.SCOPE_REQUEST);
        request.registerDestructionCallback(NAME, turn::end, RequestAttributes.SCOPE_REQUEST);
        return turn;
    }

    private static String principal() {
        return Objects.requireNonNull(SecurityContextHolder.getContext().getAuthentication())
                .getName();
    }

    /** The turn that a request has until its reply is sent. */
    private static final class Turn {
        private int bytes;
        private Turns.@Nullable Lease lease;

        void take(int amount, Turns.Lease taken) {
            bytes = amount;
            lease = taken;
        }

        void end() {
            if (lease != null) {
                lease.close();
                lease = null;
            }
        }
    }
}
