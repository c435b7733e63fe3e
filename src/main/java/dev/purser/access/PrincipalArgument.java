package dev.purser.access;

import dev.purser.http.TypedArgument;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;

/** The sender of a request, whose key may change, be revoked or expire while the body arrives. */
@Component
final class PrincipalArgument extends TypedArgument<Principal> {
    private final KeyRegister register;

    PrincipalArgument(KeyRegister register) {
        super(Principal.class);
        this.register = register;
    }

    @Override
    protected Principal of(HttpServletRequest request, HttpServletResponse response, MethodParameter parameter) {
        Principal principal = Principal.of(request).orElseThrow();
        return hasArrived() ? register.stillOpen(principal) : principal;
    }

    @Override
    protected Principal unchanged(
            Principal principal, HttpServletRequest request, HttpServletResponse response, MethodParameter parameter) {
        return register.unchanged(principal);
    }
}
