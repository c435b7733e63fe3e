package dev.purser.http;

import dev.purser.admission.AdmissionControl;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.AuthenticationException;
import org.springframework.validation.method.MethodValidator;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.mvc.method.annotation.ServletInvocableHandlerMethod;

/**
 * A handler that takes a body. It runs while the memory of the body is counted, and on a thread for heavy work if the
 * body is large.
 */
final class AdmittedHandler extends ServletInvocableHandlerMethod {
    /** The body of the request that the caller is answering. */
    static final ScopedValue<byte[]> BODY = ScopedValue.newInstance();

    private final AdmissionControl admission;
    private final BodyForm<?> form;
    private final int maxBytes;
    private @Nullable MethodValidator validator;

    /** @param maxBytes the most bytes of any body */
    AdmittedHandler(HandlerMethod handler, AdmissionControl admission, BodyForm<?> form, int maxBytes) {
        super(handler);
        this.admission = admission;
        this.form = form;
        this.maxBytes = Math.min(form.maxBytes(), maxBytes);
    }

    @Override
    public void setMethodValidator(@Nullable MethodValidator validator) {
        super.setMethodValidator(validator);
        this.validator = validator;
    }

    @Override
    public @Nullable Object invokeForRequest(
            NativeWebRequest web, @Nullable ModelAndViewContainer view, @Nullable Object... provided) throws Exception {
        HttpServletRequest request = Objects.requireNonNull(web.getNativeRequest(HttpServletRequest.class));
        // A request that is refused for another argument is refused before its body is read.
        @Nullable Object[] arguments = getMethodArgumentValues(web, view, provided);
        if (validator != null && shouldValidateArguments()) {
            validator.applyArgumentValidation(
                    getBean(), getBridgedMethod(), getMethodParameters(), arguments, getValidationGroups());
        }
        String sender = sender(arguments);
        try {
            return admission.read(
                    request,
                    sender,
                    maxBytes,
                    body -> ScopedValue.where(BODY, body).call(() -> super.invokeForRequest(web, view, provided)));
        } catch (ProblemException refusal) {
            throw form.refusal().apply(refusal);
        } catch (AuthenticationException closed) {
            throw form.refusal()
                    .apply(ProblemException.of(ProblemType.UNAUTHORIZED, "the key was revoked or expired meanwhile"));
        }
    }

    /** The principal who sends the body: the memory of bodies is shared between principals. */
    private static String sender(@Nullable Object[] arguments) {
        return Arrays.stream(arguments)
                .filter(Principal.class::isInstance)
                .map(argument -> ((Principal) argument).getName())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("a handler that takes a body takes who sends it"));
    }
}
