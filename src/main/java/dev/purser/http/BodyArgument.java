package dev.purser.http;

import dev.purser.admission.AdmissionControl;
import dev.purser.json.JsonDocument;
import dev.purser.json.RequestLimits;
import dev.purser.store.Database;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/** Reads the body of a request, under the operator's limits, to the type that its handler takes. */
@Component
final class BodyArgument implements HandlerMethodArgumentResolver {
    private final Map<String, BodyForm<?>> forms;
    private final AdmissionControl admission;
    private final Database database;
    private final RequestLimits limits;

    BodyArgument(Map<String, BodyForm<?>> forms, AdmissionControl admission, Database database, RequestLimits limits) {
        this.database = database;
        this.forms = forms;
        this.admission = admission;
        this.limits = limits;
    }

    /** The handler that runs once the body of this parameter is admitted. */
    AdmittedHandler admitting(HandlerMethod handler, MethodParameter parameter) {
        return new AdmittedHandler(handler, admission, database, form(parameter), limits.maxBodyBytes());
    }

    /** The form of the body that a parameter takes. */
    BodyForm<?> form(MethodParameter parameter) {
        ResolvableType type = ResolvableType.forMethodParameter(parameter);
        Class<?> read = (type.resolve() == Sent.class ? type.getGeneric() : type).resolve(Object.class);
        String name = Objects.requireNonNull(parameter.getParameterAnnotation(Body.class))
                .value();
        return forms.entrySet().stream()
                .filter(form -> form.getValue().type() == read
                        && (name.isEmpty() || form.getKey().equals(name)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no form of " + read.getName()))
                .getValue();
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.hasParameterAnnotation(Body.class);
    }

    @Override
    public @Nullable Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer view,
            NativeWebRequest web,
            @Nullable WebDataBinderFactory binders) {
        if (!AdmittedHandler.ARRIVED.isBound()) {
            return null;
        }
        byte[] body = AdmittedHandler.ARRIVED.get().body();
        HttpServletRequest request = Objects.requireNonNull(web.getNativeRequest(HttpServletRequest.class));
        Object read = read(form(parameter), body, HandlerArguments.of(request));
        return parameter.getParameterType() == Sent.class ? new Sent<>(body, read) : read;
    }

    private <T> T read(BodyForm<T> form, byte[] body, HandlerArguments arguments) {
        return form.reader().apply(JsonDocument.parse(body, limits.document()), arguments);
    }
}
