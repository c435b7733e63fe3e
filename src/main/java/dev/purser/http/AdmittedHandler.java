package dev.purser.http;

import dev.purser.admission.AdmissionControl;
import dev.purser.journal.Journal;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
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
    static final ScopedValue<Arrived> ARRIVED = ScopedValue.newInstance();

    private final AdmissionControl admission;
    private final Database database;
    private final BodyForm<?> form;
    private final int maxBytes;
    private @Nullable MethodValidator validator;

    /** @param isUnchanged whether the rows of the first arguments were unchanged when the body was there */
    record Arrived(byte[] body, boolean isUnchanged) {}

    /** @param maxBytes the most bytes of any body */
    AdmittedHandler(
            HandlerMethod handler, AdmissionControl admission, Database database, BodyForm<?> form, int maxBytes) {
        super(handler);
        this.database = database;
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
                    body -> ScopedValue.where(ARRIVED, new Arrived(body, areUnchanged(arguments)))
                            .call(() -> super.invokeForRequest(web, view, provided)));
        } catch (ProblemException refusal) {
            throw form.refusal().apply(refusal);
        } catch (AuthenticationException closed) {
            throw form.refusal()
                    .apply(ProblemException.of(ProblemType.UNAUTHORIZED, "the key was revoked or expired meanwhile"));
        }
    }

    /** Whether the second look is made now, and the rows of the first arguments are unchanged. */
    static boolean isUnchanged() {
        return ARRIVED.isBound() && ARRIVED.get().isUnchanged();
    }

    /** Compares all rows in one snapshot. If a row was read twice, the earlier entry counts. */
    private boolean areUnchanged(@Nullable Object[] arguments) {
        Map<String, Long> rows = new HashMap<>();
        for (Object argument : arguments) {
            if (argument instanceof ReadFromRows read) {
                read.rows().forEach((row, entry) -> rows.merge(row, entry, Math::min));
            }
        }
        return rows.isEmpty() || database.readOne(connection -> new Journal(connection).areLatest(rows));
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
